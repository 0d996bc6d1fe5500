/** Lines shown of one difference, and differences shown of one file. */
const maxLines = 12;
const maxEntries = 20;

/** In words: which files differ, after which headings, and in which lines. */
export function differences(
  expected: ReadonlyMap<string, string>,
  actual: ReadonlyMap<string, string>,
): string[] {
  const names = new Set([...expected.keys(), ...actual.keys()]);
  const found = [...names].toSorted().flatMap((name) => {
    const [before, after] = [expected.get(name) ?? '', actual.get(name) ?? ''];
    return before === after ? [] : [`\n${name}`, ...entriesThatDiffer(before, after)];
  });
  const advice = '\nnpm run corpus -- --update writes the files; git diff shows all of it.';
  return found.length === 0 ? [] : [...found, advice];
}

function entriesThatDiffer(before: string, after: string): string[] {
  const [old, current] = [entriesOf(before), entriesOf(after)];
  const differing = [...new Set([...old.keys(), ...current.keys()])].filter(
    (heading) => old.get(heading) !== current.get(heading),
  );
  const shown = differing
    .slice(0, maxEntries)
    .flatMap((heading) => [`  ${heading}`, ...linesThatDiffer(old.get(heading), current.get(heading))]);
  const more = differing.length - maxEntries;
  return more > 0 ? [...shown, `  … and ${more} more`] : shown;
}

/** By scene and heading; a heading that occurs again has a number. */
function entriesOf(text: string): Map<string, string> {
  const entries = new Map<string, string>();
  let scene = '';
  for (const entry of text.split(/^(?=══ |▸ )/m)) {
    const [first = ''] = entry.split('\n', 1);
    if (first.startsWith('══')) scene = `${first} `;
    let heading = `${scene}${first}`;
    for (let count = 2; entries.has(heading); count += 1) heading = `${scene}${first} (${count})`;
    entries.set(heading, entry);
  }
  return entries;
}

function linesThatDiffer(before: string | undefined, after: string | undefined): string[] {
  const [old, current] = [before?.split('\n') ?? [], after?.split('\n') ?? []];
  const lines = [
    ...old.filter((line) => !current.includes(line)).map((line) => `    - ${line}`),
    ...current.filter((line) => !old.includes(line)).map((line) => `    + ${line}`),
  ];
  if (lines.length === 0) return ['    (the same lines in another order, or more often)'];
  const more = lines.length - maxLines;
  return more > 0 ? [...lines.slice(0, maxLines), `    … and ${more} more`] : lines;
}
