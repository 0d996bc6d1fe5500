import { spawnSync } from 'node:child_process';

/** Why promtool can't run; undefined if it can. Debian's package `prometheus` has it. */
export const noPromtool =
  spawnSync('promtool', ['--version']).error === undefined ? undefined : 'there is no promtool in PATH';

/** What it printed; throws with that if it fails. */
export function runPromtool(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`promtool ${args.join(' ')}: ${stdout}${stderr}`);
  return `${stdout}${stderr}`;
}
