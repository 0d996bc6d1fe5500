import { type Condition, namedRelations, type Relations } from './facts.ts';
import { isSymbol, isWord, type Node, parseTokens, split } from './tokens.ts';

interface Scope {
  /** The tables that have a workspace. */
  tables: ReadonlySet<string>;
  /** The names of the subqueries of `with`. */
  subqueries: ReadonlySet<string>;
  /** The relations of the statement around this one whose workspace it does not name. */
  unnamed: ReadonlySet<string>;
}

/**
 * What is wrong with a statement: each of its `tables` must have a condition on its workspace, or be joined by the
 * workspace with one that has. A comment with one of the names in `across` exempts the statement. Null if all is well.
 */
export function checkStatement(
  statement: string,
  { tables, across }: { tables: ReadonlySet<string>; across: readonly string[] },
): string | null {
  if (
    /^\s*(?:explain|pragma|create|alter|drop|analyze|begin|commit|rollback|set|savepoint|release)\b/i.test(
      statement,
    )
  )
    return null;
  const { nodes, comments } = parseTokens(statement);
  for (const comment of comments) {
    const name = /^across workspaces: (.+)$/.exec(comment)?.[1];
    if (name !== undefined)
      return across.includes(name) ? null : `nothing called ${name} may read all workspaces`;
  }
  return check(nodes, { tables, subqueries: new Set(), unnamed: new Set() });
}

function check(nodes: readonly Node[], scope: Scope): string | null {
  if (!isWord(nodes[0], 'with')) return checkMain(nodes, scope);
  const subqueries = new Set(scope.subqueries);
  const inner = { ...scope, subqueries };
  let at = isWord(nodes[1], 'recursive') ? 2 : 1;
  const bodies: (readonly Node[])[] = [];
  do {
    const name = nodes[at];
    if (name && 'text' in name) subqueries.add(name.text);
    while (!isWord(nodes[at], 'as')) at += 1;
    while (nodes[at]?.kind !== 'group') at += 1;
    const body = nodes[at];
    if (body?.kind === 'group') bodies.push(body.nodes);
    at += 2;
  } while (isSymbol(nodes[at - 1], ','));
  return firstOf([...bodies, nodes.slice(at - 1)], (part) => check(part, inner));
}

const setOperators = ['union', 'intersect', 'except'];

function checkMain(nodes: readonly Node[], scope: Scope): string | null {
  if (isWord(nodes[0], 'insert')) return checkInsert(nodes, scope);
  const parts = split(nodes, (node) => isWord(node, ...setOperators));
  return firstOf(parts, (part) => checkCore(isWord(part[0], 'all') ? part.slice(1) : part, scope));
}

/** A select, update or delete without set operators. */
function checkCore(nodes: readonly Node[], scope: Scope): string | null {
  const clauses = clausesOf(nodes);
  const relations = new Map<string, string | null>();
  const conditions: Condition[] = [{ nodes: clauses.get('where') ?? [] }];
  if (isWord(nodes[0], 'update')) addRelation(clauses.get('update') ?? [], scope, relations);
  addJoins(clauses.get('from') ?? [], { scope, relations, conditions });
  const named = namedRelations(relations, { conditions, unnamed: scope.unnamed });
  const unnamed = new Set([...relations.keys()].filter((name) => !named.has(name)));
  return missing(relations, unnamed) ?? checkInside(nodes, { ...scope, unnamed });
}

const clauseWords = [
  'select',
  'update',
  'delete',
  'set',
  'from',
  'where',
  'group',
  'having',
  'window',
  'order',
];
const lastWords = ['limit', 'offset', 'for', 'returning', 'fetch'];

/** By the word with which they begin. */
function clausesOf(nodes: readonly Node[]): Map<string, Node[]> {
  const clauses = new Map<string, Node[]>();
  let clause: Node[] = [];
  for (const [index, node] of nodes.entries()) {
    const isBorder = isWord(node, ...clauseWords, ...lastWords) && !isSymbol(nodes[index - 1], '.');
    if (isBorder && 'text' in node && !isWord(nodes[index - 1], 'distinct')) {
      clause = [];
      clauses.set(node.text, clause);
    } else clause.push(node);
  }
  return clauses;
}

