import { enableCompileCache } from 'node:module';
import { inspect } from 'node:util';
import type { Config } from './config/config.ts';

// For a quicker start. It has to come before the imports below.
enableCompileCache();
const { setProxy } = await import('./app/proxy.ts');
const { askLine } = await import('./app/terminal.ts');
const { configOrExit } = await import('./config/config.ts');

/** Exit statuses, for scripts. */
const status = { answered: 0, trouble: 1, wrongInput: 2 } as const;

if (import.meta.main) {
  const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
  // @date-fns/tz is exact for other zones only if the process itself is in UTC.
  process.env.TZ = 'UTC';
  // A reader that stops early (`| head`) is not an error.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const config = configOrExit(process.env);
  setProxy(config.proxy);
  process.exitCode = await ask(process.argv.slice(2), {
    config,
    zone,
    stdout: process.stdout,
    stderr: process.stderr,
  });
}

interface Output {
  isTTY?: boolean;
  write(text: string | Uint8Array): unknown;
}

/** Answers a line, given as the words of the command line, or shows help. Resolves to the exit status. */
export async function ask(
  words: readonly string[],
  terminal: { config: Config; zone: string; stdout: Output; stderr: Output },
): Promise<number> {
  const { stdout, stderr } = terminal;
  const isJson = words.includes('--json');
  const typed = words.filter((word) => word !== '--json').join(' ');
  const outcome = await askLine(/^(?:-h|--help)?$/.test(typed.trim()) ? 'help' : typed, terminal);
  const stream = outcome.kind === 'answered' || isJson ? stdout : stderr;
  const text = isJson
    ? JSON.stringify(outcome.json, null, 2)
    : outcome.text({ styled: stream.isTTY === true });
  stream.write(isJson ? `${text}\n` : (outcome.file ?? `${text}\n`));
  if (outcome.internal !== undefined) stderr.write(`${inspect(outcome.internal)}\n`);
  return status[outcome.kind];
}
