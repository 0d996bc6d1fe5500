import { type BotOptions, mondayMs, startBot, type TestBot } from '../support/bot.ts';
import { type Act, createObserver, type Observe, type Step } from './observer.ts';
import { createPerson, type Person } from './person.ts';
import { createScript, type Script } from './script.ts';
import { steady } from './steady.ts';

/** The bot with people who use it. Each of their acts becomes a step. */
export interface Stage extends Record<Name, Person> {
  bot: TestBot;
  /** What the service predicts instead of its invented world. */
  service: Script;
  steps: Step[];
  step: Observe;
  /** Does what is due now. */
  work(): Promise<Step>;
  /** Of a file that a message has. */
  contentOf(fileId: string): Promise<string>;
  /** Both clocks go on, by default a quarter of an hour at a time; a step for each moment at which something happens. */
  pass(hours: number, options?: { everyHours?: number }): Promise<void>;
}

const people = {
  ada: 'U0ADA0001',
  ben: 'U0BEN0001',
  chen: 'U0CHEN0001',
  /** Of another organisation. */
  dora: 'U0DORA0001',
  /** A guest. */
  eve: 'U0EVE0001',
};
export type Name = keyof typeof people;

/** As in workspaces to which Slack doesn't give them yet. */
export const newerBlocks = ['table', 'data_table', 'data_visualization', 'container', 'card'];

export interface StageOptions {
  /** Slack refuses tables, charts and the other newer blocks. */
  isPlain: boolean;
  env?: Record<string, string>;
  timing?: BotOptions['timing'];
  /** Hours after the usual beginning. */
  startsAfterHours?: number;
}

export async function startStage({
  isPlain,
  env = {},
  timing,
  startsAfterHours = 0,
}: StageOptions): Promise<Stage> {
  const frozenAt = mondayMs + startsAfterHours * 3_600_000;
  const bot = await startBot('http', { frozenAt, env, ...(timing && { timing }) });
  if (isPlain) bot.playground.faults.refuseBlocks(newerBlocks);
  const steps: Step[] = [];
  const observe = createObserver(bot);

  const step: Stage['step'] = async (heading, act) => {
    const done = await observe(heading, act);
    steps.push(done);
    return done;
  };

  const runDue: Act = async () => {
    await bot.runDue();
    return [];
  };

  async function pass(hours: number, { everyHours = 0.25 } = {}) {
    const before = steps.length;
    for (let passed = 0; passed < hours; passed += everyHours) {
      bot.advance(everyHours * 3_600_000);
      const at = bot.realNow().toUTCString().slice(0, 22);
      const done = await observe(at, runDue);
      if (done.changes.length > 0) steps.push(done);
    }
    if (steps.length === before) steps.push({ heading: `${hours} h later`, changes: [], notes: [] });
  }

  async function contentOf(fileId: string): Promise<string> {
    const { url } = bot.playground;
    return steady(await (await fetch(`${url}/playground/files/${fileId}?user=${people.ada}`)).text());
  }

  const person = (name: Name) => createPerson({ bot, step, name, userId: people[name] });
  return {
    ...{
      bot,
      steps,
      step,
      work: () => step('what is due', runDue),
      contentOf,
      pass,
      service: createScript(bot),
    },
    ...{
      ada: person('ada'),
      ben: person('ben'),
      chen: person('chen'),
      dora: person('dora'),
      eve: person('eve'),
    },
  };
}
