// The changes that `npm run mutants` makes, found in the syntax tree of the sources as they are.
import { globSync, readFileSync, statSync } from 'node:fs';
import { type ESTree, parseSync, Visitor } from 'vite';
import { createRandom } from '../../test/support/crash-random.ts';

export interface Change {
  /** `src/grammar/line.ts` */
  file: string;
  line: number;
  start: number;
  end: number;
  before: string;
  after: string;
}

/** An expression, and what may stand in its place. */
interface Site extends Omit<Change, 'after'> {
  alternatives: readonly string[];
}

const otherOperators: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
};

/** A number of changes, each at another place: the same for the same seed and sources, in order of file and line. */
export function chooseChanges(options: { core: readonly string[]; count: number; seed: number }): {
  changes: Change[];
  places: number;
} {
  const random = createRandom(options.seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const sites = filesOf(options.core).flatMap((file) => sitesOf(file, readFileSync(file, 'utf8')));
  const places = sites.length;
  const changes: Change[] = [];
  while (changes.length < options.count && sites.length > 0) {
    for (const { alternatives, ...site } of sites.splice(below(sites.length), 1))
      changes.push({ ...site, after: alternatives[below(alternatives.length)] ?? '' });
  }
  changes.sort((a, b) => (a.file === b.file ? a.start - b.start : a.file < b.file ? -1 : 1));
  return { changes, places };
}

/** The code of a file with each of its changes as a switch. Without a hook, as in other processes, all are off. */
export function withSwitches(code: string, changes: readonly (Change & { id: number })[]): string {
  // The longer of two expressions that start together is the outer one.
  const outerFirst = changes.toSorted((a, b) => a.start - b.start || b.end - a.end || a.id - b.id);
  const insertions = [
    // Those that end together are closed from the inside out.
    ...outerFirst.toReversed().map(({ end }) => ({ at: end, text: '))' })),
    ...outerFirst.map(({ id, start, after }) => ({
      at: start,
      text: `(globalThis.isMutant?.(${id}) ? (${after}) : (`,
    })),
  ].toSorted((a, b) => a.at - b.at);
  let done = 0;
  const parts = insertions.map(({ at, text }) => {
    const part = code.slice(done, at) + text;
    done = at;
    return part;
  });
  return parts.join('') + code.slice(done);
}

/** Migrations that were released never change. */
function filesOf(core: readonly string[]): string[] {
  const files = core.flatMap((path) =>
    statSync(path).isDirectory() ? globSync(`${path}/**/*.ts`, { exclude: ['**/migrations/**'] }) : [path],
  );
  return files.toSorted();
}

/**
 * Conditions are negated, `&&` and `||` swapped, bounds moved by one, numbers changed by one, and results replaced. Texts
 * stay as they are.
 */
function sitesOf(file: string, code: string): Site[] {
  const sites: Site[] = [];
  /** Numbers in types and in the names of properties, and comparisons that are negated as a condition. */
  const skipped = new Set<object>();
  const textOf = ({ start, end }: ESTree.Span) => code.slice(start, end);
  const add = ({ start, end }: ESTree.Span, ...alternatives: string[]) => {
    const line = code.slice(0, start).split('\n').length;
    sites.push({ file, line, start, end, before: code.slice(start, end), alternatives });
  };
  const addCondition = (test: ESTree.Expression) => {
    skipped.add(test);
    add(test, `!(${textOf(test)})`);
  };
  const addOperator = (node: ESTree.BinaryExpression | ESTree.LogicalExpression) => {
    const other = otherOperators[node.operator];
    if (other === undefined || (skipped.has(node) && /^[=!]/.test(other))) return;
    // With the parentheses around the operands, which belong to neither.
    const between = code.slice(node.left.end, node.right.start).replace(node.operator, other);
    add(node, code.slice(node.start, node.left.end) + between + code.slice(node.right.start, node.end));
  };
  const addResult = (result: ESTree.Expression) => {
    const other = otherResult(result, textOf);
    if (other !== undefined) add(result, other);
  };
  const skipKey = ({ key, computed }: { key: object; computed: boolean }) => {
    if (!computed) skipped.add(key);
  };
  new Visitor({
    IfStatement: ({ test }) => addCondition(test),
    ConditionalExpression: ({ test }) => addCondition(test),
    WhileStatement: ({ test }) => addCondition(test),
    BinaryExpression: addOperator,
    LogicalExpression: addOperator,
    ReturnStatement: ({ argument }) => argument && addResult(argument),
    ArrowFunctionExpression: ({ body }) => body.type !== 'BlockStatement' && addResult(body),
    Property: skipKey,
    PropertyDefinition: skipKey,
    TSLiteralType: ({ literal }) => {
      skipped.add(literal.type === 'UnaryExpression' ? literal.argument : literal);
    },
    Literal(node) {
      if (typeof node.value !== 'number' || skipped.has(node)) return;
      add(node, String(node.value + 1), String(node.value - 1));
    },
  }).visit(parseSync(file, code, { lang: 'ts', preserveParens: false }).program);
  return sites;
}

function otherResult(result: ESTree.Expression, textOf: (span: ESTree.Span) => string): string | undefined {
  switch (result.type) {
    case 'TemplateLiteral':
      return undefined;
    case 'Literal':
      return typeof result.value === 'boolean' ? String(!result.value) : undefined;
    case 'Identifier':
      return result.name === 'undefined' ? undefined : 'undefined';
    case 'ArrayExpression':
      return result.elements.length > 0 ? '[]' : '[undefined]';
    case 'UnaryExpression':
    case 'BinaryExpression':
    case 'LogicalExpression':
      return /^(?:!|[=!]==|[<>]=?|&&|\|\|)$/.test(result.operator) ? `!(${textOf(result)})` : 'undefined';
    case 'CallExpression': {
      const [name = ''] = /\w*$/.exec(textOf(result.callee)) ?? [];
      if (/^(?:map|filter|flatMap|toSorted)$/.test(name)) return '[]';
      return /^(?:some|every|includes|test|(?:is|has|may|can)[A-Z].*)$/.test(name)
        ? `!(${textOf(result)})`
        : 'undefined';
    }
    default:
      return 'undefined';
  }
}
