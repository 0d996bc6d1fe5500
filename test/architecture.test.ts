import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';
import { parseAst } from 'vite';
import { describe, expect, test } from 'vitest';
import { commands, features, parseLine } from '../src/features/index.ts';
import { createVesselDirectory } from '../src/grammar/vessel-directory.ts';
import { exampleVessels } from '../src/reference/codes.ts';

const aFeature: readonly string[] = [
  'features/feature.ts',
  'a feature/index.ts',
  'answers',
  'analytics',
  'grammar',
  'predictions',
  'workspaces',
  'outbox',
  'database',
  'pictures',
  'reference',
  'errors.ts',
];

/** The imports that each module may have, types included; its own files are always allowed. `a feature` means each one. */
const table: Record<string, readonly string[]> = {
  'errors.ts': [],
  'log.ts': [],
  'measure.ts': [],
  'cache.ts': [],
  'fair-queue.ts': [],
  config: [],
  reference: [],
  analytics: ['reference', 'errors.ts'],
  grammar: ['reference', 'errors.ts'],
  predictions: ['reference', 'errors.ts'],
  database: ['errors.ts'],
  answers: ['reference', 'errors.ts'],
  pictures: [],
  outbox: ['answers', 'database', 'errors.ts'],
  workspaces: ['analytics', 'reference', 'database', 'errors.ts'],
  'features/feature.ts': [
    'answers',
    'outbox',
    'workspaces',
    'grammar',
    'analytics',
    'predictions',
    'database',
    'pictures',
    'reference',
    'errors.ts',
  ],
  'a feature': aFeature,
  'features/alerts': [
    'features/feature.ts',
    'a feature/index.ts',
    'workspaces',
    'outbox',
    'database',
    'reference',
    'errors.ts',
  ],
  'features/owned': ['features/feature.ts', 'answers', 'workspaces', 'outbox', 'database', 'errors.ts'],
  'features/rules': ['features/feature.ts', 'answers', 'grammar', 'predictions', 'reference', 'errors.ts'],
  'features/index.ts': [
    'features/feature.ts',
    'a feature/index.ts',
    'answers',
    'grammar',
    'reference',
    'errors.ts',
  ],
  run: ['features/feature.ts', 'grammar', 'answers', 'errors.ts'],
  slack: ['run', 'features/feature.ts', 'answers', 'outbox', 'workspaces', 'errors.ts', 'config'],
  mcp: ['run', 'features/feature.ts', 'answers', 'reference', 'errors.ts'],
  sandbox: ['reference'],
  app: ['*'],
  'main.ts': ['app', 'config', 'errors.ts'],
  'ask.ts': ['app', 'config', 'errors.ts'],
  'doctor.ts': ['app', 'config', 'errors.ts'],
  'mcp.ts': ['app', 'config', 'errors.ts'],
  'workspaces.ts': ['app', 'config', 'errors.ts'],
  'backup.ts': ['config', 'database', 'errors.ts'],
  'restore.ts': ['config', 'database', 'errors.ts'],
};

/** Every module may import them. */
const shared = ['src/log.ts', 'src/measure.ts', 'src/cache.ts', 'src/fair-queue.ts'];

/** Packages that only some modules may import. */
const packages: Record<string, readonly string[]> = {
  '@modelcontextprotocol/server': ['mcp'],
  '@modelcontextprotocol/server/stdio': ['app'],
  '@slack/bolt': ['slack'],
  '@slack/oauth': ['slack'],
  '@slack/web-api': ['slack'],
  '@resvg/resvg-js': ['pictures'],
  'd3-geo': ['pictures'],
  'bolt-playground': ['app'],
  ky: ['analytics'],
  'lru-cache': ['cache.ts', 'sandbox', 'grammar', 'reference'],
  'pino-pretty': ['app'],
  'prom-client': ['app'],
  'topojson-client': ['pictures'],
  undici: ['analytics', 'slack', 'app'],
};

/** The modules that may read the environment. */
const environmentReaders = [
  'main.ts',
  'ask.ts',
  'doctor.ts',
  'mcp.ts',
  'backup.ts',
  'restore.ts',
  'workspaces.ts',
];

/** Of imports inside a feature. */
const maxFloors = 9;
const maxLayers = 12;
const maxDependencies = 72;

interface Import {
  file: string;
  target: string;
  typeOnly: boolean;
}

const filesOf = (pattern: string): string[] => globSync(pattern).map((path) => path.split(sep).join('/'));

const files = filesOf('src/**/*.ts');

const registry = ['index', 'parse-line', 'own-words', 'prepare', 'line-export'].map(
  (name) => `src/features/${name}.ts`,
);

