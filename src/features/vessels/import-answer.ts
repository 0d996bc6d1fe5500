import { type Answer, lines } from '../../answers/answer.ts';
import { counted } from '../../answers/formatting/words.ts';
import { clip, joinClipped, joinWithin } from '../../answers/message.ts';
import { present, type Text } from '../../answers/text.ts';
import { quote } from '../../grammar/line.ts';
import { maxVesselsInFleet } from '../../grammar/vessel.ts';
import { maxReferences, type ReferenceOf } from '../../grammar/vessel-directory.ts';
import { type ColumnUse, type SkipKind, type SkippedRow, skipReasons } from './vessel-csv.ts';
import { type ChangedReferences, howToMakeRoom, type LeftOut, referenceLimits } from './vessel-references.ts';
import { vesselExample } from './words.ts';

/** `vessel import` */
export const howToImport: Answer = {
  isOwn: true,
  verdict: {
    strong: 'Share a CSV file with me in a direct message, one row per vessel or booking',
    rest: ', with its IMO number or its name',
  },
  sections: [
    {
      kind: 'code',
      lines: [
        'vessel;imo;booking no.;b/l no.;customer',
        'DS CYPRESS;9461477;BK123;MEDU4711;ACME',
        'MSC DIANA;;BK124;;',
      ],
    },
    ...lines([
      [
        'The headings say what the columns hold, in any order and the usual spellings. Booking, B/L, customer, shipment, order and reference columns become references; ',
        { code: 'fleets' },
        ' puts the vessel into fleets. Separate several in a cell with a bar: NORTH | SOUTH.',
      ],
      'A row without an IMO number is about the vessel of that name, if the name is known here. The answer says which columns and rows were not used, and why; the others are imported. At most 5 MB and 50,000 rows. A workspace can have 20,000 references on 5,000 vessels.',
    ]),
  ],
};

export interface VesselImport {
  fileName: string;
  /** Vessels named by the file. */
  saved: number;
  /** Fleets that get vessels from the file. */
  fleets: number;
  references: readonly Pick<ChangedReferences, 'added'>[];
  /** Texts that can't be references, with the reason. */
  refused: readonly (ReferenceOf & { fault: string })[];
  /** References that had no room. */
  leftOut: readonly LeftOut[];
  /** The number of references past the most that a file can add. */
  unread: number;
  /** The names of fleets that were not changed, since they would get too many vessels. */
  tooLarge: readonly string[];
  /** The encoding is a guess, so accents may be wrong. */
  isEncodingGuessed: boolean;
  skippedRows: readonly SkippedRow[];
  /** Undefined for a file without headings. */
  columns: ColumnUse | undefined;
}

const listFormat = new Intl.ListFormat('en-GB');

export function importAnswer(found: VesselImport): Answer {
  const { saved, fleets, references, tooLarge, isEncodingGuessed, columns } = found;
  const fileName = clip(found.fileName, 100);
  const newReferences = references.reduce((sum, { added }) => sum + added.length, 0);
  const content = present(
    saved > 0 && counted(saved, 'vessel name'),
    fleets > 0 && counted(fleets, 'fleet'),
    newReferences > 0 && `${counted(newReferences, 'reference')} of ${counted(references.length, 'vessel')}`,
  );
  const isEmpty = content.length === 0;
  const what = newReferences > 0 && saved === 0 ? 'references wherever a vessel goes' : 'names';
  return {
    isOwn: true,
    verdict: {
      strong: isEmpty
        ? `Nothing new in ${fileName}, so nothing was changed`
        : `${listFormat.format(content)} saved from ${fileName}`,
      lines: present(
        columns && columnsInWords(columns),
        isEncodingGuessed && !isEmpty && 'Read as Windows-1252: please check the names.',
        ...roomNotes(found),
        tooLarge.length > 0 &&
          `Not changed, since a fleet can have at most ${maxVesselsInFleet} vessels: ${joinClipped(tooLarge, { each: 60, all: 1_000 })}.`,
      ),
    },
    sections: lines([...refusedInWords(found.refused), ...skippedInWords(found.skippedRows)]),
    notes: isEmpty ? [] : [`Everybody here can now type these ${what}, and sees them in answers`],
  };
}

