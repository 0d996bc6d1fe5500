import { mondayMs, ops } from '../support/bot.ts';
import type { Stage } from './stage.ts';

/** What happens around the people, as a line says it. */
const happenings: readonly (readonly [RegExp, (stage: Stage, ...parts: string[]) => unknown])[] = [
  [
    /^([\d.]+) h pass(?:, ([\d.]+) h at a time)?$/,
    ({ pass }, hours, each = '0.25') => pass(Number(hours), Number(each)),
  ],
  [/^([\d.]+) h are missed$/, ({ bot }, hours) => bot.advance(Number(hours) * 3_600_000)],
  [/^the service predicts (\d+):(.*)$/, predict],
  [/^the service expects at (\w+):(.*)$/, expectAt],
  [
    /^the service answers (\S+) with (.*)$/,
    (stage, at = '', body = '') => answer(stage, at, JSON.parse(body)),
  ],
  [
    /^the service fails(?: with (.*))?$/,
    ({ bot, failures }, fault = '{"kind":"status","status":503,"headers":{}}') =>
      failures.push(bot.sandbox.faults.add(JSON.parse(fault))),
  ],
  [/^the service recovers$/, ({ failures }) => failures.pop()?.remove()],
  [
    /^the service refuses the account$/,
    ({ bot }) => {
      bot.sandbox.faults.status(401, { endpoint: '/authentication/login' });
      bot.sandbox.faults.revokeTokens();
    },
  ],
  [
    /^Slack answers (\S+) with (\{.*\})(?: (\d+) times)?$/,
    ({ bot }, method = '', fault = '', times = '1') =>
      bot.playground.faults.next(method, JSON.parse(fault), Number(times)),
  ],
  [
    /^Slack (refuses|shows) pictures$/,
    ({ bot }, verb) => bot.playground.faults.refuseImages(verb === 'refuses'),
  ],
  [/^(Landfall is removed from #ops)$/, changeChannel('removeMember')],
  [/^(Landfall is invited again)$/, changeChannel('addMember')],
  [/^(#ops is archived)$/, changeChannel('archive')],
  [/^(#ops is there again)$/, changeChannel('unarchive')],
];

/** Whether the line says what happens; otherwise it says what somebody does. */
export async function happen(line: string, stage: Stage): Promise<boolean> {
  for (const [pattern, perform] of happenings) {
    const match = pattern.exec(line);
    if (!match) continue;
    await perform(stage, ...match.slice(1));
    return true;
  }
  return false;
}

interface Call {
  probability: number;
  /** After the start of the story. Without it, the service gives no ETA. */
  eta?: string;
}

/** `NLRTM 0.9 in 60 h, BEANR 0.06`: by port, or by vessel. */
const callsIn = (text: string): [name: string, call: Call][] =>
  [...text.matchAll(/(\w+) ([\d.]+)(?: in (-?\d+) h)?/g)].map(([, name = '', probability, hours]) => {
    const eta = new Date(mondayMs + Number(hours) * 3_600_000);
    return [name, { probability: Number(probability), ...(hours && { eta: eta.toISOString() }) }];
  });

const prediction = (imo: number, port: string, { probability, eta }: Call) => ({
  vessel_imo_number: imo,
  un_location_code: port,
  probability,
  ...(eta && { eta_datetime: eta }),
});

/** The next ports of a vessel from now on. */
function predict(stage: Stage, vessel = '', ports = ''): void {
  const imo = Number(vessel);
  const calls = callsIn(ports);
  const predictions = calls.map(([port, call]) => prediction(imo, port, call));
  answer(stage, `/nextport/vessel/${imo}/predictions`, { predictions });
  const records = calls.map(([locode, { probability, eta }]) => ({
    ...{ imo, locode, probability },
    ...(eta && { eta: eta.slice(0, 19) }),
  }));
  answer(stage, `/nextport/ship/${imo}`, { records });
}

/** The vessels that may call at a port from now on. */
function expectAt(stage: Stage, port = '', vessels = ''): void {
  const predictions = callsIn(vessels).map(([imo, call]) => prediction(Number(imo), port, call));
  answer(stage, `/nextport/port/${port}/predictions`, { predictions });
}

/** The oldest fault of an endpoint wins, so a new answer ends the one before. */
function answer({ bot, answers }: Stage, endpoint: string, body: unknown): void {
  answers.get(endpoint)?.remove();
  const fault = { kind: 'status', status: 200, headers: {}, body } as const;
  answers.set(endpoint, bot.sandbox.faults.add(fault, { endpoint }));
}

function changeChannel(change: 'removeMember' | 'addMember' | 'archive' | 'unarchive') {
  return ({ step, bot }: Stage, heading = '') =>
    step(heading, async () => {
      await bot.playground.controls[change](ops);
      return [];
    });
}
