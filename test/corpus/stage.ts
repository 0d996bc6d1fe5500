import { type BotOptions, mondayMs, startBot, type TestBot } from '../support/bot.ts';
import { act } from './acts.ts';
import { type Act, createObserver, type Observe, type Step } from './observer.ts';
import { steady } from './steady.ts';

type Fault = ReturnType<TestBot['sandbox']['faults']['add']>;

/** The bot with people who use it. Each of their acts becomes a step. */
export interface Stage {
  bot: TestBot;
  steps: Step[];
  step: Observe;
  /** `ada presses Refresh`, see acts.ts. */
  does(line: string): Promise<Step>;
  /** Does what is due now. */
  work(): Promise<Step>;
  /** Of a file that a message has. */
  contentOf(fileId: string): Promise<string>;
  /** Both clocks go on, so many hours at a time; a step whenever something happens. */
  pass(hours: number, everyHours: number): Promise<void>;
  /** What the service answers instead of its invented world, by endpoint. */
  answers: Map<string, Fault>;
  failures: Fault[];
}

const people: Readonly<Record<string, string>> = {
  ada: 'U0ADA0001',
  ben: 'U0BEN0001',
  chen: 'U0CHEN0001',
  /** Of another organisation. */
  dora: 'U0DORA0001',
  /** A guest. */
  eve: 'U0EVE0001',
};

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
  const typed = new Map();

  const step: Stage['step'] = async (heading, act) => {
    const done = await observe(heading, act);
    steps.push(done);
    return done;
  };

  const runDue: Act = async () => {
    await bot.runDue();
    return [];
  };

  return {
    ...{ bot, steps, step, answers: new Map(), failures: [] },
    async does(line) {
      const [heading = '', more = ''] = line.split(' | ');
      const [name = ''] = /^\w+/.exec(heading) ?? [];
      const userId = people[name];
      if (userId === undefined) throw new Error(`nothing in this happens, and nobody does it: ${line}`);
      return await step(heading, () => act(heading.slice(name.length), { bot, userId, more, typed }));
    },
    work: () => step('what is due', runDue),
    async contentOf(fileId) {
      const { url } = bot.playground;
      return steady(await (await fetch(`${url}/playground/files/${fileId}?user=${people.ada}`)).text());
    },
    async pass(hours, everyHours) {
      const before = steps.length;
      for (let passed = 0; passed < hours; passed += everyHours) {
        bot.advance(everyHours * 3_600_000);
        const at = bot.realNow().toUTCString().slice(0, 22);
        const done = await observe(at, runDue);
        if (done.changes.length > 0) steps.push(done);
      }
      if (steps.length === before) steps.push({ heading: `${hours} h later`, changes: [], notes: [] });
    },
  };
}