function columnsInWords({ used, unused }: ColumnUse): string {
  const named = (headings: readonly string[]) =>
    joinWithin(
      headings.map((heading) => quote(clip(heading, 40))),
      ', ',
      500,
    );
  const uses = used.map(({ headings, as }) => `${named(headings)} (${as})`);
  const rest = unused.length === 0 ? 'Every column was used.' : `Columns not used: ${named(unused)}.`;
  return `Columns used: ${uses.join(', ')}. ${rest}`;
}

/** What there was no room for, and how to make room. */
function roomNotes({ leftOut, unread }: VesselImport): string[] {
  const { vessel = [], vessels = [], references = [] } = Object.groupBy(leftOut, ({ limit }) => limit);
  const were = (lists: readonly LeftOut[], why: string) => {
    const total = lists.flatMap((one) => one.references).length;
    return total > 0 && `${counted(total, 'reference was', 'references were')} left out${why}`;
  };
  const [mostVessels, most] = [referenceLimits.vessels, referenceLimits.references].map(figure);
  const ofVessels = vessel.map(({ imo, references: texts }) => `IMO ${imo} (${texts.length})`);
  const isFull = vessels.length + references.length + unread > 0;
  return present(
    were(vessel, `, since a vessel can have at most ${maxReferences}: ${joinWithin(ofVessels, ', ', 500)}.`),
    were(
      vessels,
      `: at most ${mostVessels} vessels of a workspace can have references, and ${counted(vessels.length, 'vessel')} of the file didn't fit.`,
    ),
    were(
      references,
      `: a workspace can have at most ${most}. They are of ${counted(references.length, 'vessel')}.`,
    ),
    unread > 0 &&
      `${counted(unread, 'reference was', 'references were')} not looked at: a file can add at most ${most}.`,
    isFull && `${howToMakeRoom} Then share the file again: it adds what is missing.`,
  );
}

const figure = (value: number): string => value.toLocaleString('en');

const maxListed = 5;

/** The first of them, then how many more there are. */
const firstFew = (
  texts: readonly string[],
  { separator = ', ', and = '', more = texts.length - maxListed } = {},
): string =>
  [...texts.slice(0, maxListed), ...(more > 0 ? [`${and}${figure(more)} more`] : [])].join(separator);

function refusedInWords(refused: VesselImport['refused']): string[] {
  if (refused.length === 0) return [];
  const groups = [...Map.groupBy(refused, ({ fault }) => fault)];
  const reasons = groups.map(([fault, list]) => {
    const texts = list.map(({ imo, reference }) => `${quote(clip(reference, 60))} (IMO ${imo})`);
    return clip(`${firstFew(texts)} ${fault}`, 500);
  });
  const more = groups.slice(maxListed).flatMap(([, list]) => list).length;
  return [
    `${counted(refused.length, 'reference was', 'references were')} left out: ${firstFew(reasons, { separator: '; ', more })}.`,
  ];
}

const advice: Partial<Record<SkipKind, Text>> = {
  'unknown-name': [' Name them with ', { code: `/${vesselExample}` }, ', then share the file again.'],
  'ambiguous-name': ' Add a column of IMO numbers for them.',
};

function skippedInWords(skippedRows: readonly SkippedRow[]): Text[] {
  return [...Map.groupBy(skippedRows, ({ kind }) => kind)].map(([kind, rows]) => {
    const details = [...Map.groupBy(rows, ({ detail }) => detail)].map(([detail, same]) => {
      const at = `${same.length === 1 ? 'line' : 'lines'} ${firstFew(same.map(({ line }) => String(line)))}`;
      return detail === '' ? at : `${at}: ${clip(detail, 150)}`;
    });
    const where = firstFew(details, { separator: '; ', and: 'and ' });
    const fault = `${counted(rows.length, 'row has', 'rows have')} ${skipReasons[kind]}`;
    return [`${fault} (left out): ${where}${/[.?]$/.test(where) ? '' : '.'}`, advice[kind] ?? ''];
  });
}
