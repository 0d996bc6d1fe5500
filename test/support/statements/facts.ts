import { isSymbol, isWord, type Node, split } from './tokens.ts';

/** The tables that a statement reads or writes, by the name that it gives them; null for a list or a subquery. */
export type Relations = ReadonlyMap<string, string | null>;

/** What a condition says of workspaces: the relation `one` is of the workspace of `other`, or of one that is given. */
type Fact = string;

const given = '=';

/** A condition, and the only relation that it restricts: that of an outer join. */
export interface Condition {
  nodes: readonly Node[];
  only?: string;
}

/** The relations whose workspace the conditions name, directly or by another of them. */
export function namedRelations(
  relations: Relations,
  { conditions, unnamed }: { conditions: readonly Condition[]; unnamed: ReadonlySet<string> },
): ReadonlySet<string> {
  const context = { relations, unnamed };
  const facts = conditions.map(({ nodes, only }) => ({ only, found: [...factsOf(nodes, context)] }));
  const named = new Set([...relations].flatMap(([name, table]) => (table === null ? [name] : [])));
  named.add(given);
  for (let before = -1; before !== named.size; ) {
    before = named.size;
    for (const { only, found } of facts) {
      for (const fact of found) {
        const [one = '', other = ''] = fact.split(' ');
        for (const [from, to] of [
          [one, other],
          [other, one],
        ] as const)
          if (named.has(from) && (only === undefined || only === to)) named.add(to);
      }
    }
  }
  return named;
}

interface Context {
  relations: Relations;
  /** Of the statement around this one. */
  unnamed: ReadonlySet<string>;
}

/** Both sides of an `and` hold; of an `or`, only what both sides say. */
function factsOf(nodes: readonly Node[], context: Context): Set<Fact> {
  const [first] = nodes;
  if (nodes.length === 1 && first?.kind === 'group') return factsOf(first.nodes, context);
  const alternatives = split(nodes, (node) => isWord(node, 'or'));
  if (alternatives.length > 1) {
    const [one = new Set<Fact>(), ...others] = alternatives.map((part) => factsOf(part, context));
    return new Set([...one].filter((fact) => others.every((other) => other.has(fact))));
  }
  const all = split(nodes, (node) => isWord(node, 'and'));
  if (all.length > 1) return new Set(all.flatMap((part) => [...factsOf(part, context)]));
  const [left = [], right, ...more] = split(nodes, (node) => isSymbol(node, '='));
  if (!right || more.length > 0) return new Set();
  const sides = [workspaceIn(left, context), workspaceIn(right, context)];
  return sides.includes(undefined) ? new Set() : new Set([sides.join(' ')]);
}

/** The relation whose workspace this expression is; `given` for a value; undefined for anything else. */
function workspaceIn(nodes: readonly Node[], context: Context): string | undefined {
  const [first, second, third, more] = nodes;
  if (!first || more) return undefined;
  if (first.kind === 'value' && !second) return given;
  if (isWord(first, 'cast') && second?.kind === 'group')
    return workspaceIn(second.nodes.slice(0, 1), context);
  if (first.kind === 'group') return undefined;
  if (isSymbol(second, '.') && third && third.kind !== 'group')
    return ofQualified(first.text, third.text, context);
  if (second) return undefined;
  // The columns of `valuesList`.
  if (/^column\d+$/.test(first.text)) return given;
  if (first.text !== 'workspace_id') return undefined;
  const tables = [...context.relations].filter(([, table]) => table !== null && table !== 'workspaces');
  if (tables.length > 1) return undefined;
  return tables[0]?.[0] ?? given;
}

function ofQualified(relation: string, column: string, { relations, unnamed }: Context): string | undefined {
  const table = relations.get(relation);
  // Of a list, of a subquery, or of the statement around this one.
  if (table === null || table === undefined) return unnamed.has(relation) ? undefined : given;
  return column === (table === 'workspaces' ? 'id' : 'workspace_id') ? relation : undefined;
}
