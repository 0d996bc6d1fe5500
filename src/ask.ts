import { enableCompileCache } from 'node:module';
import { inspect } from 'node:util';

// For a quicker start. It has to come before the imports below.
enableCompileCache();
const { setProxy } = await import('./app/proxy.ts');
const { askLine } = await import('./app/terminal.ts');
const { configOrExit } = await import('./config/config.ts');

/** Exit statuses, for scripts. */
const status = { answered: 0, trouble: 1, wrongInput: 2 } as const;

const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
// @date-fns/tz is exact for other zones only if the process itself is in UTC.
process.env.TZ = 'UTC';
const words = process.argv.slice(2);
const isJson = words.includes('--json');
const line = words.filter((word) => word !== '--json').join(' ');
// A reader that stops early (`| head`) is not an error.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
process.exitCode = await ask(/^(?:-h|--help)?$/.test(line.trim()) ? 'help' : line);

async function ask(typed: string): Promise<number> {
  const config = configOrExit(process.env);
  setProxy(config.proxy);
  const outcome = await askLine(typed, { config, zone });
  const stream = outcome.kind === 'answered' || isJson ? process.stdout : process.stderr;
  const text = isJson ? JSON.stringify(outcome.json, null, 2) : outcome.text({ styled: stream.isTTY });
  stream.write(isJson ? `${text}\n` : (outcome.file ?? `${text}\n`));
  if (outcome.internal !== undefined) process.stderr.write(`${inspect(outcome.internal)}\n`);
  return status[outcome.kind];
}
