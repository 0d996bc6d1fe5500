import {
  type Answer,
  type AnswerAction,
  type AnswerButton,
  allPromises,
  lines,
  watchThese,
} from '../../answers/answer.ts';
import { counted, figure, listed } from '../../answers/formatting/words.ts';
import { clip, joinClipped, joinWithin } from '../../answers/message.ts';
import { present } from '../../answers/text.ts';
import { maxVessels, maxVesselsInFleet } from '../../grammar/vessel.ts';
import { maxReferences } from '../../grammar/vessel-directory.ts';
import type { Imo } from '../../reference/codes.ts';
import { promiseLimits } from '../promises/index.ts';
import type { SkippedRow } from './import-rows.ts';
import { type RefusedReference, refusedInWords, replacedPromises, skippedInWords } from './import-words.ts';
import { type ChangedReferences, howToMakeRoom, type LeftOut, referenceLimits } from './vessel-references.ts';

export const importFormName = 'import';
export const undoImportId = 'vessel:undo-import';

/** `vessel import` */
export const howToImport: Answer = {
  isOwn: true,
  verdict: {
    strong: 'Share an Excel or CSV file with me in a direct message, or paste its cells there',
    rest: ', one row per vessel or booking, with its IMO number or its name',
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
        'I show what I read in each column, which rows can be used, and what would be new; nothing is saved until you press Import. The headings say what the columns hold, in any order and the usual spellings, also in German, Dutch, French and Spanish. Booking, B/L, customer, shipment, order and reference columns become references; ',
        { code: 'fleets' },
        ' puts the vessel into fleets. Separate several in a cell with a bar: NORTH | SOUTH. A port of discharge and a due date make a promise.',
      ],
      'A row without an IMO number is about the vessel of that name, if the name is known here. Pasted cells need their headings above them. At most 5 MB and 50,000 rows. A workspace can have 20,000 references on 5,000 vessels.',
    ]),
  ],
  actions: { runs: [{ label: 'Paste cells …', form: importFormName, target: {} }] },
};

export interface VesselImport {
  id: string;
  fileName: string;
  /** Vessels named by the file. */
  saved: number;
  /** Fleets that get vessels from the file. */
  fleets: number;
  references: readonly Pick<ChangedReferences, 'added'>[];
  promises: number;
  /** The stored promises that they replace, in words. */
  replaced: readonly string[];
  /** The vessels with new promises, and those of them that nobody watches. */
  promised: readonly Imo[];
  unwatched: readonly Imo[];
  /** The number of promises that their vessels have no room for. */
  promisesLeftOut: number;
  /** The number of promises whose references had no room. */
  unnamedPromises: number;
  /** Texts that can't be references, with the reason. */
  refused: readonly RefusedReference[];
  /** References that had no room. */
  leftOut: readonly LeftOut[];
  /** The number of references past the most that a file can add. */
  unread: number;
  /** The names of fleets that were not changed, since they would get too many vessels. */
  tooLarge: readonly string[];
  /** The encoding is a guess, so accents may be wrong. */
  isEncodingGuessed: boolean;
  skippedRows: readonly SkippedRow[];
}

export function importAnswer(found: VesselImport): Answer {
  const { saved, fleets, references, promises, tooLarge, isEncodingGuessed } = found;
  const fileName = clip(found.fileName, 100);
  const newReferences = references.reduce((sum, { added }) => sum + added.length, 0);
  const content = present(
    saved > 0 && counted(saved, 'vessel name'),
    fleets > 0 && counted(fleets, 'fleet'),
    newReferences > 0 && `${counted(newReferences, 'reference')} of ${counted(references.length, 'vessel')}`,
    promises > 0 && counted(promises, 'promise'),
  );
  const isEmpty = content.length === 0;
  const what =
    saved > 0
      ? 'names'
      : newReferences > 0
        ? 'references wherever a vessel goes'
        : fleets > 0
          ? 'fleets'
          : undefined;
  return {
    isOwn: true,
    verdict: {
      strong: isEmpty
        ? `Nothing new in ${fileName}, so nothing was changed`
        : `${listed(content)} saved from ${fileName}`,
      lines: present(
        isEncodingGuessed && !isEmpty && 'Read as Windows-1252: please check the names.',
        replacedPromises(found.replaced, (count) => (count === 1 ? 'was replaced' : 'were replaced')),
        ...roomNotes(found),
        promisesInWords(found.promisesLeftOut),
        tooLargeInWords(tooLarge),
      ),
    },
    sections: lines([...refusedInWords(found.refused), ...skippedInWords(found.skippedRows)]),
    actions: {
      runs: present<AnswerButton>(
        ...watchButton(found),
        promises > 0 && { label: 'Show all promises', intent: allPromises },
        !isEmpty && { label: 'Undo', press: undoImportId, value: found.id },
      ),
    },
    notes: present(
      unwatchedInWords(found),
      what !== undefined && `Everybody here can now type these ${what}, and sees them in answers`,
    ),
  };
}

function unwatchedInWords({ promised, unwatched }: VesselImport): string | false {
  const [all, count] = [promised.length, unwatched.length];
  const which =
    all === 1
      ? 'The vessel with new promises is not watched'
      : count === all
        ? `None of the ${figure(all)} vessels with new promises is watched`
        : `${figure(count)} of the ${figure(all)} vessels with new promises ${count === 1 ? 'is' : 'are'} not watched`;
  return (
    count > 0 &&
    `${which}, so nobody is alerted when ${count === all ? 'one breaks' : count === 1 ? 'its promises break' : 'theirs break'}`
  );
}

function watchButton({ unwatched }: VesselImport): AnswerAction[] {
  const [first, ...others] = unwatched.slice(0, maxVessels);
  if (first === undefined) return [];
  const isAll = unwatched.length <= maxVessels;
  const label = `Watch ${isAll ? counted(unwatched.length, 'vessel') : `the first ${maxVessels}`}`;
  return [{ label, intent: watchThese({ kind: 'vessels', imos: [first, ...others] }) }];
}

export const promisesInWords = (leftOut: number): string | false =>
  leftOut > 0 &&
  `${counted(leftOut, 'promise was', 'promises were')} left out, since a vessel can have at most ${promiseLimits.vessel}.`;

export const tooLargeInWords = (fleets: readonly string[]): string | false =>
  fleets.length > 0 &&
  `Not changed, since a fleet can have at most ${maxVesselsInFleet} vessels: ${joinClipped(fleets, { each: 60, all: 1_000 })}.`;

/** What there was no room for, and how to make room. */
export function roomNotes(
  { leftOut, unread, unnamedPromises }: Pick<VesselImport, 'leftOut' | 'unread' | 'unnamedPromises'>,
  { isPreview = false } = {},
): string[] {
  const be = (count: number) => (isPreview ? 'will be' : count === 1 ? 'was' : 'were');
  const { vessel = [], vessels = [], references = [] } = Object.groupBy(leftOut, ({ limit }) => limit);
  const were = (lists: readonly LeftOut[], why: string) => {
    const total = lists.flatMap((one) => one.references).length;
    return total > 0 && `${counted(total, 'reference')} ${be(total)} left out${why}`;
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
    unnamedPromises > 0 &&
      `${counted(unnamedPromises, 'promise')} of these references ${be(unnamedPromises)} left out too.`,
    isFull && `${howToMakeRoom} Then share it again: it adds what is missing.`,
  );
}
