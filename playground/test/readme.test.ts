import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { blockSchemas } from '../src/blocks/block-schemas.ts';
import { USAGE } from '../src/cli/arguments.ts';
import { KNOWN_EVENTS } from '../src/interactions/known-events.ts';

const root = `${import.meta.dirname}/..`;
const readme = readFileSync(`${root}/README.md`, 'utf8');
const listed = (title: string) =>
  [...(readme.match(new RegExp(`^\\*\\*${title}\\*\\*: (.*)$`, 'm'))?.[1] ?? '').matchAll(/`([^`]+)`/g)].map(
    ([, name]) => name,
  );

test('the README lists the methods, events and blocks', () => {
  const sources = globSync(`${root}/src/{web-api,oauth}/*.ts`).map((file) => readFileSync(file, 'utf8'));
  const methods = sources.flatMap((source) =>
    [...source.matchAll(/^ {4}'([a-z]+(?:\.[a-zA-Z0-9]+)+)': /gm)].map(([, name]) => name),
  );
  expect(methods.length).toBeGreaterThan(30);
  expect(listed('Web API')).toEqual(methods.toSorted());
  expect(listed('Events')).toEqual(KNOWN_EVENTS.toSorted());
  const blocks = new Set(Object.values(blockSchemas).flatMap((schemas) => [...schemas.keys()]));
  expect(listed('Blocks')).toEqual([...blocks].toSorted());
});

test('the README has every option of the command', () => {
  const options = (text: string) => text.match(/--[a-z][a-z-]+/g) ?? [];
  expect(options(readme)).toEqual(expect.arrayContaining(options(USAGE).filter((name) => name !== '--help')));
});

test('the example for tests runs', async () => {
  const [, code = ''] = /```js\n(.*?)```/s.exec(readme) ?? [];
  expect(code).toContain('createPlayground');
  // After its stop, Bolt's client waits half a minute for the end of its connection.
  const script = `${code}process.exit();`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], { cwd: root });
});
