import { z } from 'zod';
import { UserError } from '../../../errors.ts';
import { cleanLine } from '../../../grammar/clean.ts';
import { storedDestination } from '../../../messages/destination.ts';
import { besideOwner, FieldErrors, fieldText, readFields } from '../../../messages/field-errors.ts';
import { defineForm, type Filled, type FormStep } from '../../form.ts';
import {
  changeDigest,
  changeOf,
  digestOf,
  isInChannel,
  saveDigest,
  serviceIn,
  titleOf,
} from '../commands/run-digest-command.ts';
import type { Digest } from '../digest.ts';
import type { DigestsContext, DigestsServices } from '../services.ts';
import {
  type DayChoice,
  type DigestForm,
  dayChoices,
  digestForm,
  digestFormIds,
} from '../views/digest-form.ts';
import { digestReplyView } from '../views/digest-reply.ts';
import { type DigestWords, maxLines } from '../words.ts';
import { parseLines, readLines } from './lines-field.ts';
import { daysReader, readTimes, readZone, whenFields } from './when-fields.ts';

/** `digestId`: one to change. */
const Target = z.object({ digestId: z.string().optional() });
type Target = z.infer<typeof Target>;

/** What no field shows. `channelId`: the one chosen last, while the form asks for none. */
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
  /** Chosen as its owner; undefined where it stays. */
  ownerId: string | undefined;
}

/** «Plan a digest», and «Edit» of one that there is. */
export const digest = defineForm<Target, State, DigestsServices>({
  name: 'digest',
  target: Target,
  open: ({ digestId }, context) => (digestId === undefined ? openNew(context) : openEdit(digestId, context)),
  instead: () => 'digest add weekdays 08:00: portcalls NLRTM next 3 days; usage',
  view: (state, reader) => digestForm(state, reader, { maxLines }),
  memo: ({ edited, lines, channelId }): z.infer<typeof Memo> => ({
    edited,
    lineIds: lines.map(({ id }) => id),
    channelId,
  }),
  read,
  act({ id, value }, state, context) {
    switch (id) {
      case digestFormIds.addLine:
        return changed(withLine(state), context);
      case digestFormIds.removeLine:
        return changed(withoutLine(state, Number(value)), context);
      case digestFormIds.preview:
        return preview(state, context);
      default:
        return changed(state, context);
    }
  },
  async submit(state, context) {
    const words = readAll(state, context);
    const done = await save(state, words, context);
    return { view: (reader) => digestReplyView(done, reader), channelId: done.digest.channelId };
  },
});

const nothingParsed = { lines: [], runs: { wrong: '' } } as const;

async function openNew(context: DigestsContext): Promise<State> {
  const { actor } = serviceIn(context);
  const isChannel = isInChannel(context);
  const state: State = {
    ...nothingParsed,
    digestId: undefined,
    ownerId: undefined,
    edited: null,
    title: '',
    where: isChannel ? 'channel' : 'me',
    channelId: isChannel ? actor.channelId : '',
    days: 'weekdays',
    weekdays: [],
    dates: '',
    times: '08:00',
    zone: context.actor.zone ?? '',
    onlyNews: false,
  };
  return withParsed(withLine(state), context);
}

async function openEdit(digestId: string, context: DigestsContext): Promise<State> {
  const { service, actor } = serviceIn(context);
  const saved = await service.own(digestId, actor);
  const { title, number, channelId, destination, ownerId, lines, onlyNews } = saved;
  const state: State = {
    ...nothingParsed,
    ...whenFields(saved),
    digestId,
    ownerId: undefined,
    edited: { title, number, channelId, destination, ownerId },
    // A title that was made of the lines goes with them.
    title: title === titleOf(lines) ? '' : title,
    where: 'channel',
    channelId,
    onlyNews,
    lines: lines.map((text, index) => ({ id: index + 1, text, parsed: unparsed })),
  };
  return withParsed(state, context);
}

function read(filled: Filled, { target, memo }: { target: Target; memo: unknown }): State {
  const { edited, lineIds, channelId } = Memo.parse(memo);
  const text = (field: string) => filled.text(field);
  const chosen = dayChoices.find((choice) => choice === text(digestFormIds.days));
  return {
    ...nothingParsed,
    digestId: target.digestId,
    ownerId: ownerIn(text('owner'), edited),
    edited,
    title: text(digestFormIds.title),
    where: text(digestFormIds.where) === 'me' ? 'me' : 'channel',
    channelId: text(digestFormIds.channel) || channelId,
    days: chosen ?? ('weekdays' satisfies DayChoice),
    weekdays: filled.ticked(digestFormIds.weekdays),
    dates: text(digestFormIds.dates),
    times: text(digestFormIds.times),
    zone: text(digestFormIds.zone),
    onlyNews: filled.ticked(digestFormIds.news).length > 0,
    lines: lineIds.map((id) => ({ id, text: text(digestFormIds.line(id)), parsed: unparsed })),
  };
}

/** Somebody else may have handed it over since the form was opened: it stays so, unless this form does too. */
const ownerIn = (chosen: string, edited: DigestForm['edited']): string | undefined =>
  chosen === '' || chosen === edited?.ownerId ? undefined : chosen;

const unparsed = { kind: 'nothing', text: '' } as const;

const changed = async (state: State, context: DigestsContext): Promise<FormStep<State>> => ({
  kind: 'state',
  state: withParsed(state, context),
});

