import { type Answer, allPromises } from '../../answers/answer.ts';
import { counted, type KnownVessel, vesselListed, vesselShort } from '../../answers/formatting/words.ts';
import { field, vessel } from '../../answers/kinds.ts';
import { joinWithin } from '../../answers/message.ts';
import { table } from '../../answers/table.ts';
import { present } from '../../answers/text.ts';
import { UserError } from '../../errors.ts';
import type { DateWords } from '../../grammar/due.ts';
import { quote } from '../../grammar/line.ts';
import { maxReferences, referenceFault, referenceKey } from '../../grammar/vessel-directory.ts';
import { type Due, openSince } from '../../predictions/promises.ts';
import type { Imo, Locode } from '../../reference/codes.ts';
import { portName } from '../../reference/ports.ts';
import { type AskCtx, actorIn, changeBy, knownVessel } from '../ctx.ts';
import { forecastOf, readPromises } from '../promises/index.ts';
import { dueInWords, resolveDue } from '../rules/index.ts';
import { inOneCell, undoButton, vesselButtons } from './name-answers.ts';
import { promisedAnswer } from './promise-answers.ts';
import { listed, type ReferencesDone, referencesInWords, undoReferences } from './undo-references.ts';
import { readDirectory, saveReferences } from './vessel-names.ts';
import {
  formatReferences,
  formatReferencesChange,
  promiseExample,
  type ReferencesChange,
  referenceExample,
  type SeveralReferencesChange,
} from './words.ts';

interface Reference {
  vessel: KnownVessel;
  reference: string;
  /** Other vessels that have it too. */
  others: readonly KnownVessel[];
}

export const referencesTable = table<Reference>({
  name: 'references',
  about: 'A reference of the vessel, the newest first',
  columns: {
    vessel: vessel(null, (row) => row.vessel, { vesselOf: undefined }),
    reference: field('text', 'such as a booking number', ({ reference }) => reference),
    also_of_imo: field(
      'text',
      'IMO numbers of other vessels with the same reference, separated by ` | `',
      ({ others }) => inOneCell(others.map(({ imo }) => imo)),
    ),
  },
});

export const changeReferences = ({ imo, ...change }: ReferencesChange, ctx: AskCtx): Promise<Answer> =>
  changeSeveralReferences({ imo, parts: [change] }, ctx);

export async function changeSeveralReferences(
  { imo, parts }: SeveralReferencesChange,
  ctx: AskCtx,
): Promise<Answer> {
  const stored = (await readDirectory(ctx)).referencesOf(imo);
  const keys = stored.map(referenceKey);
  const { channelId } = actorIn(ctx);
  const [added, removed]: [string[], string[]] = [[], []];
  const [promised, noLonger]: [Due[], Due[]] = [[], []];
  for (const part of parts) {
    const dues = await promisesIn({ imo, ...part }, stored, ctx);
    const { change, references } = part;
    if (change === 'add') {
      checkReferences(references, imo, ctx);
      added.push(...references.filter((reference) => !keys.includes(referenceKey(reference))));
      promised.push(...dues);
    } else if (dues.length > 0) noLonger.push(...dues);
    else if (change === 'forget') removed.push(...stored);
    else removed.push(...references.map((typed) => storedReference(typed, imo, stored)));
  }
  const made = promised.map((due) => ({ imo, due, channelId }));
  const saved = await saveReferences({ imo, added, removed, promised: made, noLonger }, changeBy(ctx), ctx);
  const done = {
    ...{ addedReferences: added, removedReferences: removed },
    added: duesOf(saved.added),
    ...{ replaced: duesOf(saved.replaced), dropped: duesOf(saved.dropped) },
  };
  const [only] = parts;
  if (only && noLonger.length > 0 && parts.length === 1 && saved.dropped.length === 0)
    throw unknownPromise({ imo, ...only }, ctx);
  const hasDates = promised.length + noLonger.length > 0;
  return hasDates
    ? await promisedAnswer({ imo }, { promised, ...done }, ctx)
    : await showReferences(imo, ctx, done);
}

const duesOf = (promises: readonly { due: Due }[]): Due[] => promises.map(({ due }) => due);

/** Each reference with each date; only one to remove may have no reference. Throws UserError for a date that has passed. */
async function promisesIn(
  { imo, references, dates = [] }: ReferencesChange,
  stored: readonly string[],
  ctx: AskCtx,
): Promise<Due[]> {
  const example = (words: string) => `vessel ref 9461477 BK123 ${words}`;
  const spelled = references.map(
    (typed) => stored.find((reference) => referenceKey(reference) === referenceKey(typed)) ?? typed,
  );
  const promised: Due[] = [];
  for (const { port: typed, ...words } of dates)
    for (const reference of spelled.length === 0 ? [undefined] : spelled) {
      const port = typed ?? (await promisedPort({ imo, reference, words }, ctx));
      const due = resolveDue({ port, ...words }, { now: ctx.now(), example });
      promised.push(reference === undefined ? due : { ...due, reference });
    }
  return promised;
}

