import { inspect } from 'node:util';
import { createService } from './app/service.ts';
import { createTerminalFeatures } from './app/terminal.ts';
import { readVersion } from './app/version.ts';
import { type Config, ConfigError, createConfig } from './config/config.ts';
import { UserError } from './errors.ts';
import { silentLogger } from './log.ts';
import { failureView } from './messages/frame/failure.ts';
import { terminalText } from './messages/frame/terminal-text.ts';
import type { Reader } from './messages/message.ts';
import type { Sandbox } from './sandbox/sandbox.ts';

/** Exit statuses, for scripts. */
const status = { answered: 0, trouble: 1, wrongInput: 2 } as const;

const words = process.argv.slice(2);
const json = words.includes('--json');
const line = words.filter((word) => word !== '--json').join(' ');
// A reader that stops early (`| head`) is not an error.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
process.exitCode = await ask(/^(?:-h|--help)?$/.test(line.trim()) ? 'help' : line);

async function ask(typed: string): Promise<number> {
  const config = readConfig();
  if (!config) return status.wrongInput;
  const sandbox = config.analytics === 'sandbox' ? await startSandbox(config.sandbox) : undefined;
  const service = createService({ config, logger: silentLogger }, sandbox);
  const { now, source } = service;
  const { parseLine, vessels: names } = createTerminalFeatures({
    ...service,
    config,
    version: readVersion(),
  });
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const reader: Reader = { now: now(), zone, source, audience: 'private' };
  const vessels = await names();
  const runs = (offered: string) => !parseLine(offered, { vessels }).inSlack;
  try {
    const prepared = parseLine(typed, { vessels });
    const answered = await prepared.run({
      now,
      source,
      vessels,
      actor: { userId: 'terminal', isAdmin: true, zone },
      fresh: false,
      signal: AbortSignal.timeout(15_000),
    });
    if (json) print({ source, line: prepared.line, answer: answered.value });
    else
      print(
        terminalText(answered.view({ ...reader, now: now() }), {
          zone,
          styled: process.stdout.isTTY,
          runs,
        }),
      );
    return status.answered;
  } catch (error) {
    return fail(error, reader, runs);
  } finally {
    await sandbox?.close();
  }
}

function readConfig(): Config | undefined {
  try {
    return createConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    complain(error.message);
    return undefined;
  }
}

/** A separate sandbox in this process: that of a running bot stays untouched. */
async function startSandbox({ seed }: { seed: number }): Promise<Sandbox> {
  const { createSandbox } = await import('./sandbox/sandbox.ts');
  return createSandbox({ seed });
}

/** The same text as in Slack; with --json the error's code. */
function fail(error: unknown, reader: Reader, runs: (line: string) => boolean): number {
  const isWrongInput = error instanceof UserError;
  const message = failureView(error, { reader });
  if (json) print({ error: { kind: kindOf(error), message: message.text } });
  else complain(terminalText(message, { zone: reader.zone, styled: process.stderr.isTTY, runs }));
  // There is no log here, so the terminal shows the details.
  if (kindOf(error) === 'internal' && !(error instanceof DOMException)) complain(inspect(error));
  return isWrongInput ? status.wrongInput : status.trouble;
}

function kindOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : 'internal';
}

function print(output: unknown): void {
  process.stdout.write(`${typeof output === 'string' ? output : JSON.stringify(output, null, 2)}\n`);
}

function complain(text: string): void {
  process.stderr.write(`${text}\n`);
}
