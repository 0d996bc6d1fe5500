import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { FieldErrors, fieldText, readFields, rethrowBeside } from '../../../answers/fields.ts';
import { counted } from '../../../answers/formatting/words.ts';
import { UserError } from '../../../errors.ts';
import { dateOrderOf } from '../../../grammar/dates.ts';
import { cleanLine } from '../../../grammar/line.ts';
import { maxVessels } from '../../../grammar/vessel.ts';
import { type Due, dueKey } from '../../../predictions/promises.ts';
import { portLabel } from '../../../reference/ports.ts';
import { replyOf } from '../../command.ts';
import { type AskCtx, placeIn } from '../../ctx.ts';
import { type FieldValues, form } from '../../feature.ts';
import { getFleet } from '../../fleets/index.ts';
import { withDetails } from '../../outsiders.ts';
import { checkPlace, readPlace } from '../../owned/index.ts';
import { isOfOneVessel, isOfPort, targetOf } from '../../polling/index.ts';
import { type Rules, watchRules } from '../../rules/index.ts';
import { addWatch, previewRequested, previewWatch } from '../add-watch.ts';
import { addButtons, editedAnswer, previewAnswer, savedAnswer } from '../added-answer.ts';
import type { ChangeQuestion } from '../button-values.ts';
import { changeQuestion } from '../change-answers.ts';
import { editWatch, getToChange } from '../change-watch.ts';
import { isAboutPort, isOneVessel, parseWatchSubject, type WatchSubject } from '../words/subject.ts';
import { fieldReaders, fieldsOf, isAnyOn, rulesOfFields, tickedKeys, withChanges } from './rule-fields.ts';
import { type RuleFields, ticksField, type WatchForm, watchForm, watchFormIds } from './watch-form-view.ts';

/** The part of the form's state that no field shows. */
const Memo = z.object({
  edited: z
    .object({ title: z.string(), channelId: z.string(), ownerId: z.string(), isOwn: z.boolean() })
    .nullable(),
  isPort: z.boolean(),
  /** The last chosen channel. It counts while the form hides the channel field. */
  channelId: z.string(),
  /** True after “More settings” was pressed. */
  isWide: z.boolean(),
  base: watchRules.rules,
  first: z.record(z.string(), z.string()),
});

const Target = z.object({
  /** The watch to edit. */
  watchId: z.string().optional(),
  /** For a new watch: the first text of the field “What to watch”. */
  subject: z.string().optional(),
  /** For a form opened from a message: the number of vessels named in that message. */
  found: z.number().optional(),
});
type Target = z.infer<typeof Target>;

/** “Watch a vessel”, and “Edit” of an existing watch. */
export const watch = form<Target, WatchFormState>({
  name: 'watch',
  target: Target,
  open: (target, ctx) =>
    target.watchId === undefined ? openNew(target, ctx) : openEdit(target.watchId, ctx),
  view: (state) => watchForm(state),
  memo: (state) => Memo.parse(state),
  read,
  async act({ id }, state, ctx) {
    switch (id) {
      case watchFormIds.name:
        return { kind: 'form', name: 'name', target: {} };
      case watchFormIds.dryRun: {
        const values = readForm(state, ctx);
        const run = () => dryRunFromForm(state, values, ctx);
        return { kind: 'slow', title: 'Preview notifications', run };
      }
      case watchFormIds.more:
        return { kind: 'state', state: await redraw({ ...state, isWide: true }, ctx) };
      default:
        return { kind: 'state', state: await redraw(state, ctx) };
    }
  },
  submit: (state, ctx) =>
    state.watchId === undefined ? addFromForm(state, ctx) : editFromForm(state.watchId, state, ctx),
  instead: ({ subject }) => `watch ${subject || '9461477 eta 6h'}`,
});

function stateOfRules(rules: Rules, isPort: boolean, { now, actor }: AskCtx) {
  const first = fieldsOf(rules, { now: now(), zone: actor.zone });
  return { isPort, base: rules, ticked: tickedKeys(rules, isPort), first, fields: first, isWide: false };
}

async function openNew({ subject = '', found }: Target, ctx: AskCtx): Promise<WatchFormState> {
  const { text, isPort, isOneVessel } = await describeSubject(subject, ctx);
  const { channelId, destination } = placeIn(ctx);
  return {
    ...stateOfRules(watchRules.defaultsFor({ isOneVessel }), isPort, ctx),
    watchId: undefined,
    edited: null,
    ownerId: undefined,
    what: subject,
    parsed: found === undefined ? text : describeFound(text, found),
    where: destination === 'direct-message' ? 'me' : 'channel',
    channelId: destination === 'channel' ? channelId : '',
  };
}

