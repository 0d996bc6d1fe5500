/** A token of SQL, or what stands in parentheses or between `case` and `end`. Words and names are in lower case. */
export type Node =
  | { kind: 'word' | 'name' | 'value' | 'symbol'; text: string }
  | { kind: 'group'; nodes: readonly Node[] };

interface Parsed {
  nodes: readonly Node[];
  /** The texts of comments. */
  comments: readonly string[];
}

const token =
  /(?<space>\s+|--[^\n]*)|\/\*(?<comment>[\s\S]*?)\*\/|"(?<name>(?:[^"]|"")*)"|(?<value>'(?:[^']|'')*'|\?|\$\d+|\d[\w.]*)|(?<word>[a-z_]\w*)|(?<symbol>::|<>|[<>!]=|\|\||[^\s\w'"])/giy;

/** Reads the SQL of both engines, as Kysely writes it and as we do. Throws SyntaxError for anything else. */
export function parseTokens(statement: string): Parsed {
  const comments: string[] = [];
  const open: { nodes: Node[]; end: string }[] = [];
  let nodes: Node[] = [];
  const close = () => {
    const parent = open.pop();
    if (!parent) throw new SyntaxError(`it closes too much: ${statement}`);
    parent.nodes.push({ kind: 'group', nodes });
    nodes = parent.nodes;
  };
  let at = 0;
  for (const { 0: text, index, groups = {} } of statement.matchAll(token)) {
    if (index !== at) break;
    at += text.length;
    const { comment, name, value, symbol } = groups;
    const word = groups.word?.toLowerCase();
    const end = open.at(-1)?.end;
    if (comment !== undefined) comments.push(comment.trim());
    else if (name !== undefined) nodes.push({ kind: 'name', text: name.toLowerCase() });
    else if (value !== undefined) nodes.push({ kind: 'value', text: value });
    else if (symbol === '(' || word === 'case') {
      open.push({ nodes, end: symbol === '(' ? ')' : 'end' });
      nodes = [];
    } else if (end !== undefined && (symbol === end || word === end)) close();
    else if (symbol === ')') throw new SyntaxError(`nothing is open: ${statement}`);
    else if (word !== undefined) nodes.push({ kind: 'word', text: word });
    else if (symbol !== undefined) nodes.push({ kind: 'symbol', text: symbol });
  }
  if (at < statement.length || open.length > 0) throw new SyntaxError(`it can't be read: ${statement}`);
  return { nodes, comments };
}

export const isWord = (node: Node | undefined, ...texts: readonly string[]): boolean =>
  node?.kind === 'word' && texts.includes(node.text);

export const isSymbol = (node: Node | undefined, text: string): boolean =>
  node?.kind === 'symbol' && node.text === text;

/** The parts between the nodes that match. */
export function split(nodes: readonly Node[], isBorder: (node: Node, index: number) => boolean): Node[][] {
  const parts: Node[][] = [[]];
  for (const [index, node] of nodes.entries()) {
    if (isBorder(node, index)) parts.push([]);
    else parts.at(-1)?.push(node);
  }
  return parts;
}
