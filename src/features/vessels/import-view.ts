import { quote } from '../../grammar/line-help.ts';
import type { ReferenceOf } from '../../grammar/reference-index.ts';
import { maxReferences } from '../../grammar/vessel-reference.ts';
import { sections, context as smallPrint } from '../../messages/blocks.ts';
import { counted } from '../../messages/formatting/words.ts';
import { clip, joinWithin } from '../../messages/limits.ts';
import type { Message } from '../../messages/message.ts';
import { escaped } from '../../messages/mrkdwn.ts';
import { maxVesselsInFleet } from './fleets.ts';
import type { ColumnUse } from './import-columns.ts';
import type { SkipKind, SkippedRow } from './vessel-csv.ts';
import { type ChangedReferences, howToMakeRoom, type LeftOut, referenceLimits } from './vessel-references.ts';

export interface VesselImport {
  fileName: string;
  /** Vessels named by the file. */
  saved: number;
  /** Fleets to which the file adds vessels. */
  fleets: number;
  references: readonly Pick<ChangedReferences, 'added'>[];
  /** Texts that can't be references, with the reason. */
  refused: readonly (ReferenceOf & { fault: string })[];
  /** References for which there was no room. */
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

export function vesselImportView(answer: VesselImport): Message {
  const { saved, fleets, references, tooLarge, isEncodingGuessed, skippedRows, columns } = answer;
  const fileName = escaped(clip(answer.fileName, 100));
  const newReferences = references.reduce((sum, { added }) => sum + added.length, 0);
  const isEmpty = saved + fleets + newReferences === 0;
  const content = [
    ...(saved > 0 ? [counted(saved, 'vessel name')] : []),
    ...(fleets > 0 ? [counted(fleets, 'fleet')] : []),
    ...(newReferences > 0
      ? [`${counted(newReferences, 'reference')} of ${counted(references.length, 'vessel')}`]
      : []),
  ];
  const heading = isEmpty
    ? `Nothing new in ${fileName}, so nothing was changed`
    : `${listFormat.format(content)} saved from ${fileName}`;
  const notes = [
    ...(columns ? [columnsInWords(columns)] : []),
    ...(isEncodingGuessed && !isEmpty ? ['Read as Windows-1252: please check the names.'] : []),
    ...roomNotes(answer),
  ];
  if (tooLarge.length > 0) {
    const names = tooLarge.map((name) => escaped(clip(name, 60)));
    const listed = joinWithin(names, ', ', 1_000);
    notes.push(`Not changed, since a fleet can have at most ${maxVesselsInFleet} vessels: ${listed}.`);
  }
  const left = [...refusedInWords(answer.refused), ...skippedInWords(skippedRows)];
  return {
    text: [`${heading}.`, ...notes, ...left].join(' '),
    blocks: [
      ...sections([`*${heading}*`, ...notes, ...left.map((line) => `• ${line}`)]),
      ...(isEmpty
        ? []
        : [
            smallPrint(
              newReferences > 0 && saved === 0
                ? '_Everybody here can now type these references wherever a vessel goes, and sees them in answers._'
                : '_Everybody here can now type these names, and sees them in answers._',
            ),
          ]),
    ],
  };
}

function columnsInWords({ used, unused }: ColumnUse): string {
  const named = (headings: readonly string[]) =>
    joinWithin(
      headings.map((heading) => escaped(quote(clip(heading, 40)))),
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
  const count = (lists: readonly LeftOut[]) => lists.reduce((sum, one) => sum + one.references.length, 0);
  const were = (lists: readonly LeftOut[]) =>
    `${counted(count(lists), 'reference was', 'references were')} left out`;
  const ofVessels = (lists: readonly LeftOut[]) =>
    joinWithin(
      lists.map(({ imo, references: texts }) => `IMO ${imo} (${texts.length})`),
      ', ',
      500,
    );
  const most = (limit: number) => limit.toLocaleString('en');
  const notes = [
    ...(vessel.length > 0
      ? [`${were(vessel)}, since a vessel can have at most ${maxReferences}: ${ofVessels(vessel)}.`]
      : []),
    ...(vessels.length > 0
      ? [
          `${were(vessels)}: at most ${most(referenceLimits.vessels)} vessels of a workspace can have references, and ${counted(vessels.length, 'vessel', 'vessels')} of the file didn't fit.`,
        ]
      : []),
    ...(references.length > 0
      ? [
          `${were(references)}: a workspace can have at most ${most(referenceLimits.references)}. They are of ${counted(references.length, 'vessel')}.`,
        ]
      : []),
    ...(unread > 0
      ? [
          `${counted(unread, 'reference was', 'references were')} not looked at: a file can add at most ${most(referenceLimits.references)}.`,
        ]
      : []),
  ];
  if (vessels.length + references.length + unread === 0) return notes;
  return [...notes, `${escaped(howToMakeRoom)} Then share the file again: it adds what is missing.`];
}

const maxListed = 5;

const listedSome = (texts: readonly string[]): string => {
  const more = texts.length - maxListed;
  return [...texts.slice(0, maxListed), ...(more > 0 ? [`${more.toLocaleString('en')} more`] : [])].join(
    ', ',
  );
};

function refusedInWords(refused: VesselImport['refused']): string[] {
  const groups = [...Map.groupBy(refused, ({ fault }) => fault)];
  const shown = groups.slice(0, maxListed).map(([fault, list]) => {
    const texts = list.map(({ imo, reference }) => `${quote(clip(reference, 60))} (IMO ${imo})`);
    return escaped(clip(`${listedSome(texts)} ${fault}`, 500));
  });
  const others = groups.slice(maxListed).reduce((sum, [, list]) => sum + list.length, 0);
  if (refused.length === 0) return [];
  const rest = others > 0 ? [`${others.toLocaleString('en')} more`] : [];
  return [
    `${counted(refused.length, 'reference was', 'references were')} left out: ${[...shown, ...rest].join('; ')}.`,
  ];
}

/** What is wrong with the rows of each kind, after `3 rows`. */
const skipReasons: Record<SkipKind, readonly [one: string, several: string]> = {
  'no-vessel': ["row has no IMO number and no vessel's name", "rows have no IMO number and no vessel's name"],
  'bad-imo': ['row has a wrong IMO number', 'rows have a wrong IMO number'],
  'unknown-name': [
    "row has no IMO number, and a name that isn't known here",
    "rows have no IMO number, and a name that isn't known here",
  ],
  'ambiguous-name': [
    'row has no IMO number, and a name of several vessels',
    'rows have no IMO number, and a name of several vessels',
  ],
  'nothing-to-save': [
    'row has a vessel and nothing to save for it',
    'rows have a vessel and nothing to save for it',
  ],
  'bad-name': ["row has a name that can't be used", "rows have a name that can't be used"],
  'bad-fleet': ["row has a fleet that can't be used", "rows have a fleet that can't be used"],
  'other-name': [
    'row has another name for a vessel than a later row',
    'rows have another name for a vessel than a later row',
  ],
};

const advice: Partial<Record<SkipKind, string>> = {
  'unknown-name': ' Name them with `/vessel name 9461477 DS CYPRESS`, then share the file again.',
  'ambiguous-name': ' Add a column of IMO numbers for them.',
};

function skippedInWords(skippedRows: readonly SkippedRow[]): string[] {
  return [...Map.groupBy(skippedRows, ({ kind }) => kind)].map(([kind, rows]) => {
    const byDetail = [...Map.groupBy(rows, ({ detail }) => detail)];
    const details = byDetail.map(([detail, same]) => {
      const lines = listedSome(same.map(({ line }) => String(line)));
      const where = `${same.length === 1 ? 'line' : 'lines'} ${lines}`;
      return detail === '' ? where : `${where}: ${escaped(clip(detail, 150))}`;
    });
    const shown = details.slice(0, maxListed);
    const more =
      details.length > maxListed ? [`and ${(details.length - maxListed).toLocaleString('en')} more`] : [];
    const listed = [...shown, ...more].join('; ').replace(/\.$/, '');
    return `${counted(rows.length, ...skipReasons[kind])} (left out): ${listed}.${advice[kind] ?? ''}`;
  });
}
