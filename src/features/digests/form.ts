import { z } from 'zod';
import { FieldErrors, fieldText, readFields, rethrowBeside } from '../../answers/fields.ts';
import { storedDestination } from '../../answers/message.ts';
import { UserError } from '../../errors.ts';
import { cleanLine } from '../../grammar/line.ts';
import { replyOf } from '../command.ts';
import { type AskCtx, isPersonal as dependsOnPerson, type ReadLine } from '../ctx.ts';
import { type FieldValues, type FormStep, form } from '../feature.ts';
import { checkPlace, isPersonalThing, readPlace } from '../owned/index.ts';
import type { Digest } from './digest.ts';
import { findBaseline } from './digest-store.ts';
import { digestToChange, nextRuns } from './digests.ts';
import { type DigestForm, dayChoices, formButtons, formView, lineField, type Parsed } from './form-view.ts';
import { checkDigestLine, defaultTitle, dependsOnAsker, errorWithoutHelp, semicolonInName } from './lines.ts';
import { previewOf } from './run-digest.ts';
import { type Days, formatDays, formatTimes, parseSchedule, parseZone, type Schedule } from './schedule.ts';
import {
  changeOf,
  changeTo,
  digestActor,
  digestOf,
  hasDefaultTitle,
  isInChannel,
  save,
} from './use-cases.ts';
import { canBeJoined, type DigestWords, exampleLine, maxLines } from './words.ts';

/** Without `digestId`, the form plans a new digest. */
const Target = z.object({ digestId: z.string().optional() });
type Target = z.infer<typeof Target>;

/** State that no field shows. `channelId`: the last choice, kept while the form has no field for the channel. */
const Memo = z.object({
  edited: z
    .object({
      title: z.string(),
      number: z.number(),
      channelId: z.string(),
      destination: storedDestination,
      ownerId: z.string(),
    })
    .nullable(),
  lineIds: z.array(z.number()),
  channelId: z.string(),
});

interface State extends DigestForm {
  digestId: string | undefined;
  /** Undefined if nobody chose another owner in this form. */
  ownerId: string | undefined;
}

export const digestForm = form<Target, State>({
  name: 'digest',
  target: Target,
  open: async ({ digestId }, ctx) => (digestId === undefined ? openNew(ctx) : openSaved(digestId, ctx)),
  instead: () => exampleLine,
  view: formView,
  memo: ({ edited, lines, channelId }): z.infer<typeof Memo> => ({
    edited,
    lineIds: lines.map(({ id }) => id),
    channelId,
  }),
  read,
  async act({ id, value }, state, ctx) {
    switch (id) {
      case formButtons.addLine:
        return show(addLine(state), ctx);
      case formButtons.removeLine:
        return show(removeLine(state, Number(value)), ctx);
      case formButtons.preview:
        return preview(state, ctx);
      default:
        return show(state, ctx);
    }
  },
  async submit(state, ctx) {
    const { answer, channelId } = await submitted(state, readAll(state, ctx), ctx);
    return { channelId, ...replyOf(answer, ctx) };
  },
});

/** Placeholders, which `withParsed` replaces. */
const unparsed = { kind: 'nothing', text: '' } as const;
const nothingParsed = { lines: [], runs: { wrong: '' } } as const;

function openNew(ctx: AskCtx): State {
  const isChannel = isInChannel(ctx);
  const state: State = {
    ...nothingParsed,
    digestId: undefined,
    ownerId: undefined,
    edited: null,
    title: '',
    where: isChannel ? 'channel' : 'me',
    channelId: isChannel ? digestActor(ctx).channelId : '',
    days: 'weekdays',
    weekdays: [],
    dates: '',
    times: '08:00',
    zone: ctx.actor.zone ?? '',
    onlyNews: false,
  };
  return withParsed(addLine(state), ctx);
}

async function openSaved(digestId: string, ctx: AskCtx): Promise<State> {
  const saved = await digestToChange(digestId, digestActor(ctx), ctx);
  const { title, number, channelId, destination, ownerId, lines, onlyNews } = saved;
  const state: State = {
    ...nothingParsed,
    ...whenFields(saved),
    digestId,
    ownerId: undefined,
    edited: { title, number, channelId, destination, ownerId },
    // A title that was made from the lines changes with them.
    title: hasDefaultTitle(saved, ctx) ? '' : title,
    where: 'channel',
    channelId,
    onlyNews,
    lines: lines.map((text, index) => ({ id: index + 1, text, parsed: unparsed })),
  };
  return withParsed(state, ctx);
}

