import { expect, test } from 'vitest';
import type { Ask } from '../../../src/slack/dispatch/ask.ts';
import { checkRepeatable } from '../../../src/slack/dispatch/work.ts';
import { parseLine } from '../../support/registry.ts';
import { vessels } from '../../support/run-command.ts';

const parse = (line: string) => parseLine(line, { vessels });
const reads = parse('nextport 9461477');
const changes = parse('watch 9461477');

test.each([
  ['refresh', "This can't be refreshed, so nothing was done."],
  ['share', "This can't be shared, so nothing was done."],
] as const)('%s changes nothing', (surface, message) => {
  expect(() => checkRepeatable(surface, reads)).not.toThrow();
  expect(() => checkRepeatable(surface, changes)).toThrow(
    expect.objectContaining({ code: 'not-allowed', message, example: changes.line }),
  );
});

test.each<Ask['surface']>(['slash', 'message', 'run'])('%s may change something', (surface) => {
  expect(() => checkRepeatable(surface, changes)).not.toThrow();
});
