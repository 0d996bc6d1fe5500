import { onTestFinished } from 'vitest';
import { type BotOptions, type Mode, startBot, type TestBot } from './bot.ts';

/** A bot that stops after the test; from beforeEach too. */
export async function useBot(mode: Mode = 'http', options?: BotOptions): Promise<TestBot> {
  const bot = await startBot(mode, options);
  onTestFinished(() => bot.stop());
  return bot;
}
