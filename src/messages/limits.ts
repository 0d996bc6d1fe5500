/**
 * What Slack allows in one message (docs.slack.dev/reference/block-kit), and the two bounds that it does
 * not write down: about 12,000 characters of block text in all, of which 10,000 are used.
 */
export const limits = {
  blocks: 50,
  sectionText: 3000,
  contextText: 2000,
  contextElements: 10,
  headerText: 150,
  actionsElements: 25,
  buttonText: 75,
  buttonValue: 2000,
  overflowOptions: 5,
  optionText: 75,
  optionValue: 150,
  confirmTitle: 100,
  confirmText: 300,
  confirmButton: 30,
  tableRows: 100,
  tableColumns: 20,
  /** Of a modal or a Home tab. */
  viewBlocks: 100,
  viewBytes: 250_000,
  privateMetadata: 3000,
  modalTitle: 24,
  inputLabel: 2000,
  inputText: 3000,
  placeholder: 150,
  messageText: 4000,
  blockTextInAll: 10_000,
  /** Ours: a canonical command line, so that a button's value holds it. */
  commandLine: 1500,
} as const;

/** Shortens one name or path that somebody else made up; the mark at the end shows that there was more. */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text;
  // A cut in the middle of a surrogate pair would leave half a letter.
  return `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

export interface Page<Item> {
  items: readonly Item[];
  /** From 1; a page beyond the end gives the last one. */
  page: number;
  pages: number;
  total: number;
  /** How many come after this page. */
  after: number;
  /** The number that was asked for, where there are fewer pages. */
  beyond?: number;
}

/** One page of a list: what does not fit stays reachable by `page N`. */
export function paged<Item>(items: readonly Item[], page: number, size: number): Page<Item> {
  const pages = Math.max(1, Math.ceil(items.length / size));
  const current = Math.min(Math.max(1, page), pages);
  const shown = items.slice((current - 1) * size, current * size);
  return {
    items: shown,
    page: current,
    pages,
    total: items.length,
    after: items.length - (current - 1) * size - shown.length,
    ...(page > pages && { beyond: page }),
  };
}

/** Packs lines into as few texts as possible, none longer than `max`. A line alone must fit. */
export function packLines(lines: readonly string[], max: number): string[] {
  const texts: string[] = [];
  for (const line of lines) {
    const last = texts.at(-1);
    if (last !== undefined && last.length + 1 + line.length <= max)
      texts[texts.length - 1] = `${last}\n${line}`;
    else texts.push(clip(line, max));
  }
  return texts;
}

/** As Slack counts them in a message's blocks, with a line break after each. */
export const charactersIn = (lines: readonly string[]): number =>
  lines.reduce((sum, line) => sum + line.length + 1, 0);

/** The first lines, as many as fit into `max`. */
export const linesWithin = (lines: readonly string[], max: number): string[] =>
  lines.filter((_, index) => charactersIn(lines.slice(0, index + 1)) <= max);

/** Joins parts while they fit into `max`, and says how many did not. */
export function joinWithin(parts: readonly string[], separator: string, max: number): string {
  let joined = '';
  for (const [index, part] of parts.entries()) {
    const next = index === 0 ? part : `${joined}${separator}${part}`;
    const rest = ` (and ${parts.length - index} more)`;
    if (next.length > max - rest.length) return `${joined}${rest}`.trimStart();
    joined = next;
  }
  return joined;
}
