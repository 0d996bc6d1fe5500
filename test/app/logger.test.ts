import { expect, test } from 'vitest';
import { createLogger } from '../../src/app/logger.ts';
import { currentReference, underReference } from '../../src/log.ts';

function startLog(logFormat: 'auto' | 'json' | 'pretty', { isTerminal = false } = {}) {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  return { lines, logger: createLogger({ logLevel: 'info', logFormat }, { isTerminal, destination }) };
}

test('a line for a machine is JSON, with the reference of the request', async () => {
  const { lines, logger } = startLog('auto');
  const ref = await underReference(async () => {
    await Promise.resolve();
    logger.info({ ms: 3 }, 'command');
    return currentReference();
  });
  logger.info({}, 'outside');
  expect(ref).toMatch(/^[2-9A-HJ-NP-Z]{6}$/);
  const [inside, outside] = lines.map((line) => JSON.parse(line));
  expect(inside).toMatchObject({ level: 30, msg: 'command', ms: 3, ref });
  expect(outside).not.toHaveProperty('ref');
});

test('a line for people has no JSON, and an error has its stack', () => {
  const { lines, logger } = startLog('pretty');
  logger.info({ line: 'nextport 9461477', outcome: 'answered', ms: 12 }, 'command');
  logger.warn({}, 'careful');
  logger.error({ err: new TypeError('boom') }, 'it broke');
  expect(lines.pop()).toMatch(/ERROR: it broke\n {4}TypeError: boom\n\s+at /);
  expect(lines.map((line) => line.replace(/^\[\d\d:\d\d:\d\d\] /, ''))).toEqual([
    "INFO: command line='nextport 9461477' outcome=answered ms=12\n",
    'WARN: careful\n',
  ]);
});

test('pretty is the default in a terminal, in colour', () => {
  const { lines, logger } = startLog('auto', { isTerminal: true });
  logger.info({ ms: 1 }, 'command');
  expect(lines[0]).toContain('\u001b[');
  const json = startLog('json', { isTerminal: true });
  json.logger.info({ ms: 1 }, 'command');
  expect(JSON.parse(json.lines[0] ?? '')).toMatchObject({ msg: 'command' });
});

test.each(['json', 'pretty'] as const)('secrets are left out, %s', (format) => {
  const { lines, logger } = startLog(format);
  logger.info({ login: { token: 'abc123', password: 'hunter2' } }, 'oops');
  expect(lines.join('')).toContain('[secret]');
  expect(lines.join('')).not.toMatch(/abc123|hunter2/);
});
