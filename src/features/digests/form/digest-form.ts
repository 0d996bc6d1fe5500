import { z } from 'zod';
import { UserError } from '../../../errors.ts';
import { cleanLine } from '../../../grammar/clean.ts';
import { storedDestination } from '../../../messages/destination.ts';
import { FieldErrors, fieldText, readFields, rethrowBeside } from '../../../messages/field-errors.ts';
import { defineForm, type FieldValues, type FormStep } from '../../form.ts';
import { semicolonInName } from '../check-lines.ts';
import { defaultTitle } from '../default-title.ts';
import { type Digest, isPersonalDigest } from '../digest.ts';
import {
  changeDigest,
  changeOf,
  type DigestsContext,
  type DigestsServices,
  digestActor,
  digestOf,
  isInChannel,
  saveDigest,
} from '../use-cases.ts';
import {
  type DigestForm,
  dayChoices,
  digestForm,
  digestFormButtons,
  lineField,
} from '../views/digest-form.ts';
import { digestReplyView } from '../views/digest-reply.ts';
import { canBeJoined, type DigestWords, exampleLine, maxLines } from '../words.ts';
import { checkTyped, readLine, readWhen, whenFields, whenReaders } from './read-fields.ts';

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

export const digest = defineForm<Target, State, DigestsServices>({
  name: 'digest',
  target: Target,
  open: async ({ digestId }, context) =>
    digestId === undefined ? openNew(context) : openSaved(digestId, context),
  instead: () => exampleLine,
  view: digestForm,
  memo: ({ edited, lines, channelId }): z.infer<typeof Memo> => ({
    edited,
    lineIds: lines.map(({ id }) => id),
    channelId,
  }),
  read,
  async act({ id, value }, state, context) {
    switch (id) {
      case digestFormButtons.addLine:
        return show(addLine(state), context);
      case digestFormButtons.removeLine:
        return show(removeLine(state, Number(value)), context);
      case digestFormButtons.preview:
        return preview(state, context);
      default:
        return show(state, context);
    }
  },
  async submit(state, context) {
    const reply = await save(state, readAll(state, context), context);
    return { view: (reader) => digestReplyView(reply, reader), channelId: reply.digest.channelId };
  },
});

/** Placeholders, which `withParsed` replaces. */
const unparsed = { kind: 'nothing', text: '' } as const;
const nothingParsed = { lines: [], runs: { wrong: '' } } as const;

function openNew(context: DigestsContext): State {
  const isChannel = isInChannel(context);
  const state: State = {
    ...nothingParsed,
    digestId: undefined,
    ownerId: undefined,
    edited: null,
    title: '',
    where: isChannel ? 'channel' : 'me',
    channelId: isChannel ? digestActor(context).channelId : '',
    days: 'weekdays',
    weekdays: [],
    dates: '',
    times: '08:00',
    zone: context.actor.zone ?? '',
    onlyNews: false,
  };
  return withParsed(addLine(state), context);
}

async function openSaved(digestId: string, context: DigestsContext): Promise<State> {
  const saved = await context.digests.getToChange(digestId, digestActor(context));
  const { title, number, channelId, destination, ownerId, lines, onlyNews } = saved;
  const state: State = {
    ...nothingParsed,
    ...whenFields(saved),
    digestId,
    ownerId: undefined,
    edited: { title, number, channelId, destination, ownerId },
    // A title that was made from the lines changes with them.
    title: title === defaultTitle(lines) ? '' : title,
    where: 'channel',
    channelId,
    onlyNews,
    lines: lines.map((text, index) => ({ id: index + 1, text, parsed: unparsed })),
  };
  return withParsed(state, context);
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
    where: text('where') === 'me' ? 'me' : 'channel',
    channelId: text('channel') || channelId,
    days: dayChoices.find((choice) => choice === text('days')) ?? 'weekdays',
    weekdays: filled.ticked('weekdays'),
    dates: text('dates'),
    times: text('times'),
    zone: text('zone'),
    onlyNews: filled.ticked('news').length > 0,
    lines: lineIds.map((id) => ({ id, text: text(lineField(id)), parsed: unparsed })),
  };
}