function read(filled: FieldValues, { target, memo }: { target: Target; memo: unknown }): State {
  const { edited, lineIds, channelId } = Memo.parse(memo);
  const text = (field: string) => filled.text(field);
  const ownerId = text('owner');
  return {
    ...nothingParsed,
    digestId: target.digestId,
    // If the owner was changed elsewhere while the form was open, the form doesn't change it back.
    ownerId: ownerId === '' || ownerId === edited?.ownerId ? undefined : ownerId,
    edited,
    title: text('title'),
    ...readPlace(filled, channelId),
    days: dayChoices.find((choice) => choice === text('days')) ?? 'weekdays',
    weekdays: filled.ticked('weekdays'),
    dates: text('dates'),
    times: text('times'),
    zone: text('zone'),
    onlyNews: filled.ticked('news').length > 0,
    lines: lineIds.map((id) => ({ id, text: text(lineField(id)), parsed: unparsed })),
  };
}

const show = (state: State, ctx: AskCtx): FormStep<State> => ({
  kind: 'state',
  state: withParsed(state, ctx),
});

function addLine(state: State): State {
  if (state.lines.length >= maxLines) return state;
  const id = Math.max(0, ...state.lines.map((line) => line.id)) + 1;
  return { ...state, lines: [...state.lines, { id, text: '', parsed: unparsed }] };
}

function removeLine(state: State, id: number): State {
  const lines = state.lines.filter((line) => line.id !== id);
  return lines.length === 0 ? state : { ...state, lines };
}

/** Adds how the lines and the schedule are understood. */
function withParsed(state: State, ctx: AskCtx): State {
  const lineContext = lineContextOf(state, ctx);
  return {
    ...state,
    lines: state.lines.map(({ id, text }) => ({ id, text, parsed: checkTyped(text, lineContext) })),
    runs: runsOf(state, ctx),
  };
}

const lineContextOf = ({ edited, where }: State, { registry, vessels, actor }: AskCtx): LineContext => ({
  read: (line) => registry.parseLine(line, { vessels, locale: actor.locale }),
  isPersonal: edited ? isPersonalThing(edited) : where === 'me',
});

function runsOf(state: State, ctx: AskCtx): DigestForm['runs'] {
  try {
    const when = readWhen(state);
    return { at: nextRuns(when, 3, ctx), zone: when.zone };
  } catch (error) {
    if (!(error instanceof FieldErrors)) throw error;
    return { wrong: error.message };
  }
}

/** Throws FieldErrors for all fields that are wrong. */
function readAll(state: State, ctx: AskCtx): DigestWords {
  const { onlyNews, ownerId, edited, where, channelId } = state;
  const lineContext = lineContextOf(state, ctx);
  const { title } = readFields({
    channel: () => checkPlace(state),
    ...whenReaders(state),
    ...Object.fromEntries(
      state.lines.map(({ id, text }) => [lineField(id), () => readLine(text, lineContext)] as const),
    ),
    title: () => readTitle(state.title),
  });
  const lines = state.lines.map(({ text }) => readLine(text, lineContext));
  const wrongIndex = lines.findIndex((_, index) => !canBeJoined(lines.slice(0, index + 1)));
  const wrongLine = state.lines[wrongIndex];
  if (wrongLine) throw new FieldErrors({ [lineField(wrongLine.id)]: semicolonInName().message });
  // The place of a saved digest doesn't change.
  const place = edited ? {} : where === 'me' ? { toMe: true as const } : { channelId };
  const words = {
    title: title || defaultTitle(lines, ctx),
    when: readWhen(state),
    onlyNews,
    lines,
    ...place,
  };
  return { ...words, ...(ownerId !== undefined && { ownerId }) };
}

function readTitle(typed: string): string {
  const title = cleanLine(typed);
  if (!title.includes('"')) return title;
  throw new UserError({ code: 'unexpected-words', message: "A title can't contain a quotation mark." });
}

/** The answer to the form, whose buttons run in the channel of the digest. */
async function submitted({ digestId }: State, words: DigestWords, ctx: AskCtx) {
  if (digestId !== undefined) {
    const before = await digestToChange(digestId, digestActor(ctx), ctx);
    const answer = await changeTo(before, words, ctx).catch(rethrowBeside('owner'));
    return { answer, channelId: before.channelId };
  }
  try {
    const { digest, answer } = await save(words, ctx, { isAnsweredThere: true });
    return { answer, channelId: digest.channelId };
  } catch (error) {
    const isAboutPlace =
      error instanceof UserError && (error.code === 'bad-channel' || error.code === 'not-allowed');
    if (!isAboutPlace || words.toMe) throw error;
    throw new FieldErrors({ channel: fieldText(error) }, { cause: error });
  }
}

const note = 'Nothing is saved or posted yet. Close this to return to the form.';

