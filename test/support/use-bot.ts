import { type BotOptions, type Mode, startBot, type TestBot } from './bot.ts';
import { untilTestEnds } from './use-started.ts';

/** A bot that stops after the test; from beforeEach too. */
export async function useBot(mode: Mode = 'http', options?: BotOptions): Promise<TestBot> {
  return untilTestEnds(await startBot(mode, options));
}
