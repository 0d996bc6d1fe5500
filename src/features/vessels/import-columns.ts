import { fold } from '../../reference/fold.ts';

/** What the columns of a table hold, by their position; -1 for none. */
export interface Columns {
  imo: number;
  name: number;
  fleets: number;
  /** Bookings, customers and the like; none, one or several columns. */
  references: readonly number[];
  /** Those of the references that hold the names of customers. */
  customers: readonly number[];
  /** The cells with the name have a voyage too. */
  hasVoyages: boolean;
  hasHeadings: boolean;
  /** As in the file; empty without headings. */
  headings: readonly string[];
}

const isImo = (heading: string): boolean =>
  /\bimo\b/.test(heading) && !/\d|\b(?:class|un|dg|dgr|hazard)\b/.test(heading);

const vesselWord = '(?:vessel|ship|vsl|mv|m v|schiff|navire|buque)';
const vesselHeading = new RegExp(
  `^(?:(?:mother|main|feeder|ocean|carrying|planned|actual) )?(?:${vesselWord}(?: ?s? ?name)?|name(?: of (?:the )?${vesselWord})?|schiffsname|${vesselWord} (?:and |n )?voy(?:age)?(?: (?:no|nr|number))?)$`,
);

const owner =
  '(?:our|your|my|their|customers?|clients?|carriers?|lines?|internal|external|master|house|forwarders?|agents?|consignees?|m|h)';
const subject =
  '(?:bookings?|bkg|bkgs|buchung|b l|bl|bol|mbl|hbl|m b l|h b l|bills? of lading|waybill|sea waybill|swb|customers?|clients?|kunde|consignees?|shipments?|consignments?|sendung|orders?|po|p o|purchase orders?|sales orders?|auftrag|jobs?|files?|refs?|references?|referenz)';
const number = '(?:no|nos|nr|num|number|numbers|nummer|id|ids|code|codes|ref|refs|reference|references|name)';
const referenceHeading = new RegExp(`^(?:${owner} )*${subject}(?: ${number})*$`);
// `Bookingnumber`, `Orderno`: written as one word.
const joinedHeading = new RegExp(`^${subject.replaceAll(' ', '')}${number}$`);

const customerHeading = new RegExp(`^(?:${owner} )*(?:customers?|clients?|kunde|consignees?)(?: name)?$`);

const isReference = (heading: string): boolean =>
  referenceHeading.test(heading) || joinedHeading.test(heading);

/** A title may stand above the headings. */
const maxTitleRows = 10;

/** The columns, and the index of the first row below the headings. Undefined as for `findColumns`. */
export function findTable(
  rows: readonly (readonly string[])[],
): { columns: Columns; firstRow: number } | undefined {
  const firstData = rows.findIndex((row) => row.some((cell) => /\d{7}/.test(cell)));
  const above = rows.slice(0, Math.min(maxTitleRows, firstData < 0 ? maxTitleRows : Math.max(firstData, 1)));
  const headings = above.findIndex((row) => findColumns(row)?.hasHeadings);
  const columns = findColumns(rows[Math.max(headings, 0)] ?? []);
  return columns && { columns, firstRow: columns.hasHeadings ? headings + 1 : 0 };
}

/**
 * Finds the columns by the headings that people's spreadsheets have. Without headings, the first columns are number and
 * name, fleets and references. Undefined if there are headings, but neither of a number nor of a vessel.
 */
function findColumns(first: readonly string[]): Columns | undefined {
  const headings = first.map((cell) => cell.trim().replace(/\s+/g, ' '));
  const keys = headings.map(fold); // `B/L No.` → `b l no`
  const imo = keys.findIndex(isImo);
  const nameLike = (shape: RegExp) => keys.findIndex((key, index) => index !== imo && shape.test(key));
  const exact = nameLike(vesselHeading);
  const typedName = exact >= 0 ? exact : nameLike(/\b(?:vessel|ship) ?s? name\b/);
  const fleets = keys.findIndex((key) => /^fleets?(?: names?)?$/.test(key));
  const references = keys.flatMap((key, index) => (isReference(key) ? [index] : []));
  const hasNumber = headings.some((heading) => /\d{7}/.test(heading));
  const isTable =
    imo >= 0 || (!hasNumber && [typedName >= 0, fleets >= 0, references.length > 0].some(Boolean));
  const none = { customers: [], hasVoyages: false, headings: [] };
  if (!isTable) return { imo: 0, name: 1, fleets: 2, references: [3], hasHeadings: false, ...none };
  // A short table of two columns, one of them the number: the other is the name, whatever it is called.
  const other = [0, 1].find((index) => ![imo, fleets, ...references].includes(index)) ?? -1;
  const name = typedName >= 0 || imo < 0 || headings.length > 2 ? typedName : other;
  if (imo < 0 && name < 0) return undefined;
  const customers = references.filter((index) => customerHeading.test(keys[index] ?? ''));
  const hasVoyages = /\bvoy/.test(keys[name] ?? '');
  return { imo, name, fleets, references, customers, hasVoyages, hasHeadings: true, headings };
}

export interface ColumnUse {
  /** `“Vessel” as names`: the columns that were read. */
  used: readonly { headings: readonly string[]; as: string }[];
  unused: readonly string[];
}

/** Undefined without headings. Leaves out columns without a heading in which all `rows` are empty. */
export function columnUse(
  { imo, name, fleets, references, hasHeadings, headings }: Columns,
  rows: readonly (readonly string[])[],
): ColumnUse | undefined {
  if (!hasHeadings) return undefined;
  const roles = [
    { indexes: [imo], as: 'IMO number' },
    { indexes: [name], as: 'vessel' },
    { indexes: [...references], as: 'references' },
    { indexes: [fleets], as: 'fleets' },
  ];
  const headingOf = (index: number): string => headings[index] || `column ${index + 1}`;
  const used = roles
    .map(({ indexes, as }) => ({ headings: indexes.filter((index) => index >= 0).map(headingOf), as }))
    .filter((role) => role.headings.length > 0);
  const taken = new Set(roles.flatMap(({ indexes }) => indexes));
  const isEmpty = (index: number) => !headings[index] && rows.every((row) => !row[index]?.trim());
  const unused = headings.flatMap((_, index) =>
    taken.has(index) || isEmpty(index) ? [] : [headingOf(index)],
  );
  return { used, unused };
}