const show = (state: State, context: DigestsContext): FormStep<State> => ({
  kind: 'state',
  state: withParsed(state, context),
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
function withParsed(state: State, context: DigestsContext): State {
  const lineContext = lineContextOf(state, context);
  return {
    ...state,
    lines: state.lines.map(({ id, text }) => ({ id, text, parsed: checkTyped(text, lineContext) })),
    runs: runsOf(state, context),
  };
}

function lineContextOf({ edited, where }: State, { parseLine, vessels }: DigestsContext) {
  return { parseLine, vessels, isPersonal: edited ? isPersonalDigest(edited) : where === 'me' };
}

function runsOf(state: State, context: DigestsContext): DigestForm['runs'] {
  try {
    const when = readWhen(state);
    return { at: context.digests.nextRuns(when, 3), zone: when.zone };
  } catch (error) {
    if (!(error instanceof FieldErrors)) throw error;
    return { wrong: error.message };
  }
}

/** Throws FieldErrors for all fields that are wrong. */
function readAll(state: State, context: DigestsContext): DigestWords {
  const { onlyNews, ownerId } = state;
  const lineContext = lineContextOf(state, context);
  const { channel: place, title } = readFields({
    channel: () => readPlace(state),
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
  const words = { title: title || defaultTitle(lines), when: readWhen(state), onlyNews, lines, ...place };
  return { ...words, ...(ownerId !== undefined && { ownerId }) };
}

/** The place of a saved digest doesn't change. */
function readPlace({ edited, where, channelId }: State): Pick<DigestWords, 'toMe' | 'channelId'> {
  if (edited) return {};
  if (where === 'me') return { toMe: true };
  if (channelId !== '') return { channelId };
  throw new UserError({ code: 'bad-channel', message: 'Choose a channel, or send it only to yourself.' });
}

function readTitle(typed: string): string {
  const title = cleanLine(typed);
  if (!title.includes('"')) return title;
  throw new UserError({ code: 'unexpected-words', message: "A title can't contain a quotation mark." });
}

async function save({ digestId }: State, words: DigestWords, context: DigestsContext) {
  if (digestId !== undefined) {
    const before = await context.digests.getToChange(digestId, digestActor(context));
    return changeDigest(before, words, context).catch(rethrowBeside('owner'));
  }
  try {
    // The reply's buttons run in the channel of the digest, so the digest's number is right there.
    return { ...(await saveDigest(words, context)), isElsewhere: false };
  } catch (error) {
    const isAboutPlace =
      error instanceof UserError && (error.code === 'bad-channel' || error.code === 'not-allowed');
    if (!isAboutPlace || words.toMe) throw error;
    throw new FieldErrors({ channel: fieldText(error) }, { cause: error });
  }
}

const previewNote = 'Nothing is saved or posted yet. Close this to return to the form.';

async function preview(state: State, context: DigestsContext): Promise<FormStep<State>> {
  try {
    const { digest, baseline } = await previewOf(state, readAll(state, context), context);
    const previewContext = { baseline, userId: context.actor.userId, now: context.now() };
    const run = async () => {
      const { view } = await context.preview(digest, previewContext);
      return { view: () => view({ note: previewNote }) };
    };
    return { kind: 'slow', title: 'Preview', run };
  } catch (error) {
    if (!(error instanceof FieldErrors)) throw error;
    const trouble = `Complete the form to preview it. ${error.message}`;
    return { kind: 'state', state: { ...withParsed(state, context), trouble } };
  }
}

async function previewOf({ digestId }: State, words: DigestWords, context: DigestsContext) {
  if (digestId === undefined) return { digest: digestOf(words, context), baseline: null };
  const { digests } = context;
  const before = await digests.getToChange(digestId, digestActor(context));
  const after: Digest = { ...before, ...changeOf(words, before) };
  const [nextRunAt = after.nextRunAt] = digests.nextRuns(after, 1);
  return { digest: { ...after, nextRunAt }, baseline: await digests.baseline(digestId) };
}
