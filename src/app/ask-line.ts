import manifest from '../../package.json' with { type: 'json' };
import type { Config } from '../config/config.ts';
import { codeOf, UserError } from '../errors.ts';
import { silentLogger } from '../log.ts';
import { failureView } from '../messages/frame/failure.ts';
import { terminalText } from '../messages/frame/terminal-text.ts';
import type { Message } from '../messages/message.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { createService } from './service.ts';
import { createTerminalFeatures } from './terminal.ts';

/** The outcome of one command line in the terminal. */
interface Outcome {
  /** `wrongInput`: the line itself is wrong; `trouble`: the service failed, or Landfall did. */
  kind: 'answered' | 'wrongInput' | 'trouble';
  /** For programs. */
  json: unknown;
  /** The same words as in Slack. */
  text(options: { styled: boolean }): string;
  /** An error of ours. There is no log here, so the terminal shows it. */
  internal?: unknown;
}

const deadlineMs = 15_000;

/** `zone` is the terminal's own time zone (an IANA name). */
export async function askLine(
  typed: string,
  { config, zone }: { config: Config; zone: string },
): Promise<Outcome> {
  const sandbox = config.analytics === 'sandbox' ? await startSandbox(config.sandbox) : undefined;
  const service = createService({ config, logger: silentLogger }, sandbox);
  const { now, source } = service;
  const { parseLine, vessels: names } = createTerminalFeatures({
    ...service,
    config,
    version: manifest.version,
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
    const { value: answer, view } = await run({ now, source, vessels, actor, fresh: false, signal });
    return { kind: 'answered', json: { source, line, answer }, text: textOf(view(readerNow())) };
  } catch (error) {
    const message = failureView(error, { reader: readerNow() });
    const code = codeOf(error);
    const isOurs = code === undefined && !(error instanceof DOMException);
    return {
      kind: error instanceof UserError ? 'wrongInput' : 'trouble',
      json: { error: { kind: code ?? 'internal', message: message.text } },
      text: textOf(message),
      ...(isOurs && { internal: error }),
    };
  } finally {
    await sandbox?.close();
  }
}

/** A sandbox of its own, in this process: a running bot keeps its sandbox to itself. */
async function startSandbox({ seed }: { seed: number }): Promise<Sandbox> {
  const { createSandbox } = await import('../sandbox/sandbox.ts');
  return createSandbox({ seed });
}