function withLine(state: State): State {
  if (state.lines.length >= maxLines) return state;
  const id = Math.max(0, ...state.lines.map((line) => line.id)) + 1;
  return { ...state, lines: [...state.lines, { id, text: '', parsed: unparsed }] };
}

function withoutLine(state: State, id: number): State {
  const lines = state.lines.filter((line) => line.id !== id);
  return lines.length === 0 ? state : { ...state, lines };
}

/** With what is understood of it. */
function withParsed(state: State, context: DigestsContext): State {
  const lines = parseLines(state.lines, { ...context, isOwn: isOwn(state) });
  return { ...state, lines, runs: runsOf(state, context) };
}

const isOwn = ({ edited, where }: State): boolean =>
  edited ? edited.destination === 'direct-message' : where === 'me';

function runsOf(state: State, context: DigestsContext): DigestForm['runs'] {
  try {
    const when = readWhen(state);
    return { at: serviceIn(context).service.nextRuns(when, 3), zone: when.zone };
  } catch (error) {
    if (!(error instanceof FieldErrors)) throw error;
    return { wrong: error.message };
  }
}

function readWhen(state: State) {
  const days = daysReader(state);
  const read = readFields({
    [days.field]: days.read,
    times: () => readTimes(state.times),
    zone: () => readZone(state.zone),
  });
  return { schedule: { days: days.read(), minutes: read.times }, zone: read.zone };
}

/** Throws FieldErrors with all that is wrong. */
function readAll(state: State, context: DigestsContext): DigestWords {
  const { lines, when, place, title } = collect({
    place: () => readPlace(state),
    when: () => readWhen(state),
    lines: () => readLines(state.lines, { ...context, isOwn: isOwn(state) }),
    title: () => readFields({ title: () => readTitle(state.title) }).title,
  });
  const { onlyNews, ownerId } = state;
  const words = { title: title || titleOf(lines), when, onlyNews, lines, ...place };
  return { ...words, ...(ownerId !== undefined && { ownerId }) };
}

/** Parts that throw FieldErrors of their own, as one. */
function collect<Parts extends Record<string, () => unknown>>(
  parts: Parts,
): { [Part in keyof Parts]: ReturnType<Parts[Part]> } {
  const errors: Record<string, string> = {};
  const read = Object.entries(parts).map(([part, readPart]) => {
    try {
      return [part, readPart()];
    } catch (error) {
      if (!(error instanceof FieldErrors)) throw error;
      Object.assign(errors, error.fields);
      return [part, undefined];
    }
  });
  if (Object.keys(errors).length > 0) throw new FieldErrors(errors);
  // Made of the entries of `parts`, each by its own function.
  return Object.fromEntries(read) as { [Part in keyof Parts]: ReturnType<Parts[Part]> };
}

/** One that is there already stays where it is. */
function readPlace({ edited, where, channelId }: State): Pick<DigestWords, 'toMe' | 'channelId'> {
  if (edited) return {};
  if (where === 'me') return { toMe: true };
  if (channelId !== '') return { channelId };
  throw new FieldErrors({ [digestFormIds.channel]: 'Choose a channel, or send it only to yourself.' });
}

function readTitle(typed: string): string {
  const title = cleanLine(typed);
  if (!title.includes('"')) return title;
  throw new UserError({ code: 'unexpected-words', message: "A title can't contain a quotation mark." });
}

/** The person, in the channel where the form was opened: permission doesn't depend on the channel they chose. */
async function save({ digestId }: State, words: DigestWords, context: DigestsContext) {
  if (digestId !== undefined) {
    const { service, actor } = serviceIn(context);
    return changeDigest(await service.own(digestId, actor), words, context).catch(besideOwner);
  }
  try {
    // What is pressed under the answer is pressed where the digest is.
    return { ...(await saveDigest(words, context)), isElsewhere: false };
  } catch (error) {
    const isOfPlace =
      error instanceof UserError && (error.code === 'bad-channel' || error.code === 'not-allowed');
    if (!isOfPlace || words.toMe) throw error;
    throw new FieldErrors({ [digestFormIds.channel]: fieldText(error) }, { cause: error });
  }
}

/** Only what is right can be looked at; what is wrong is below its field. */
async function preview(state: State, context: DigestsContext): Promise<FormStep<State>> {
  try {
    const words = readAll(state, context);
    const { actor, now } = context;
    const asked = { userId: actor.userId, now: now() };
    const previewed = await previewOf(state, words, context);
    return { kind: 'slow', title: 'Preview', run: () => context.preview(previewed, asked) };
  } catch (error) {
    if (!(error instanceof FieldErrors)) throw error;
    const trouble = `Complete the form to preview it. ${error.message}`;
    return { kind: 'state', state: { ...withParsed(state, context), trouble } };
  }
}

async function previewOf({ digestId }: State, words: DigestWords, context: DigestsContext) {
  if (digestId === undefined) return { digest: digestOf(words, context), baseline: null };
  const { service, actor } = serviceIn(context);
  const before = await service.own(digestId, actor);
  const after: Digest = { ...before, ...changeOf(words, before) };
  const [nextRunAt = after.nextRunAt] = service.nextRuns(after, 1);
  return { digest: { ...after, nextRunAt }, baseline: await service.baseline(digestId) };
}
