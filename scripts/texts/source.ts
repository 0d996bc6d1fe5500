// The texts in the source that people may read, found in its syntax tree: those of forms, buttons, notices and
// errors, even if no typed line of `npm run texts` shows them.
import { globSync, readFileSync } from 'node:fs';
import { parseAst } from 'vite';

export interface SourceText {
  /** `src/features/lane/answer.ts:42` */
  at: string;
  /** The declarations, calls and properties around the text, outermost first: `laneAnswer › actions › label`. */
  context: string;
  /** Inserted values appear as their code: `{carrier.name}`. */
  text: string;
}

/** Folders whose texts no user of the bot reads. */
const skippedFolders = [
  'src/sandbox/',
  'src/database/',
  'src/reference/ports.data.ts',
  'src/reference/meanings.data.ts',
];

/** All texts of `src/`, by file and line. */
export function textsInSource(root: URL): SourceText[] {
  const files = globSync('src/**/*.ts', { cwd: root }).toSorted();
  return files
    .filter((file) => !skippedFolders.some((folder) => file.startsWith(folder)))
    .flatMap((file) => textsOfFile(file, readFileSync(new URL(file, root), 'utf8')));
}

/** A node of the syntax tree. Its other properties are checked when they are used. */
type Node = { type: string; start: number; end: number } & Record<string, unknown>;

interface Step {
  node: Node;
  /** The key of the parent that holds it. */
  key: string;
}

export function textsOfFile(file: string, code: string): SourceText[] {
  const texts: SourceText[] = [];
  const walk = (node: Node, path: readonly Step[]): void => {
    const text = textOf(node, code);
    if (text === undefined) {
      for (const [key, value] of Object.entries(node)) {
        if (isSkipped(node, key)) continue;
        for (const child of [value].flat()) if (isNode(child)) walk(child, [...path, { node: child, key }]);
      }
      return;
    }
    if (!isRead(text, path)) return;
    const line = code.slice(0, node.start).split('\n').length;
    texts.push({ at: `${file}:${line}`, context: contextOf(path), text });
    // A text may contain others: `${found ? 'one' : 'none'} left`.
    for (const inner of [node.expressions].flat()) if (isNode(inner)) walk(inner, path);
  };
  const program: unknown = parseAst(code, { lang: 'ts' });
  if (isNode(program)) walk(program, []);
  return texts;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

function textOf(node: Node, code: string): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node.type !== 'TemplateLiteral') return undefined;
  const holes = [node.expressions].flat().filter(isNode);
  return [node.quasis]
    .flat()
    .filter(isNode)
    .map((part, index) => {
      const hole = holes[index];
      return `${cooked(part)}${hole ? `{${code.slice(hole.start, hole.end).replaceAll(/\s+/g, ' ')}}` : ''}`;
    })
    .join('');
}

function cooked({ value }: Node): string {
  return typeof value === 'object' && value !== null && 'cooked' in value ? String(value.cooked) : '';
}

/** Skips types, imports, keys, and texts that only the log or another program reads. */
function isSkipped(node: Node, key: string): boolean {
  if (
    /^(?:TS|Import|Export(?:All|Named))/.test(node.type) &&
    !/^TS(?:As|NonNull|Satisfies)/.test(node.type)
  ) {
    return key !== 'declaration';
  }
  if (key === 'typeAnnotation' || key === 'returnType' || key === 'typeArguments') return true;
  if (node.type === 'Property' && key === 'key') return true;
  const callee = isNode(node.callee) ? nameOf(node.callee) : '';
  return (
    key === 'arguments' &&
    /^(?:Error|RangeError|TypeError|info|warn|error|debug|fatal|where|select|references)$/.test(callee)
  );
}

/** True for several words. A single word counts only as the value of a property that is shown. */
function isRead(text: string, path: readonly Step[]): boolean {
  const plain = text.replaceAll(/\{[^}]*\}/g, '');
  if (/\p{L}[\p{L}’']*[,:;.?!]?\s+[\p{L}\d`*(«]/u.test(plain)) return true;
  const parent = path.at(-2)?.node;
  const key = parent?.type === 'Property' && isNode(parent.key) ? nameOf(parent.key) : '';
  return (
    /\p{L}{2}/u.test(plain) &&
    /^(?:text|label|title|hint|placeholder|message|submit|summary|usage|description)$/.test(key)
  );
}

function contextOf(path: readonly Step[]): string {
  const names = path.map(({ node }) => {
    const named = node.id ?? node.callee ?? node.key;
    return isNode(named) ? nameOf(named) : '';
  });
  const all = names.filter((name) => name !== '');
  return all.length === 0 ? 'the file' : all.slice(-4).join(' › ');
}

function nameOf(node: Node): string {
  if (typeof node.name === 'string') return node.name;
  if (isNode(node.property)) return nameOf(node.property);
  return typeof node.value === 'string' ? node.value : '';
}
