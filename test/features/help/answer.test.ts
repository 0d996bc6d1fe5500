import { expect, test } from 'vitest';
import { allCommands, oneCommand, type ShownCommand } from '../../../src/features/help/answer.ts';
import { type ServiceState, statusAnswer } from '../../../src/features/help/status.ts';
import { watchRules } from '../../../src/features/rules/registry.ts';
import { messageOf } from '../../support/answer-message.ts';
import { asRead } from '../../support/message-text.ts';
import { commands as all, parseLine } from '../../support/registry.ts';
import { vessels } from '../../support/run-command.ts';
import { reader } from '../../support/view-fixtures.ts';

const commands = all.filter(({ isUnderLandfall }) => !isUnderLandfall);

const asHelp = (command: (typeof all)[number]): ShownCommand => ({
  ...command,
  runs: command.examples
    .slice(0, 1)
    .filter((line) => parseLine(line, { vessels }).repeatable)
    .map((line) => ({ label: line, line })),
});

function helpFor(name: string): string {
  const [command] = commands.filter((each) => each.name === name);
  if (!command) throw new Error(`no command ${name}`);
  return asRead(messageOf(oneCommand(asHelp(command)), `landfall help ${name}`));
}

test('help for all commands', () => {
  expect(asRead(messageOf(allCommands(commands.map(asHelp)), 'landfall'))).toMatchInlineSnapshot(`
    "text: Ask me where vessels call next, and when: See where a vessel calls next; See who is coming to a port; Be alerted when something changes; Get answers every morning; Compare carriers on a trade lane; Or in plain words: “Where is EVER GIVEN?” · “Who is coming to Rotterdam tomorrow?” · “How late is MSC from Singapore to Xiamen?”; \`/nextport\` · Where vessels will probably call next, and when; \`/portcalls\` · Which vessels may call at a port, when, and how probably; \`/lane\` · How the carriers of a trade lane perform: delays and omitted calls (beta); \`/usage\` · What this API account was used for in a month; \`/watch\` · Be notified in a thread when the next port or the ETA of a vessel changes; \`/digest\` · Answers at set times in this channel, with what is new on top; \`/vessel\` · Names, references and fleets: each works wherever an IMO number does; \`/landfall\` · Help, status, settings of the channel, who changed what, the account, tokens for assistants, or any other command line

    *Ask me where vessels call next, and when*
    See where a vessel calls next
    \`/nextport 9461477\`
    See who is coming to a port
    \`/portcalls Rotterdam\`
    Be alerted when something changes
    \`/watch 9461477\`
    Get answers every morning
    \`/digest add weekdays 08:00 Europe/Berlin: portcalls NLRTM next 3 days; nextport list:FEEDERS; usage\`
    Compare carriers on a trade lane
    \`/lane Singapore Xiamen\`
    Or in plain words: “Where is EVER GIVEN?” · “Who is coming to Rotterdam tomorrow?” · “How late is MSC from Singapore to Xiamen?”
    ▸ All commands
      | Command | What it answers or does |
      | /nextport | Where vessels will probably call next, and when |
      | /portcalls | Which vessels may call at a port, when, and how probably |
      | /lane | How the carriers of a trade lane perform: delays and omitted calls (beta) |
      | /usage | What this API account was used for in a month |
      | /watch | Be notified in a thread when the next port or the ETA of a vessel changes |
      | /digest | Answers at set times in this channel, with what is new on top |
      | /vessel | Names, references and fleets: each works wherever an IMO number does |
      | /landfall | Help, status, settings of the channel, who changed what, the account, tokens for assistants, or any other command line |
    \`/landfall help nextport\` explains one command · the same lines work in a direct message, after mentioning me, and after \`/landfall\` · only you see an answer unless the line ends in \`public\`, you press Share, or the channel shows answers to everyone · \`as csv\` or \`as json\` at the end sends you the whole table as a file"
  `);
});

test('help that everybody in a channel reads has the buttons too', () => {
  const shown = messageOf(allCommands(commands.map(asHelp)), 'landfall', { ...reader, audience: 'channel' });
  expect(JSON.stringify(shown.blocks)).toMatch(/"form:watch\b.*"form:digest\b/);
});

test('help for watches names every rule', () => {
  const shown = helpFor('watch');
  const { all, limits } = watchRules;
  for (const { typed } of [...all, { typed: 'only' }, ...limits]) {
    expect(shown).toContain(`\n| ${typed} | `);
  }
});