async function openEdit(watchId: string, ctx: AskCtx): Promise<WatchFormState> {
  const watch = await getToChange(watchId, ctx);
  const { title, channelId, destination, ownerId, rules } = watch;
  const state = stateOfRules(rules, isOfPort(watch), ctx);
  return {
    ...state,
    // All that the watch does is seen, also what has no box, such as quiet hours.
    isWide: Object.values(state.first).some((text) => text !== ''),
    watchId,
    edited: { title, channelId, ownerId, isOwn: destination === 'direct-message' },
    ownerId,
    what: '',
    parsed: '',
    where: 'channel',
    channelId,
  };
}

function read(filled: FieldValues, { target, memo }: { target: Target; memo: unknown }): WatchFormState {
  const { text, ticked } = filled;
  const opened = Memo.parse(memo);
  // A field that the form doesn't show is empty.
  const fields = {
    ...Object.fromEntries(Object.keys(opened.first).map((id) => [id, text(id)])),
    ends: ticked('ends').join(),
  };
  return {
    ...opened,
    watchId: target.watchId,
    what: text('what'),
    parsed: '',
    ...readPlace(filled, opened.channelId),
    ownerId: text('owner') || opened.edited?.ownerId,
    ticked: ticked(ticksField(opened.isPort)),
    fields: opened.isWide ? fields : opened.first,
  };
}

/** Describes the subject again. If it has become a port, or is no longer a port, ticks the default boxes. */
async function redraw(state: WatchFormState, ctx: AskCtx): Promise<WatchFormState> {
  if (state.edited) return { ...state, parsed: '' };
  const { text: parsed, isPort } = await describeSubject(state.what, ctx);
  return {
    ...state,
    parsed,
    ...(isPort !== state.isPort && { isPort, ticked: tickedKeys(state.base, isPort) }),
  };
}

interface WatchFormState extends WatchForm {
  /** Undefined for a new watch. */
  watchId: string | undefined;
  /** The chosen owner; undefined for a new watch. */
  ownerId: string | undefined;
  /** The fields of the rules when the form was opened. */
  first: RuleFields;
}

interface FormValues {
  /** Undefined for an edit, which keeps its subject. */
  subject: WatchSubject | undefined;
  rules: Rules;
}

/** Reads all fields at once; throws FieldErrors. */
function readForm(state: WatchFormState, ctx: AskCtx): FormValues {
  const { edited, base, fields } = state;
  const { what: subject, ...values } = readFields({
    what: () => (edited ? undefined : readSubject(state.what, ctx)),
    channel: () => checkPlace(state),
    ...fieldReaders(state, {
      now: ctx.now(),
      ...{ zone: ctx.actor.zone, dateOrder: dateOrderOf(ctx.actor.locale) },
    }),
  });
  const isPort = subject ? isAboutPort(subject) : state.isPort;
  // If the form was sent before it showed the boxes of this kind of subject, the default boxes count as ticked.
  const ticked = isPort === state.isPort ? state.ticked : tickedKeys(base, isPort);
  const rules = rulesOfFields(values, { ticked, isPort, ends: fields.ends !== '', base });
  if (!isAnyOn(rules, { ticked, isPort })) {
    throw new FieldErrors({
      [ticksField(state.isPort)]: 'Tick at least one: otherwise there is nothing to notify you of.',
    });
  }
  if (subject && !isPort) checkOneVessel(rules.due, isOneVessel(subject));
  return { subject, rules };
}

/** Throws FieldErrors. */
function checkOneVessel(dates: readonly Due[], isOne: boolean): void {
  if (dates.length > 0 && !isOne) throw new FieldErrors({ due: 'A due date is about one vessel.' });
}

const placeOf = ({ where, channelId }: Pick<WatchFormState, 'where' | 'channelId'>) =>
  where === 'me' ? { isPersonal: true } : { channelId };

const question = (asked: ChangeQuestion, ctx: AskCtx) =>
  replyOf(changeQuestion(asked, { now: ctx.now(), isInWindow: true }), ctx);

/** Throws FieldErrors, also for errors that occur only when the watch is saved. */
async function addFromForm(state: WatchFormState, ctx: AskCtx) {
  const { subject, rules } = readForm(state, ctx);
  if (!subject) throw new Error('a new watch has a subject');
  const values = { subject, rules, ...placeOf(state) };
  const { request, added } = await addWatch(values, ctx)
    .catch(withDetails(addButtons(values)))
    .catch((error: unknown) => throwBesideField(error, state));
  if (added.kind === 'question') return question(added, ctx);
  // That of a personal watch is the direct message.
  const { channelId } = added.watch;
  return { channelId, ...replyOf(savedAnswer(request, added, ctx), ctx) };
}

