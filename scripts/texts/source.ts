// What of the source people may read, found in its syntax tree: forms, buttons, notices, refusals, and the rest that
// no line of `npm run texts` happens to show.
import { globSync, readFileSync } from 'node:fs';
import { parseAst } from 'vite';

export interface SourceText {
  /** `src/features/lane/view.ts:42` */
  at: string;
  /** What it is given to, the outermost first: `laneView › button › label`. */
  context: string;
  /** What is put in is shown as `{carrier.name}`. */
  text: string;
}

/** Not read by users: the local Slack and the invented service, types, tables, and the log. */
const outside = ['src/playground/', 'src/sandbox/', 'src/database/', 'src/reference/ports.data.ts'];

/** All texts of `src/`, by file and line. */
export function textsInSource(root: URL): SourceText[] {
  const files = globSync('src/**/*.ts', { cwd: root }).toSorted();
  return files
    .filter((file) => !outside.some((folder) => file.startsWith(folder)))
    .flatMap((file) => textsOfFile(file, readFileSync(new URL(file, root), 'utf8')));
}

/** A node of the tree, of which only what is looked at is known. */
type Node = { type: string; start: number; end: number } & Record<string, unknown>;

interface Step {
  node: Node;
  /** Under which key of its parent it stands. */
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
    // Texts stand inside of others: `${found ? 'one' : 'none'} left`.
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

/** Neither types nor imports, no keys, and nothing that only the log or another program reads. */
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

/** A text of words; one word only where its place says that it is shown. */
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
