// `npm run release -- 0.2.0` joins the files of changes/ into a section of CHANGELOG.md, deletes them, and sets the version.
// With `--dry-run` it only prints the section. `--notes 0.2.0` prints the notes of a version (.github/workflows/release.yml).
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const kinds = ['added', 'changed', 'fixed', 'security'] as const;

type Kind = (typeof kinds)[number];

export interface Change {
  kind: Kind;
  text: string;
}

if (import.meta.main) run();

function run(): void {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { notes: { type: 'string' }, 'dry-run': { type: 'boolean', default: false } },
  });
  const [version] = positionals;
  try {
    if (values.notes !== undefined) process.stdout.write(notesOf(readChangelog(), values.notes));
    else if (version === undefined) throw new Error('Name the version: npm run release -- 0.2.0');
    else release(version, { isDryRun: values['dry-run'] });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

function release(version: string, { isDryRun }: { isDryRun: boolean }): void {
  const names = readdirSync(`${root}changes`).filter((name) => name !== 'README.md');
  const changes = names
    .toSorted()
    .map((name) => ({ kind: kindOf(name), text: readFileSync(`${root}changes/${name}`, 'utf8') }));
  const section = sectionOf(changes, { version, date: new Date().toISOString().slice(0, 10) });
  const changelog = withSection(readChangelog(), section);
  if (isDryRun) {
    process.stdout.write(section);
    return;
  }
  // First, since it refuses what isn't a version.
  execFileSync('npm', ['version', version, '--no-git-tag-version'], { cwd: root, stdio: 'inherit' });
  writeFileSync(`${root}CHANGELOG.md`, changelog);
  for (const name of names) rmSync(`${root}changes/${name}`);
}

function readChangelog(): string {
  return readFileSync(`${root}CHANGELOG.md`, 'utf8');
}

/** The kind in a file's name. Throws if there is none. */
export function kindOf(name: string): Kind {
  const kind = kinds.find((one) => name.endsWith(`.${one}.md`));
  if (!kind) throw new Error(`changes/${name} should end in .${kinds.join('.md, .')}.md`);
  return kind;
}

/** The section of a version, with the changes by kind. */
export function sectionOf(
  changes: readonly Change[],
  { version, date }: { version: string; date: string },
): string {
  const lists = kinds.flatMap((kind) => {
    const lines = changes.filter((change) => change.kind === kind).map(({ text }) => `- ${text.trim()}`);
    const heading = `### ${kind[0]?.toUpperCase()}${kind.slice(1)}`;
    return lines.length > 0 ? [`${heading}\n\n${lines.join('\n')}\n`] : [];
  });
  const body = lists.length > 0 ? lists.join('\n') : 'No changes that users notice.\n';
  return `## ${version} (${date})\n\n${body}\n`;
}

/** Throws if the changelog has the version already. */
export function withSection(changelog: string, section: string): string {
  const [heading = ''] = section.split(' (');
  if (changelog.split('\n').some((line) => line === heading || line.startsWith(`${heading} `)))
    throw new Error(`CHANGELOG.md has ${heading.slice(3)} already`);
  const at = changelog.indexOf('\n## ') + 1;
  return `${changelog.slice(0, at)}${section}${changelog.slice(at)}`;
}

/** What the changelog says about a version, without its heading. Throws if it has no such section. */
export function notesOf(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => /^\S+/.exec(text)?.[0] === version);
  if (section === undefined) throw new Error(`CHANGELOG.md has no section for ${version}`);
  return `${section.slice(section.indexOf('\n')).trim()}\n`;
}