/** The port of its only promise. Throws UserError that offers the ports that it may be about. */
async function promisedPort(
  { imo, reference = '', words }: { imo: Imo; reference: string | undefined; words: DateWords },
  ctx: AskCtx,
): Promise<Locode> {
  const stored = await readPromises(ctx.services.store, { imos: [imo], after: openSince(ctx.now()) });
  const own = stored.filter(
    ({ watchId, due }) => watchId === null && referenceKey(due.reference ?? '') === referenceKey(reference),
  );
  const ports = [...new Set(own.map(({ due }) => due.port))];
  const [port, ...others] = ports;
  if (port !== undefined && others.length === 0) return port;
  const offered = ports.length > 0 ? ports : ((await forecastOf(imo, ctx)) ?? []).map((each) => each.port);
  const whose = reference === '' ? `IMO ${imo}` : reference;
  throw new UserError({
    code: 'missing-argument',
    message:
      ports.length > 0
        ? `${whose} is promised at several ports. Which date do you mean?`
        : `${whose} isn't promised at any port yet. Which port is it due at?`,
    choices: offered.slice(0, maxOffered).map((each) => ({
      label: portName(each),
      line: formatReferencesChange({
        ...{ imo, change: 'add', references: [reference] },
        dates: [{ ...words, port: each }],
      }),
    })),
    example: promiseExample,
  });
}

const maxOffered = 3;

function unknownPromise({ imo, references }: ReferencesChange, { registry }: AskCtx): UserError {
  const list = registry.lineOf(allPromises) ?? formatReferences(imo);
  return new UserError({
    code: 'unknown-reference',
    message: `IMO ${imo} has no such promise${references.length > 0 ? ` for ${references.map(quote).join(', ')}` : ''}.`,
    choices: [{ label: 'Show all promises', line: list }],
    example: list,
  });
}

/** Throws UserError bad-reference, too-many-references. */
export function checkReferences(
  references: readonly string[],
  imo: Imo,
  { vessels }: Pick<AskCtx, 'vessels'>,
): void {
  for (const reference of references) {
    const fault = referenceFault(reference, imo, vessels);
    if (fault === undefined) continue;
    throw new UserError({
      code: 'bad-reference',
      message: `${quote(reference)} can't be a reference: it ${fault}. Nothing was saved.`,
      hint: 'A reference is a booking, customer or B/L number.',
      example: `vessel ref ${imo} BK123`,
    });
  }
  if (references.length <= maxReferences) return;
  throw new UserError({
    code: 'too-many-references',
    message: `A vessel can have at most ${maxReferences} references; these are ${references.length}. Nothing was saved.`,
    example: `vessel ref ${imo} BK123`,
  });
}

function storedReference(typed: string, imo: Imo, stored: readonly string[]): string {
  const found = stored.find((reference) => referenceKey(reference) === referenceKey(typed));
  if (found !== undefined) return found;
  throw new UserError({
    code: 'unknown-reference',
    message: `IMO ${imo} has no reference ${quote(typed)}.`,
    choices: stored.slice(0, 5).map((reference) => ({
      label: `Remove ${reference}`,
      line: formatReferencesChange({ imo, change: 'remove', references: [reference] }),
    })),
    example: formatReferences(imo),
  });
}

/** The references of a vessel, after a change if there was one. They show whose cargo is on board, so outsiders see nothing of them. */
export async function showReferences(imo: Imo, ctx: AskCtx, done: ReferencesDone = {}): Promise<Answer> {
  const now = ctx.now();
  const directory = await readDirectory(ctx);
  const vessel = knownVessel(imo, directory);
  const rows = directory.referencesOf(imo).map((reference) => ({
    vessel,
    reference,
    others: directory
      .referenced(reference)
      .flatMap((other) => (other.imo === imo ? [] : [knownVessel(other.imo, directory)])),
  }));
  const references = rows.map(({ reference }) => reference);
  const count = rows.length === 0 ? 'no references' : counted(rows.length, 'reference');
  const { addedReferences = [], dropped = [] } = done;
  const change = referencesInWords(done).join('; ');
  return {
    membersOnly: 'A list of references',
    isOwn: true,
    verdict: {
      strong: `${vesselShort(vessel)}: ${change || count}`,
      lines: [
        ...dropped.slice(0, 5).map((due) => `No longer promised: ${promiseInWords(due, now)}`),
        ...present(
          rows.length > addedReferences.length && `${change ? `Now ${count}: ` : ''}${listed(references)}`,
        ),
        ...rows
          .filter(({ others }) => others.length > 0)
          .slice(0, 5)
          .map(
            ({ reference, others }) =>
              `${reference} is also a reference of ${joinWithin(others.map(vesselListed), ', ', 300)}: I'll ask which vessel you mean.`,
          ),
      ],
    },
    files: [referencesTable.of({ caption: 'References', rows, subject: [String(imo)] })],
    notes: advice(imo, references),
    actions: {
      about: vesselShort(vessel),
      runs: [...undoButton(undoReferences(imo, done, now)), ...vesselButtons(imo)],
    },
  };
}

const promiseInWords = (due: Due, now: Date): string =>
  `${due.reference} at ${portName(due.port)} ${dueInWords(due, now)}`;

const advice = (imo: Imo, [newest]: readonly string[]) =>
  newest === undefined
    ? [['Add one: ', { code: `/${referenceExample.replace('9461477', String(imo))}` }]]
    : [
        'Alerts name them; type one wherever a vessel goes',
        [
          'Remove one: ',
          { code: `/${formatReferencesChange({ imo, change: 'remove', references: [newest] })}` },
        ],
      ];
