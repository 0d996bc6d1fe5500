import { pino } from 'pino';
import type { Config } from '../config/config.ts';
import { UserError } from '../errors.ts';
import { failureView } from '../messages/frame/failure.ts';
import { terminalText } from '../messages/frame/terminal-text.ts';
import type { Message } from '../messages/message.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { createService, readVersion } from './app.ts';
import { createTerminalFeatures } from './terminal.ts';

/** What came of one command line in the terminal. */
export type Asked = {
  /** For programs. */
  json: unknown;
  /** The same words as in Slack. */
  text(options: { styled: boolean }): string;
} & (
  | { kind: 'answered' }
  /** `wrong`: the line itself; `trouble`: the service, or a fault of ours, which `internal` then is. */
  | { kind: 'wrong' | 'trouble'; internal?: unknown }
);

const deadlineMs = 15_000;

/** `zone`: IANA name of the terminal's own. */
export async function askLine(
  typed: string,
  { config, zone }: { config: Config; zone: string },
): Promise<Asked> {
  const sandbox = config.analytics === 'sandbox' ? await startSandbox(config.sandbox) : undefined;
  const service = createService({ config, logger: pino({ level: 'silent' }) }, sandbox);
  const { now, source } = service;
  const { parseLine, vessels: names } = createTerminalFeatures({
    ...service,
    config,
    version: readVersion(),
  });
  const readerNow = () => ({ now: now(), zone, source, audience: 'private' as const });
  const vessels = await names();
  const runs = (offered: string) => !parseLine(offered, { vessels }).inSlack;
  const textOf =
    (message: Message) =>
    ({ styled }: { styled: boolean }) =>
      terminalText(message, { zone, styled, runs });
  try {
    const { line, run } = parseLine(typed, { vessels });
    const actor = { userId: 'terminal', isAdmin: true, zone };
    const signal = AbortSignal.timeout(deadlineMs);
    const answered = await run({ now, source, vessels, actor, fresh: false, signal });
    const text = textOf(answered.view(readerNow()));
    return { kind: 'answered', json: { source, line, answer: answered.value }, text };
  } catch (error) {
    const message = failureView(error, { reader: readerNow() });
    const json = { error: { kind: kindOf(error), message: message.text } };
    // No log holds it, and whoever reads this terminal is who can mend it.
    const isOurs = kindOf(error) === 'internal' && !(error instanceof DOMException);
    const kind = error instanceof UserError ? 'wrong' : 'trouble';
    return { kind, json, text: textOf(message), ...(isOurs && { internal: error }) };
  } finally {
    await sandbox?.close();
  }
}

/** One of its own, in this process: the terminal leaves the store of a running bot alone. */
async function startSandbox({ seed }: { seed: number }): Promise<Sandbox> {
  const { createSandbox } = await import('../sandbox/sandbox.ts');
  return createSandbox({ seed });
}

function kindOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : 'internal';
}
