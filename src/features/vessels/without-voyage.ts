/** `MSC DIANA / 448W`, `MSC DIANA V.448W`: no vessel's name has these. */
const marked = /(?:\s*\/\s*[a-z]{0,3}\d[\w-]*|\s+v(?:oy(?:age)?)?\.\s*[a-z]{0,3}\d[\w-]*)$/i;
/** `MSC DIANA 448W`, only in a column of vessels and voyages. */
const unmarked = /[\s(/-]+[a-z]{0,3}\d[\w-]*\)?$/i;

/** A cell's name of a vessel without the voyage after it. */
export function withoutVoyage(name: string, { hasVoyages }: { hasVoyages: boolean }): string {
  const cut = name.replace(marked, '');
  const rest = hasVoyages && cut === name ? name.replace(unmarked, '') : cut;
  return rest.trim() || name;
}
