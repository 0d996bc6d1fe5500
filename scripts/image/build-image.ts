import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join, matchesGlob, relative, resolve } from 'node:path';
import { assignments, execForm, parseDockerfile, type Stage } from './dockerfile.ts';

/** What a container engine would start. */
export interface Image {
  directory: string;
  env: Record<string, string>;
  /** The user of the image, as this machine can run it. */
  user: { uid?: number; gid?: number };
  command: string[];
  healthCheck: string[];
}

/** The user `node` of the image node:24-slim. */
const nodeId = 1000;

/** Carries out the Dockerfile of `context` below `target`, without a container engine. */
export function buildImage({ context, target }: { context: string; target: string }): Image {
  const isRoot = process.getuid?.() === 0;
  const ignored = readFileSync(join(context, '.dockerignore'), 'utf8').split('\n').filter(Boolean);
  const stages = parseDockerfile(readFileSync(join(context, 'Dockerfile'), 'utf8'));
  const bin = installNode(target);
  const directories = new Map<string, string>();
  let image: Image | undefined;
  for (const stage of stages) image = buildStage(stage);
  if (!image) throw new Error('the Dockerfile has no stage');
  return image;

  function buildStage({ name, base, instructions }: Stage): Image {
    const root = join(target, name || 'image');
    directories.set(name, root);
    const [, major] = /^node:(\d+)-slim$/.exec(base) ?? [];
    if (major !== process.versions.node.split('.')[0])
      throw new Error(`FROM ${base}: this is Node ${process.versions.node}`);
    let directory = root;
    let exposed = '';
    const { PATH = '' } = process.env;
    const home = join(target, 'home');
    const built: Image = {
      directory,
      env: { PATH: `${bin}:${PATH}`, HOME: home },
      user: {},
      command: [],
      healthCheck: [],
    };
    for (const { name: kind, text } of instructions) {
      if (kind === 'WORKDIR') {
        directory = join(root, text);
        mkdirSync(directory, { recursive: true });
        built.directory = directory;
      } else if (kind === 'ENV') Object.assign(built.env, assignments(text));
      else if (kind === 'COPY') copy(text, directory);
      else if (kind === 'RUN') run(text, built);
      else if (kind === 'USER') built.user = userOf(text);
      else if (kind === 'CMD') built.command = execForm(text);
      else if (kind === 'HEALTHCHECK') built.healthCheck = execForm(text, 'CMD ');
      else if (kind === 'EXPOSE') exposed = text;
      else if (kind !== 'VOLUME') throw new Error(`${kind} is not understood`);
    }
    if (exposed !== (built.env.PORT ?? '')) throw new Error(`EXPOSE ${exposed}, but PORT=${built.env.PORT}`);
    return built;
  }

  function copy(text: string, directory: string): void {
    const words = text.split(/\s+/);
    const [, from] = /^--from=(\w+)$/.exec(words[0] ?? '') ?? [];
    const sources = words.slice(from ? 1 : 0, -1);
    const to = words.at(-1) ?? '';
    const origin = from ? directories.get(from) : context;
    if (origin === undefined) throw new Error(`COPY ${text}: there is no such stage`);
    for (const source of sources) {
      const into = to.endsWith('/') ? join(directory, to, basename(source)) : join(directory, to);
      cpSync(join(origin, source), into, {
        recursive: true,
        filter: (path) => from !== undefined || !isIgnored(relative(context, path)),
      });
    }
  }

  function isIgnored(path: string): boolean {
    return ignored.some((pattern) => matchesGlob(path, pattern));
  }

  /** The user `node` need not exist on this machine, so it is named by its id; only root can give files to others. */
  function run(text: string, { directory, env }: Image): void {
    const command = isRoot
      ? text.replaceAll('node:node', `${nodeId}:${nodeId}`)
      : text.replaceAll(/ && chown \S+ \S+/g, '');
    const quiet = { npm_config_prefer_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' };
    const { status } = spawnSync('sh', ['-ec', command], {
      cwd: directory,
      env: { ...env, ...registryAccess(), ...quiet },
      stdio: ['ignore', 'inherit', 'inherit'],
      timeout: 300_000,
    });
    if (status !== 0) throw new Error(`RUN ${text}: failed with status ${status}`);
  }

  function userOf(name: string): Image['user'] {
    if (name !== 'node') throw new Error(`USER ${name}: only node is known`);
    return isRoot ? { uid: nodeId, gid: nodeId } : {};
  }
}

/** What `docker build` would have from its engine: how npm reaches the registry, and its cache. */
export function registryAccess(): NodeJS.ProcessEnv {
  const names =
    /^(?:HOME|npm_config_(?:registry|cafile|userconfig|cache)|https?_proxy|no_proxy|node_extra_ca_certs)$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => names.test(name)));
}

/** This Node, where the image's user can run it. Returns the directory. */
function installNode(target: string): string {
  const bin = join(target, 'bin');
  mkdirSync(bin);
  mkdirSync(join(target, 'home'));
  chmodSync(join(target, 'home'), 0o777);
  copyFileSync(resolve(process.execPath), join(bin, 'node'));
  chmodSync(join(bin, 'node'), 0o755);
  return bin;
}
