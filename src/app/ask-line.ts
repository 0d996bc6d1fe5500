import type { Config } from '../config/config.ts';
import { UserError } from '../errors.ts';
import { silentLogger } from '../log.ts';
import { failureView } from '../messages/frame/failure.ts';
import { terminalText } from '../messages/frame/terminal-text.ts';
import type { Message } from '../messages/message.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { createService } from './service.ts';
import { createTerminalFeatures } from './terminal.ts';
import { readVersion } from './version.ts';

/** The outcome of one command line in the terminal. */
export type Asked = {
  /** For programs. */
  json: unknown;
  /** The same words as in Slack. */
  text(options: { styled: boolean }): string;
} & (
  | { kind: 'answered' }
  /** `wrongInput`: the line itself; `trouble`: the service, or a fault of ours, which `internal` then is. */
  | { kind: 'wrongInput' | 'trouble'; internal?: unknown }
);

const deadlineMs = 15_000;

/** `zone`: IANA name of the terminal's own. */
export async function askLine(
  typed: string,
  { config, zone }: { config: Config; zone: string },
): Promise<Asked> {
  const sandbox = config.analytics === 'sandbox' ? await startSandbox(config.sandbox) : undefined;
  const service = createService({ config, logger: silentLogger }, sandbox);
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
    // There is no log here, so the terminal shows the details.
    const isOurs = kindOf(error) === 'internal' && !(error instanceof DOMException);
    const kind = error instanceof UserError ? 'wrongInput' : 'trouble';
    return { kind, json, text: textOf(message), ...(isOurs && { internal: error }) };
  } finally {
    await sandbox?.close();
  }
}

/** A separate sandbox in this process: that of a running bot stays untouched. */
async function startSandbox({ seed }: { seed: number }): Promise<Sandbox> {
  const { createSandbox } = await import('../sandbox/sandbox.ts');
  return createSandbox({ seed });
}

function kindOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : 'internal';
}