async function preview(state: State, ctx: AskCtx): Promise<FormStep<State>> {
  try {
    const { digest, baseline } = await planned(state, readAll(state, ctx), ctx);
    const run = async () => replyOf(await previewOf(digest, baseline, { note }, ctx), ctx);
    return { kind: 'slow', title: 'Preview', run };
  } catch (error) {
    if (!(error instanceof FieldErrors)) throw error;
    const trouble = `Complete the form to preview it. ${error.message}`;
    return { kind: 'state', state: { ...withParsed(state, ctx), trouble } };
  }
}

async function planned({ digestId }: State, words: DigestWords, ctx: AskCtx) {
  if (digestId === undefined) return { digest: digestOf(words, ctx), baseline: null };
  const before = await digestToChange(digestId, digestActor(ctx), ctx);
  const after: Digest = { ...before, ...changeOf(words, before, ctx) };
  const [nextRunAt = after.nextRunAt] = nextRuns(after, 1, ctx);
  return { digest: { ...after, nextRunAt }, baseline: await findBaseline(digestId, ctx) };
}

interface LineContext {
  /** Throws UserError. */
  read(line: string): ReadLine;
  isPersonal: boolean;
}

/** How a line is understood, to be shown while a person types. */
function checkTyped(text: string, ctx: LineContext): Parsed {
  if (text.trim() === '') return { kind: 'nothing', text: typeHint };
  try {
    return { kind: 'right', text: readLine(text, ctx) };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { kind: 'wrong', text: fieldText(error) };
  }
}

const typeHint =
  'Any line that only asks: about vessels (also fleet:NAME, list:NAME, or watched), a port, a trade lane, or what the API was used for.';

function readLine(typed: string, { read, isPersonal }: LineContext): string {
  if (typed.trim() === '')
    throw new UserError({ code: 'missing-argument', message: 'Fill in a command, or remove the line.' });
  if (!canBeJoined([typed.trim().replace(/^\//, '')]))
    throw new UserError({
      code: 'unexpected-words',
      message: 'A semicolon separates two lines: put each in its own field.',
    });
  try {
    const { line, privacy } = checkDigestLine(read(typed));
    if (dependsOnPerson({ privacy }) && !isPersonal) throw dependsOnAsker();
    return line;
  } catch (error) {
    throw error instanceof UserError ? new UserError(errorWithoutHelp(error)) : error;
  }
}

type When = Pick<DigestForm, 'days' | 'weekdays' | 'dates' | 'times' | 'zone'>;

/** The values of the fields for a schedule. */
function whenFields({ schedule, zone }: { schedule: Schedule; zone: string }): When {
  const { days } = schedule;
  const times = formatTimes(schedule);
  const inWords = formatDays(days);
  if (days.kind === 'month')
    return { days: 'dates', weekdays: [], dates: inWords.replace('on the ', ''), times, zone };
  const choice = inWords === 'weekdays' || inWords === 'daily' ? inWords : 'some';
  return { days: choice, weekdays: days.weekdays.map(String), dates: '', times, zone };
}

/** The field that an error about the days belongs to, for each choice of days. */
const daysFields = { weekdays: 'days', daily: 'days', some: 'weekdays', dates: 'dates' } as const;

/** For each field of a schedule, a function that reads it or throws UserError. */
const whenReaders = (when: When) => ({
  [daysFields[when.days]]: () => readDays(when),
  times: () => readTimes(when.times),
  zone: () => parseZone(when.zone.trim(), help),
});

function readWhen(when: When) {
  const { times: minutes, zone } = readFields(whenReaders(when));
  return { schedule: { days: readDays(when), minutes }, zone };
}

function readDays({ days, weekdays, dates }: When): Days {
  if (days === 'dates') return readDates(dates);
  if (days !== 'some') return parse(`${days} 00:00`).days;
  if (weekdays.length === 0) throw wrong('Tick the days on which it should be sent.');
  return { kind: 'week', weekdays: weekdays.map(Number) };
}

/** Numbers without an ending are accepted too: `1, 15`. */
function readDates(dates: string): Days {
  const { days } = parse(`${dates.replace(/\b\d{1,2}\b(?![:.])/g, '$&th')} 00:00`);
  if (days.kind === 'month') return days;
  throw wrong('Dates are written like 1st, 15th, or last day.');
}

/** Minutes after midnight. */
function readTimes(times: string): readonly number[] {
  const { schedule, zone } = parseWithZone(times);
  const { days, minutes } = schedule;
  if (zone !== undefined) throw wrong('The time zone has a field of its own, below.');
  if (days.kind !== 'week' || days.weekdays.length < 7) throw wrong('Choose the days above.');
  return minutes;
}

/** A schedule needs a time, so those who want only the days add `00:00`. */
const parse = (text: string): Schedule => parseWithZone(text).schedule;

const parseWithZone = (text: string) => parseSchedule(text, help);

const help = { line: (fixed: string) => fixed, example: exampleLine };

const wrong = (message: string): UserError => new UserError({ code: 'bad-schedule', message });
