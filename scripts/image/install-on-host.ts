import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { registryAccess } from './build-image.ts';

/** The npm commands that install Landfall without a container, as docs/hosting.md lists them. */
export const installCommands = (hosting: string): string[] =>
  [...(/```sh\numask 022\n(.*?)```/s.exec(hosting)?.[1] ?? '').matchAll(/^npm .+$/gm)].map(([line]) => line);

/** Carries them out in a copy of the repository in `target`. Returns the command of the systemd unit, in that copy. */
export function installOnHost({ context, target }: { context: string; target: string }): string[] {
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: context, encoding: 'utf8' });
  for (const path of tracked.split('\0').filter(Boolean)) cpSync(join(context, path), join(target, path));
  const quiet = { npm_config_prefer_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' };
  const { PATH = '' } = process.env;
  for (const command of installCommands(readFileSync(join(context, 'docs/hosting.md'), 'utf8'))) {
    const { status } = spawnSync('sh', ['-ec', command], {
      cwd: target,
      // Without the Node of this installation, which the new one has to get.
      env: {
        PATH: PATH.split(':')
          .filter((path) => !path.startsWith(context))
          .join(':'),
        ...registryAccess(),
        ...quiet,
      },
      stdio: ['ignore', 'inherit', 'inherit'],
      timeout: 300_000,
    });
    if (status !== 0) throw new Error(`${command}: failed with status ${status}`);
  }
  const unit = readFileSync(join(context, 'ops/systemd/landfall.service'), 'utf8');
  const [, command = ''] = /^ExecStart=(.+)$/m.exec(unit) ?? [];
  return command.replaceAll('/opt/landfall', target).split(' ');
}
