import { isDeepStrictEqual } from 'node:util';
import type { Answer } from '../../../answers/answer.ts';
import { FieldErrors, fieldText, readFields, rethrowBeside } from '../../../answers/fields.ts';
import type { Reader } from '../../../answers/message.ts';
import { toReply } from '../../../answers/slack/render.ts';
import { UserError } from '../../../errors.ts';
import type { AskCtx } from '../../ctx.ts';
import { withDetails } from '../../outsiders.ts';
import type { Rules } from '../../rules/list.ts';
import { addButtons } from '../add-again.ts';
import { addWatch, previewRequested, previewWatch } from '../add-watch.ts';
import { editedAnswer, previewAnswer, savedAnswer } from '../added-answer.ts';
import { changeQuestion } from '../change-answers.ts';
import { editWatch, getToChange } from '../change-watch.ts';
import type { ChangeQuestion } from '../foreign-change.ts';
import { targetOf } from '../store/watch-list.ts';
import { isAboutPort, type WatchSubject } from '../words/subject.ts';
import { fieldReaders, isAnyOn, rulesOfFields, tickedKeys, withChanges } from './rule-fields.ts';
import { readSubject } from './subject-field.ts';
import { type RuleFields, ticksField, type WatchForm } from './watch-form-view.ts';

export interface WatchFormState extends WatchForm {
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
export function readForm(state: WatchFormState, ctx: AskCtx): FormValues {
  const { edited, base, fields } = state;
  const { what: subject, ...values } = readFields({
    what: () => (edited ? undefined : readSubject(state.what, ctx)),
    channel: () => {
      if (edited || state.where === 'me' || state.channelId !== '') return;
      const message = 'Choose a channel, or be notified alone, in a direct message.';
      throw new UserError({ code: 'bad-channel', message });
    },
    ...fieldReaders(state, { now: ctx.now(), zone: ctx.actor.zone }),
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
  return { subject, rules };
}

const placeOf = ({ where, channelId }: Pick<WatchFormState, 'where' | 'channelId'>) =>
  where === 'me' ? { isPersonal: true } : { channelId };

/** The answer to a form is shown in a window, to the person alone. */
const inWindow = (answer: Answer, { registry }: AskCtx) => ({
  view: (reader: Reader) => toReply(answer, { reader, lineOf: registry.lineOf }),
});

const question = (asked: ChangeQuestion, ctx: AskCtx) =>
  inWindow(changeQuestion(asked, { now: ctx.now(), isInWindow: true }), ctx);

/** Throws FieldErrors, also for errors that occur only when the watch is saved. */
export async function addFromForm(state: WatchFormState, ctx: AskCtx) {
  const { subject, rules } = readForm(state, ctx);
  if (!subject) throw new Error('a new watch has a subject');
  const values = { subject, rules, ...placeOf(state) };
  const { request, added } = await addWatch(values, ctx)
    .catch(withDetails(addButtons(values)))
    .catch((error: unknown) => throwBesideField(error, state));
  if (added.kind === 'question') return question(added, ctx);
  // That of a personal watch is the direct message.
  const { channelId } = added.watch;
  return { channelId, ...inWindow(savedAnswer(request, added, ctx), ctx) };
}

export async function dryRunFromForm(
  { watchId = '', ...state }: WatchFormState,
  { subject, rules }: FormValues,
  ctx: AskCtx,
) {
  if (subject) {
    const previewed = await previewWatch({ subject, rules, ...placeOf(state) }, ctx);
    return inWindow(previewAnswer(previewed, ctx), ctx);
  }
  const watch = await getToChange(watchId, ctx);
  const request = { ...watch, ...targetOf(watch), rules };
  const estimate = await previewRequested(request, ctx);
  return inWindow(previewAnswer({ request, estimate }, ctx), ctx);
}

/** Saves only what was changed in the form, so changes that others have made since it was opened remain. */
export async function editFromForm(watchId: string, state: WatchFormState, ctx: AskCtx) {
  const { rules: to } = readForm(state, ctx);
  const current = await getToChange(watchId, ctx);
  const { channelId } = current;
  const rules = withChanges(current.rules, { from: state.base, to });
  const ownerId = state.ownerId === state.edited?.ownerId ? current.ownerId : state.ownerId;
  const isHandedOver = ownerId !== undefined && ownerId !== current.ownerId;
  const now = ctx.now();
  if (isDeepStrictEqual(rules, current.rules) && !isHandedOver)
    return { channelId, ...inWindow(editedAnswer({ watch: current }, { now }), ctx) };
  const change = { rules, ...(isHandedOver && { ownerId }) };
  const edited = await editWatch(watchId, change, ctx).catch(rethrowBeside('owner'));
  if (edited.kind === 'question') return { channelId, ...question(edited, ctx) };
  const handedOver = isHandedOver && { newOwnerId: ownerId };
  return { channelId, ...inWindow(editedAnswer({ ...edited, ...handedOver }, { now }), ctx) };
}

/** The field in which each error can be corrected. Errors that aren't listed can't be corrected in the form. */
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
