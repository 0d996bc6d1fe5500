import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

test('a run in which a test fails does not end well', () => {
  const { status, stdout } = spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/suite/failing.config.ts'],
    { encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } },
  );
  expect(stdout).toContain('1 failed');
  expect(status).toBe(1);
});