const joinWords = ['join', 'inner', 'left', 'right', 'full', 'outer', 'cross', 'lateral', 'natural'];

interface From {
  scope: Scope;
  relations: Map<string, string | null>;
  conditions: Condition[];
}

function addJoins(nodes: readonly Node[], { scope, relations, conditions }: From): void {
  let part: Node[] = [];
  let isOuter = false;
  const add = () => {
    const [relation = [], condition] = split(part, (node) => isWord(node, 'on'));
    const name = addRelation(relation, scope, relations);
    if (condition)
      conditions.push({ nodes: condition, ...(isOuter && name !== undefined && { only: name }) });
  };
  for (const node of nodes) {
    if (!isWord(node, ...joinWords) && !isSymbol(node, ',')) {
      part.push(node);
      continue;
    }
    if (part.length > 0) {
      add();
      isOuter = false;
    }
    part = [];
    isOuter ||= isWord(node, 'left', 'right', 'full');
  }
  add();
}

/** Returns the name under which the statement knows it. */
function addRelation(
  nodes: readonly Node[],
  { tables, subqueries }: Scope,
  relations: Map<string, string | null>,
): string | undefined {
  const words = nodes.filter((node) => !isWord(node, 'as', 'only'));
  const [first] = words;
  const last = words.findLast((node) => 'text' in node);
  if (!first || !last || !('text' in last)) return undefined;
  const table = 'text' in first ? first.text : undefined;
  const isReal =
    table !== undefined && !subqueries.has(table) && (tables.has(table) || table === 'workspaces');
  relations.set(last.text, isReal ? table : null);
  return last.text;
}

function missing(relations: Relations, unnamed: ReadonlySet<string>): string | null {
  const [name] = [...unnamed].filter((unnamedHere) => relations.get(unnamedHere) !== 'workspaces');
  return name === undefined ? null : `${name} has no workspace`;
}

function checkInsert(nodes: readonly Node[], scope: Scope): string | null {
  const into = nodes.findIndex((node) => isWord(node, 'into'));
  const target = nodes[into + 1];
  const table = target && 'text' in target ? target.text : '';
  const conflict = nodes.findIndex((node) => isWord(node, 'conflict'));
  if (scope.tables.has(table)) {
    const columns = nodes.slice(into + 2).find((node) => node.kind === 'group');
    if (!hasWorkspace(columns)) return `${table} gets no workspace`;
    const onConflict = conflict < 0 ? [] : nodes.slice(conflict + 1);
    const isUpdate = onConflict.some((node) => isWord(node, 'update'));
    if (isUpdate && !hasWorkspace(onConflict[0])) {
      const conditions = [{ nodes: clausesOf(onConflict).get('where') ?? [] }];
      const relations = new Map([
        [table, table],
        ['excluded', null],
      ]);
      if (!namedRelations(relations, { conditions, unnamed: scope.unnamed }).has(table))
        return `${table} may change a row of another workspace`;
    }
  }
  const select = nodes.findIndex((node) => isWord(node, 'select', 'with'));
  const rows = nodes.slice(0, conflict < 0 ? nodes.length : conflict - 1);
  return (select < 0 ? null : check(rows.slice(select), scope)) ?? checkInside(nodes, scope);
}

const hasWorkspace = (node: Node | undefined): boolean =>
  node?.kind === 'group' && node.nodes.some((column) => 'text' in column && column.text === 'workspace_id');

/** The statements in parentheses. */
function checkInside(nodes: readonly Node[], scope: Scope): string | null {
  return firstOf(nodes, (node) => {
    if (node.kind !== 'group') return null;
    const isStatement = isWord(node.nodes[0], 'select', 'with');
    return isStatement ? check(node.nodes, scope) : checkInside(node.nodes, scope);
  });
}

function firstOf<T>(parts: readonly T[], checkPart: (part: T) => string | null): string | null {
  for (const part of parts) {
    const problem = checkPart(part);
    if (problem !== null) return problem;
  }
  return null;
}
