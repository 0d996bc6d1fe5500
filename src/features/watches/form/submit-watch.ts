import { isDeepStrictEqual } from 'node:util';
import { UserError } from '../../../errors.ts';
import { FieldErrors, fieldText, readFields, rethrowBeside } from '../../../messages/field-errors.ts';
import type { Reader } from '../../../messages/message.ts';
import { withDetails } from '../../outsiders.ts';
import { actorIn } from '../../run-context.ts';
import { addButtons } from '../commands/add-again.ts';
import { addWatch, previewWatch } from '../commands/add-watch.ts';
import { changeQuestion } from '../commands/ask-to-change.ts';
import type { Rules } from '../rules/index.ts';
import type { WatchesContext } from '../service/watch-service.ts';
import { targetOf } from '../store/watch-list.ts';
import { changeQuestionView, type WatchChangeQuestion } from '../views/change-question.ts';
import { watchAddedView } from '../views/watch-added.ts';
import { watchAnswerView, watchEditedView } from '../views/watch-answer.ts';
import { type RuleFields, ticksField, type WatchForm } from '../views/watch-form.ts';
import { isAboutPort, type WatchSubject } from '../words/subject.ts';
import { fieldReaders, isAnyOn, rulesOfFields, tickedKeys, withChanges } from './rule-fields.ts';
import { readSubject } from './subject-field.ts';

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
export function readForm(state: WatchFormState, context: WatchesContext): FormValues {
  const { edited, base, fields } = state;
  const { what: subject, ...values } = readFields({
    what: () => (edited ? undefined : readSubject(state.what, context)),
    channel: () => {
      if (edited || state.where === 'me' || state.channelId !== '') return;
      const message = 'Choose a channel, or be notified alone, in a direct message.';
      throw new UserError({ code: 'bad-channel', message });
    },
    ...fieldReaders(state, { now: context.now(), zone: context.actor.zone }),
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

const placeOf = ({ where, channelId }: WatchFormState) =>
  where === 'me' ? { isPersonal: true } : { channelId };

/** Throws FieldErrors, also for errors that occur only when the watch is saved. */
export async function addFromForm(state: WatchFormState, context: WatchesContext) {
  const { subject, rules } = readForm(state, context);
  if (!subject) throw new Error('a new watch has a subject');
  const args = { subject, rules, ...placeOf(state), isDryRun: false };
  const answer = await addWatch(args, context)
    .catch(withDetails(addButtons(args)))
    .catch((error: unknown) => throwBesideField(error, state));
  // Only the stored watch has the channel of a personal watch: the direct message.
  if (answer.kind === 'watch-change-question') return inWindow(answer);
  const saved = await context.watches.find(answer.watchId ?? '');
  const view = (reader: Reader) => watchAddedView(answer, reader);
  return { view, ...(saved && { channelId: saved.channelId }) };
}

export async function dryRunFromForm(
  state: WatchFormState,
  { subject, rules }: FormValues,
  context: WatchesContext,
) {
  const answer = subject
    ? await addWatch({ subject, rules, ...placeOf(state), isDryRun: true }, context)
    : await previewEdit(state, rules, context);
  return { view: (reader: Reader) => watchAnswerView(answer, reader) };
}

async function previewEdit({ watchId = '' }: WatchFormState, rules: Rules, context: WatchesContext) {
  const watch = await context.watches.getToChange(watchId, actorIn(context));
  return await previewWatch({ ...watch, ...targetOf(watch), rules }, context);
}

/** Saves only what was changed in the form, so changes that others have made since it was opened remain. */
export async function editFromForm(watchId: string, state: WatchFormState, context: WatchesContext) {
  const actor = actorIn(context);
  const { rules: to } = readForm(state, context);
  const current = await context.watches.getToChange(watchId, actor);
  const { title, channelId } = current;
  const rules = withChanges(current.rules, { from: state.base, to });
  const ownerId = state.ownerId === state.edited?.ownerId ? current.ownerId : state.ownerId;
  const isHandedOver = ownerId !== undefined && ownerId !== current.ownerId;
  const edited = { title, watchId, isPort: state.isPort, rules, channelId };
  if (isDeepStrictEqual(rules, current.rules) && !isHandedOver) {
    return { channelId, view: (reader: Reader) => watchEditedView(edited, reader) };
  }
  const change = { rules, ...(isHandedOver && { ownerId }) };
  const answer = await context.watches.edit(watchId, change, actor).catch(rethrowBeside('owner'));
  if (answer.kind === 'question') return { channelId, ...inWindow(changeQuestion(answer)) };
  const { undo } = answer;
  const handedOver = isHandedOver && { newOwnerId: ownerId };
  return {
    channelId,
    view: (reader: Reader) => watchEditedView({ ...edited, undo, ...handedOver }, reader),
  };
}

/** The answer to a form is shown in a window. */
const inWindow = (question: WatchChangeQuestion) => ({
  view: (reader: Reader) => changeQuestionView({ ...question, isInWindow: true }, reader),
});

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
