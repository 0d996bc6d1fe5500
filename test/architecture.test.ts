import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';
import { describe, expect, test } from 'vitest';

const ALL = ['*'];

/** Who may import whom; a folder's own files are always allowed. `types:` allows `import type` only. */
const allowed: Record<string, readonly string[]> = {
  'errors.ts': [],
  config: [],
  reference: [],
  analytics: ['reference', 'errors.ts'],
  grammar: ['reference', 'errors.ts'],
  views: ['reference', 'errors.ts', 'types:analytics', 'types:watches', 'types:digests'],
  forms: [
    'commands',
    'analytics',
    'grammar',
    'reference',
    'views',
    'watches',
    'digests',
    'workspaces',
    'errors.ts',
  ],
  commands: ['analytics', 'grammar', 'reference', 'views', 'watches', 'digests', 'workspaces', 'errors.ts'],
  database: ['errors.ts'],
  workspaces: ['database', 'errors.ts'],
  outbox: ['database', 'watches'],
  watches: ['analytics', 'reference', 'database', 'errors.ts', 'outbox', 'workspaces'],
  digests: ['analytics', 'reference', 'database', 'errors.ts', 'outbox', 'workspaces'],
  slack: [
    'analytics',
    'commands',
    'config',
    'database',
    'digests',
    'errors.ts',
    'forms',
    'grammar',
    'outbox',
    'reference',
    'views',
    'watches',
    'workspaces',
  ],
  sandbox: ['reference'],
  playground: [],
  'store.ts': ['analytics', 'config', 'database', 'grammar', 'reference', 'workspaces'],
  'watching.ts': [
    'analytics',
    'commands',
    'config',
    'database',
    'digests',
    'outbox',
    'slack',
    'store.ts',
    'watches',
    'workspaces',
    'digesting.ts',
    'pausing.ts',
  ],
  'pausing.ts': ['database', 'digests', 'outbox', 'watches', 'workspaces'],
  'digesting.ts': ['commands', 'database', 'digests', 'slack', 'workspaces'],
  'embedded.ts': ['config', 'grammar', 'playground', 'reference', 'sandbox', 'slack'],
  'close-parts.ts': ['slack'],
  'app.ts': ALL,
  'main.ts': ['config', 'app.ts'],
  'ask.ts': ALL,
  'backup.ts': ['config', 'database'],
  'restore.ts': ['config', 'database'],
  'doctor.ts': ALL,
};

/** Packages that only some folders may import. */
const onlyIn: Record<string, readonly string[]> = {
  '@slack/bolt': ['slack'],
  '@slack/web-api': ['slack'],
  ky: ['analytics'],
  react: ['playground'],
};

/** The readers of the environment. */
const environmentReaders = ['main.ts', 'ask.ts', 'doctor.ts', 'backup.ts', 'restore.ts'];

interface Import {
  file: string;
  target: string;
  typeOnly: boolean;
}

const files = globSync('src/**/*.{ts,tsx}').map((path) => path.split(sep).join('/'));

/** The first folder below src, or the file itself where it lies in src. */
const room = (path: string) => path.split('/')[1] ?? path;

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

describe('the import table of the design', () => {
  test('every file of src stands in a room of the table', () => {
    expect([...new Set(files.map(room))].filter((name) => !(name in allowed))).toEqual([]);
  });

  test('imports inside the project keep to the table', () => {
    const broken = imports
      .filter(({ target }) => target.startsWith('.'))
      .map((one) => ({
        ...one,
        to: room(
          normalize(join(dirname(one.file), one.target))
            .split(sep)
            .join('/'),
        ),
      }))
      .filter(({ file, to, typeOnly }) => {
        const rules = allowed[room(file)] ?? [];
        const ok = to === room(file) || rules.includes('*') || rules.includes(to);
        return !ok && !(typeOnly && rules.includes(`types:${to}`));
      })
      .map(({ file, target }) => `${file} → ${target}`);
    expect(broken).toEqual([]);
  });

  test('packages of one folder stay there', () => {
    const broken = imports
      .filter(({ file, target }) => onlyIn[target] && !onlyIn[target].includes(room(file)))
      .map(({ file, target }) => `${file} → ${target}`);
    expect(broken).toEqual([]);
  });

  test('date-fns is imported by its parts: the whole of it takes a second and 300 MB', () => {
    expect(imports.filter(({ target }) => target === 'date-fns')).toEqual([]);
  });

  test('views import only types of @slack/types', () => {
    const broken = imports.filter(({ target, typeOnly }) => target === '@slack/types' && !typeOnly);
    expect(broken).toEqual([]);
  });

  test('the environment is read at the top only', () => {
    const readers = files.filter((file) => /\bprocess\.env\b/.test(readFileSync(file, 'utf8')));
    expect(readers.filter((file) => !environmentReaders.includes(room(file)))).toEqual([]);
  });

  test('the table reads imports at all', () => {
    expect(imports.length).toBeGreaterThan(files.length / 2);
  });
});