/** `analytics`, or `features/usage`. The files directly in features/ are one module, and the registry is another. */
function moduleOf(path: string): string {
  const [, first = path, second = '', third] = path.split('/');
  if (first !== 'features') return first;
  if (registry.includes(path)) return 'features/index.ts';
  return third === undefined ? 'features/feature.ts' : `features/${second}`;
}

const isFeature = (module: string): boolean => module.startsWith('features/') && !module.endsWith('.ts');

function importsOf(file: string): Import[] {
  const source = readFileSync(file, 'utf8');
  const statements =
    /(?:^|\n)\s*(import|export)(\s+type)?\s+(?:[^;'"]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g;
  return [...source.matchAll(statements)].map(([, , type, named, dynamic]) => ({
    file,
    target: named ?? dynamic ?? '',
    typeOnly: Boolean(type),
  }));
}

const imports = files.flatMap(importsOf);

/** The imports of own files, by their paths. */
const ownImports = (all: readonly Import[]) =>
  all
    .filter(({ target }) => target.startsWith('.'))
    .map(({ file, target }) => ({
      file,
      to: normalize(join(dirname(file), target))
        .split(sep)
        .join('/'),
    }));

const inside = ownImports(imports).filter(({ to }) => files.includes(to));

function isAllowed(file: string, to: string): boolean {
  const [from, target] = [moduleOf(file), moduleOf(to)];
  if (from === target || shared.includes(to)) return true;
  const rules = table[from] ?? (isFeature(from) ? aFeature : []);
  if (rules.includes('*') || rules.includes(target)) return true;
  return isFeature(target) && to === `src/${target}/index.ts` && rules.includes('a feature/index.ts');
}

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

function graphOf(edges: readonly (readonly [string, string])[]): Graph {
  const graph = new Map<string, Set<string>>();
  for (const [from, to] of edges) {
    if (from === to) continue;
    graph.set(from, (graph.get(from) ?? new Set()).add(to));
  }
  return graph;
}

/** The first cycle found, as a path that ends with its first node; undefined if there is none. */
function findCycle(graph: Graph): string[] | undefined {
  const done = new Set<string>();
  const visit = (node: string, path: string[]): string[] | undefined => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
    if (done.has(node)) return undefined;
    for (const next of graph.get(node) ?? []) {
      const cycle = visit(next, [...path, node]);
      if (cycle) return cycle;
    }
    done.add(node);
    return undefined;
  };
  for (const node of graph.keys()) {
    const cycle = visit(node, []);
    if (cycle) return cycle;
  }
  return undefined;
}

/** The length of the longest path of imports that begins at each node. The graph must have no cycles. */
function heightsOf(graph: Graph, nodes: readonly string[]): Map<string, number> {
  const heights = new Map<string, number>();
  const heightOf = (node: string): number => {
    const known = heights.get(node);
    if (known !== undefined) return known;
    const height = 1 + Math.max(0, ...[...(graph.get(node) ?? [])].map(heightOf));
    heights.set(node, height);
    return height;
  };
  for (const node of nodes) heightOf(node);
  return heights;
}

const moduleGraph = graphOf(inside.map(({ file, to }) => [moduleOf(file), moduleOf(to)] as const));

// What every module may import says nothing of how they depend on each other.
const unshared = inside.filter(({ to }) => !shared.includes(to));
const layerGraph = graphOf(unshared.map(({ file, to }) => [moduleOf(file), moduleOf(to)] as const));
/** The imports of each file inside its feature. */
const fileGraph = graphOf(
  inside
    .filter(({ file, to }) => moduleOf(file) === moduleOf(to) && /^features\/[^.]+$/.test(moduleOf(file)))
    .map(({ file, to }) => [file, to] as const),
);

/** Here all of features/ counts as one module. */
const folderGraph = graphOf(
  unshared.map(({ file, to }) => [file.split('/')[1] ?? '', to.split('/')[1] ?? ''] as const),
);

describe('the architecture', () => {
  test('every file of src belongs to a module of the table', () => {
    const unknown = files.map(moduleOf).filter((module) => !isFeature(module) && !(module in table));
    expect([...new Set(unknown)]).toEqual([]);
  });

  test('the table allows every import, types included', () => {
    expect(inside.length).toBeGreaterThan(files.length);
    const broken = inside.filter(({ file, to }) => !isAllowed(file, to));
    expect(broken.map(({ file, to }) => `${file} → ${to}`)).toEqual([]);
  });

  test('files have no import cycles, types included', () => {
    expect(findCycle(graphOf(inside.map(({ file, to }) => [file, to] as const)))).toBeUndefined();
  });

  test('modules have no import cycles', () => {
    expect(findCycle(moduleGraph)).toBeUndefined();
  });

  test(`there are at most ${maxLayers} layers and ${maxDependencies} dependencies`, () => {
    const layers = Math.max(...heightsOf(layerGraph, files.map(moduleOf)).values());
    const dependencies = [...folderGraph.values()].reduce((sum, targets) => sum + targets.size, 0);
    // biome-ignore lint/suspicious/noConsole: the current figures, for people who change the architecture
    console.info(`${layers} layers, ${dependencies} dependencies`);
    expect(layers).toBeLessThanOrEqual(maxLayers);
    expect(dependencies).toBeLessThanOrEqual(maxDependencies);
  });

  test(`no feature has more than ${maxFloors} floors of imports inside`, () => {
    const floors = [...heightsOf(fileGraph, files)].filter(([, floor]) => floor > maxFloors);
    expect(floors).toEqual([]);
  });

  test('no look-behind repeats: it would read all that comes before, again at each place', () => {
    const repeated = /\(\?<[=!](?:\\.|\[(?:\\.|[^\]])*\]|\((?:\\.|[^()])*\)|[^()[\\])*?(?:[*+]|\{\d+,)/;
    const broken = files.filter((file) => repeated.test(readFileSync(file, 'utf8')));
    expect(broken).toEqual([]);
    for (const example of ['(?<=a.*)b', '(?<=(?:a|b)[^<]*)<', "'(?<=\\\\bonly\\\\b.*)'"])
      expect(example).toMatch(repeated);
    for (const example of ['(?<![\\s*+])x+', '(?<=(?:^|\\s)in\\s)<(#[A-Z]+)>'])
      expect(example).not.toMatch(repeated);
  });

  test('only the modules in the list import those packages', () => {
    const broken = imports.filter(
      ({ file, target }) => packages[target] && !packages[target].includes(moduleOf(file)),
    );
    expect(broken.map(({ file, target }) => `${file} → ${target}`)).toEqual([]);
  });

  test('what a feature shows is data: its answers, forms and part of Home have no blocks', () => {
    const builders = /^@slack\/types$|\/answers\/slack\/(?:rich-)?(?:blocks|form)\.ts$/;
    const broken = imports.filter(
      ({ file, target }) => /^src\/features\//.test(file) && builders.test(target),
    );
    expect(broken.map(({ file, target }) => `${file} → ${target}`)).toEqual([]);
  });

  test('date-fns is imported by function: the whole package takes a second and 300 MB', () => {
    expect(imports.filter(({ target }) => target === 'date-fns')).toEqual([]);
  });

  test('only types of @slack/types are imported', () => {
    const broken = imports.filter(({ target, typeOnly }) => target === '@slack/types' && !typeOnly);
    expect(broken).toEqual([]);
  });

  test('only the entry points read the environment', () => {
    const readers = files.filter((file) => /\bprocess\.env\b/.test(readFileSync(file, 'utf8')));
    expect(readers.filter((file) => !environmentReaders.includes(moduleOf(file)))).toEqual([]);
  });
});

describe('a command line', () => {
  const folders = readdirSync('src/features', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  /** `ownLines` is the constant of the bot's own command. */
  const isFree = (file: string) => registry.includes(file) || file === 'src/errors.ts';

  /** By the name of a command: the folder that declares it, and those without commands whose variants it has. */
  async function homesOf(): Promise<Map<string, readonly string[]>> {
    const homes = new Map<string, readonly string[]>();
    for (const { name } of folders) {
      const exported: Record<string, unknown> = await import(`../src/features/${name}/index.ts`).catch(
        () => ({}),
      );
      const own = features
        .filter((feature) => Object.values(exported).includes(feature))
        .flatMap(({ commands }) => commands);
      for (const command of own) homes.set(command.name, [name]);
    }
    const withCommands = new Set([...homes.values()].flat());
    const hasVariants = (folder: string) =>
      files.some(
        (file) => moduleOf(file) === `features/${folder}` && /\bvariant[<(]/.test(readFileSync(file, 'utf8')),
      );
    const declaring = files.filter((file) => /\bcommand\(\{/.test(readFileSync(file, 'utf8')));
    for (const [command, home] of homes) {
      const variants = inside
        .filter(({ file }) => declaring.includes(file) && home.includes(file.split('/')[2] ?? ''))
        .map(({ to }) => moduleOf(to))
        .filter((module) => isFeature(module))
        .map((module) => module.split('/')[1] ?? '')
        .filter((folder) => !withCommands.has(folder) && hasVariants(folder));
      homes.set(command, [...home, ...variants]);
    }
    return homes;
  }

  /** `sql` and a template: its words are no lines. */
  const isSql = (node: object): boolean =>
    'tag' in node &&
    typeof node.tag === 'object' &&
    node.tag !== null &&
    'name' in node.tag &&
    node.tag.name === 'sql';

  /** All strings of the code; a sample stands for each value that is put into a text. */
  function stringsOf(code: string): string[] {
    const strings: string[] = [];
    const visit = (node: unknown): void => {
      if (typeof node !== 'object' || node === null || isSql(node)) return;
      if ('type' in node && node.type === 'Literal' && 'value' in node && typeof node.value === 'string')
        strings.push(node.value);
      if ('quasis' in node && Array.isArray(node.quasis))
        for (const sample of ['9461477', 'Rotterdam'])
          strings.push(node.quasis.map(({ value }) => value.cooked).join(sample));
      Object.values(node).forEach(visit);
    };
    visit(parseAst(code, { lang: 'ts' }));
    return strings;
  }

  const names = commands.map(({ name }) => name).join('|');
  const named = new RegExp(`(?<![\\w./:-])(/?)(${names})(?![\\w/.-]*[\\w/])[^;\`\\n<”·]*`, 'g');
  const asName = new RegExp(
    `(?:\\b(?:joinWords|commandCause|startsWith)\\(|\\bname === |\\bcommand: )['\`](${names})(?=[ '\`])`,
    'g',
  );
  const vessels = createVesselDirectory(exampleVessels);

  function isLine(text: string, name: string): boolean {
    try {
      return parseLine(text, { vessels }).command.name === name;
    } catch {
      return false;
    }
  }

  /** The commands that a text names: with a slash, or in a line that their parser reads. */
  const namedIn = (text: string): string[] =>
    [...text.matchAll(named)].flatMap(([line, slash, name = '']) =>
      slash || (/\s\w/.test(line) && isLine(line, name)) ? [name] : [],
    );

  test('is written by the feature of its command: others offer it through an intent, or take an example of the registry', async () => {
    const homes = await homesOf();
    expect([...homes.keys()].sort()).toEqual(commands.map(({ name }) => name).sort());
    const foreign = files
      // Names of meanings aren't lines.
      .filter((file) => !isFree(file) && !file.endsWith('.data.ts'))
      .flatMap((file) => {
        const code = readFileSync(file, 'utf8').replace(/\/\*.*?\*\//gs, '');
        const found = [
          ...stringsOf(code).flatMap((text) => namedIn(text).map((name) => ({ name, text }))),
          ...[...code.matchAll(asName)].map(([text, name = '']) => ({ name, text })),
        ];
        return found
          .filter(({ name }) => !homes.get(name)?.includes(file.split('/')[2] ?? ''))
          .map(({ text }) => `${file}: ${text.slice(0, 100)}`);
      });
    expect(foreign).toEqual([]);
    expect(
      ['Type /lane', '9461477; nextport 9461477', 'watch a vessel', '/usage/x'].flatMap(namedIn),
    ).toEqual(['lane', 'nextport']);
  });
});

describe('the playground is a package of its own', () => {
  const code = filesOf('playground/{src,page,test,scripts}/**/*.{ts,tsx}').filter(
    (file) => !file.includes('/dist/'),
  );
  const itsImports = code.flatMap(importsOf);

  test('it imports only its own files, and what its package.json lists', () => {
    expect(code.length).toBeGreaterThan(200);
    expect(ownImports(itsImports).filter(({ to }) => !to.startsWith('playground/'))).toEqual([]);
    const { dependencies, devDependencies } = JSON.parse(readFileSync('playground/package.json', 'utf8'));
    const isListed = (file: string, target: string) => {
      const [, name = ''] = /^((?:@[^/]+\/)?[^/]+)/.exec(target) ?? [];
      return name in dependencies || (!file.startsWith('playground/src/') && name in devDependencies);
    };
    const foreign = itsImports.filter(
      ({ file, target }) => !/^(?:\.|node:)/.test(target) && !isListed(file, target),
    );
    expect(foreign).toEqual([]);
  });

  test('it has no import cycles, types included', () => {
    expect(
      findCycle(graphOf(ownImports(itsImports).map(({ file, to }) => [file, to] as const))),
    ).toBeUndefined();
  });

  test('it says nothing of Landfall', () => {
    const texts = filesOf('playground/**/*.{ts,tsx,css,html,json,md}').filter(
      (file) => !/\/dist\//.test(file),
    );
    expect(texts.filter((file) => /landfall/i.test(readFileSync(file, 'utf8')))).toEqual([]);
  });

  test('Landfall imports it by its name', () => {
    const all = filesOf('{src,test,scripts,bench}/**/*.ts').flatMap(importsOf);
    expect(ownImports(all).filter(({ to }) => to.startsWith('playground/'))).toEqual([]);
  });
});