async function dryRunFromForm(
  { watchId = '', ...state }: WatchFormState,
  { subject, rules }: FormValues,
  ctx: AskCtx,
) {
  if (subject) {
    const previewed = await previewWatch({ subject, rules, ...placeOf(state) }, ctx);
    return replyOf(previewAnswer(previewed, ctx), ctx);
  }
  const watch = await getToChange(watchId, ctx);
  const request = { ...watch, ...targetOf(watch), rules };
  const estimate = await previewRequested(request, ctx);
  return replyOf(previewAnswer({ request, estimate }, ctx), ctx);
}

/** Saves only what was changed in the form, so changes that others have made since it was opened remain. */
async function editFromForm(watchId: string, state: WatchFormState, ctx: AskCtx) {
  const { rules: to } = readForm(state, ctx);
  const current = await getToChange(watchId, ctx);
  const { channelId } = current;
  const rules = withChanges(current.rules, { from: state.base, to });
  const known = new Set(current.rules.due.map(dueKey));
  checkOneVessel(
    rules.due.filter((due) => !known.has(dueKey(due))),
    isOfOneVessel(current),
  );
  const ownerId = state.ownerId === state.edited?.ownerId ? current.ownerId : state.ownerId;
  const isHandedOver = ownerId !== undefined && ownerId !== current.ownerId;
  if (isDeepStrictEqual(rules, current.rules) && !isHandedOver)
    return { channelId, ...replyOf(editedAnswer({ watch: current }), ctx) };
  const change = { rules, ...(isHandedOver && { ownerId }) };
  const edited = await editWatch(watchId, change, ctx).catch(rethrowBeside('owner'));
  if (edited.kind === 'question') return { channelId, ...question(edited, ctx) };
  const handedOver = isHandedOver && { newOwnerId: ownerId };
  return { channelId, ...replyOf(editedAnswer({ ...edited, ...handedOver }), ctx) };
}

/** The field where each error can be corrected. Errors that aren't listed can't be corrected in the form. */
const fieldByCode: Partial<Record<UserError['code'], 'channel' | 'what'>> = {
  'bad-channel': 'channel',
  'not-allowed': 'channel',
  'unknown-list': 'what',
  'unknown-fleet': 'what',
  'too-many-vessels': 'what',
};

function throwBesideField(error: unknown, { where }: WatchFormState): never {
  const field = error instanceof UserError ? fieldByCode[error.code] : undefined;
  if (!(error instanceof UserError) || field === undefined) throw error;
  const shownField = field === 'channel' && where === 'me' ? 'where' : field;
  throw new FieldErrors({ [shownField]: fieldText(error) }, { cause: error });
}

/** Reads what could be typed after `/watch`, with or without that word. Throws UserError. */
export function readSubject(typed: string, { vessels }: Pick<AskCtx, 'vessels'>): WatchSubject {
  return parseWatchSubject(cleanLine(typed).replace(/^watch\s+/i, ''), {
    line: (fixed) => `watch ${fixed}`,
    example: 'watch 9461477',
    vessels,
  });
}

/** Says which subject the text means, or what is wrong with the text. Empty for an empty field. */
export async function describeSubject(
  typed: string,
  ctx: AskCtx,
): Promise<{ text: string; isPort: boolean; isOneVessel: boolean }> {
  if (typed.trim() === '') return { text: '', isPort: false, isOneVessel: true };
  try {
    const subject = readSubject(typed, ctx);
    const text = `✓ ${await inWords(subject, ctx)}${whereInWords(subject)}`;
    return { text, isPort: isAboutPort(subject), isOneVessel: isOneVessel(subject) };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { text: `⚠ ${fieldText(error)}`, isPort: false, isOneVessel: true };
  }
}

/** Describes the vessels that a message names. `found` counts also those that don't fit into one watch. */
function describeFound(text: string, found: number): string {
  if (found === 0) return 'No IMO number and no known vessel name was found in that message.';
  const leftOut = found - maxVessels;
  return leftOut > 0 ? `${text}. ${leftOut} more in that message don't fit into one watch.` : text;
}

const whereInWords = (subject: WatchSubject): string =>
  subject.kind === 'port' || subject.at === undefined ? '' : `: who is expected at ${portLabel(subject.at)}`;

async function inWords(subject: WatchSubject, ctx: AskCtx): Promise<string> {
  switch (subject.kind) {
    case 'vessels': {
      const { nameOf } = ctx.vessels;
      const words = subject.imos.map((imo) => {
        const name = nameOf(imo);
        return name === undefined ? `IMO ${imo}, which has no name here yet` : `${name} (IMO ${imo})`;
      });
      return words.join(', ');
    }
    case 'fleet': {
      const { name, imos } = await getFleet(subject.name, (words) => `watch ${words}`, ctx);
      return `Fleet ${name}, ${counted(imos.length, 'vessel')} now`;
    }
    case 'list':
      return `List ${subject.name}, which the provider keeps`;
    case 'port':
      return `Port ${portLabel(subject.port)}: who is coming`;
  }
}