test('help for one command', () => {
  expect(helpFor('lane')).toMatchInlineSnapshot(`
    "text: How the carriers of a trade lane perform: delays and omitted calls (beta); \`/lane &lt;origin&gt; &lt;destination&gt; [carriers] [period] [versus previous|&lt;period&gt;]\`: \`/lane Singapore Xiamen\`; For example: \`/lane SGSIN → CNXAM Maersk, MSC\` · \`/lane Rotterdam to Singapore last quarter\` · \`/lane Singapore Xiamen last quarter versus previous\`; Maersk, MSC: only these carriers, by name or code; versus previous: compares with the month, quarter or days before; without a period, the last 90 days; versus q2: compares with that period; last week, last month, last quarter, last year: whole weeks (Monday to Sunday), months, quarters and years; this week, this month, this quarter, this year: the current one, as far as there are journeys; october, q3: the latest that has begun; 2026-10, q3 2026, 2025: of that year; last 30 days, last 3 months, the last week (7 days): up to now; since 2026-08-01, since monday: from the beginning of that day until now; 2026-01..2026-03, mon-wed, 1-15 oct: the first and the last are included; Or in plain words: “How late is MSC from Singapore to Xiamen?” · “Has MSC got worse on Singapore Xiamen?” · “How does the lane Rotterdam to Singapore perform?”

    *How the carriers of a trade lane perform: delays and omitted calls (beta)*
    \`/lane &lt;origin&gt; &lt;destination&gt; [carriers] [period] [versus previous|&lt;period&gt;]\`
    \`/lane Singapore Xiamen\`
    For example: \`/lane SGSIN → CNXAM Maersk, MSC\` · \`/lane Rotterdam to Singapore last quarter\` · \`/lane Singapore Xiamen last quarter versus previous\`
    (table: Options of /lane)
    | Option | What it does |
    | Maersk, MSC | only these carriers, by name or code |
    | versus previous | compares with the month, quarter or days before; without a period, the last 90 days |
    | versus q2 | compares with that period |
    | last week, last month, last quarter, last year | whole weeks (Monday to Sunday), months, quarters and years |
    | this week, this month, this quarter, this year | the current one, as far as there are journeys |
    | october, q3 | the latest that has begun; 2026-10, q3 2026, 2025: of that year |
    | last 30 days, last 3 months, the last week (7 days) | up to now |
    | since 2026-08-01, since monday | from the beginning of that day until now |
    | 2026-01..2026-03, mon-wed, 1-15 oct | the first and the last are included |
    Or in plain words: “How late is MSC from Singapore to Xiamen?” · “Has MSC got worse on Singapore Xiamen?” · “How does the lane Rotterdam to Singapore perform?”
    Periods are in UTC. Carriers are ranked by the delayed share at the destination, the lowest first, from 10 journeys on; 95%: the Wilson score interval of that share; where two intervals overlap, the order may be chance"
  `);
});

const status: ServiceState = {
  version: '0.1.0',
  service: {
    lastSuccessAt: new Date('2026-11-21T09:04:00Z'),
    latencyMs: 51.4,
    token: { state: 'live' },
    inFlight: 1,
    queued: 0,
  },
  tokenAgeMinutes: 135,
  tokenLeftMinutes: 465,
};

test('status of a service that answers', () => {
  expect(asRead(messageOf(statusAnswer(status, reader), 'landfall status'))).toMatchInlineSnapshot(`
    "text: The analytics service answers; Landfall: 0.1.0; Service: the Vessel Schedule Analytics Service; Last successful call: 09:04 UTC; Last response time: 51 ms; Login: logged in · 2 h 15 min ago · token valid for another 7 h; Calls in progress: 1, and 0 waiting

    *The analytics service answers*
    (table: State)
    | What | Now |
    | Landfall | 0.1.0 |
    | Service | the Vessel Schedule Analytics Service |
    | Last successful call | 09:04 UTC |
    | Last response time | 51 ms |
    | Login | logged in · 2 h 15 min ago · token valid for another 7 h |
    | Calls in progress | 1, and 0 waiting |
    [Refresh → landfall status] [Share → landfall status]"
  `);
});

test('status of a service that does not answer, and of a refused account', () => {
  const failing = { ...status.service, failingSince: new Date('2026-11-21T08:12:00Z') };
  expect(messageOf(statusAnswer({ ...status, service: failing }, reader), 'landfall status').text).toContain(
    'The analytics service has not answered since 08:12 UTC',
  );
  const paused = { ...status.service, pausedMs: 40_000 };
  expect(messageOf(statusAnswer({ ...status, service: paused }, reader), 'landfall status').text).toContain(
    'The analytics service is limiting our calls; next call in 40 s',
  );
  const refused = { token: { state: 'refused' }, inFlight: 0, queued: 0 } as const;
  expect(
    asRead(messageOf(statusAnswer({ ...status, service: refused }, reader), 'landfall status')),
  ).toMatchInlineSnapshot(`
    "text: 🟠 The analytics service doesn't accept the account; Landfall: 0.1.0; Service: the Vessel Schedule Analytics Service; Last successful call: none yet; Last response time: not measured yet; Login: refused; user id, password and API key need checking; Calls in progress: 0, and 0 waiting

    *🟠 The analytics service doesn't accept the account*
    (table: State)
    | What | Now |
    | Landfall | 0.1.0 |
    | Service | the Vessel Schedule Analytics Service |
    | Last successful call | none yet |
    | Last response time | not measured yet |
    | Login | refused; user id, password and API key need checking |
    | Calls in progress | 0, and 0 waiting |
    [Refresh → landfall status] [Share → landfall status]"
  `);
});
