import { isDeepStrictEqual } from 'node:util';
import { UserError } from '../../../errors.ts';
import { besideOwner, FieldErrors, fieldText, readFields } from '../../../messages/field-errors.ts';
import type { Reader } from '../../../messages/message.ts';
import { actorIn } from '../../run-context.ts';
import { addWatchOf, shownEstimate } from '../commands/add-watch.ts';
import type { Rules } from '../rules/index.ts';
import type { WatchesContext } from '../services.ts';
import type { WatchWithFollowings } from '../store/watch-list.ts';
import { type WatchAdded, watchAddedView } from '../views/watch-added.ts';
import { watchEditedView } from '../views/watch-edited.ts';
import { ticksField, type WatchForm } from '../views/watch-form.ts';
import type { WatchSubject } from '../words/subject.ts';
import {
  fieldReaders,
  isAnyOn,
  type RuleFields,
  rulesOfFields,
  ticksOf,
  withChanges,
} from './rule-fields.ts';
import { readSubject } from './subject-field.ts';

/** The watch form as it is open. */
export interface WatchFormState extends WatchForm {
  /** Undefined for a new watch. */
  watchId: string | undefined;
  /** Chosen as its owner; undefined for a new watch. */
  ownerId: string | undefined;
  /** What stood in the fields of the rules when it was opened. */
  first: RuleFields;
}

export interface Wanted {
  /** Undefined for an edit: it keeps its own. */
  subject: WatchSubject | undefined;
  rules: Rules;
}

/** All fields at once; throws FieldErrors. */
export function readWanted(state: WatchFormState, context: WatchesContext): Wanted {
  const { edited, base, fields } = state;
  const reader = { now: context.now(), zone: context.actor.zone };
  const { what: subject, ...read } = readFields({
    what: () => (edited ? undefined : readSubject(state.what, context)),
    channel: () => {
      if (!edited && state.where === 'channel' && state.channelId === '') throw noChannel();
    },
    ...fieldReaders(state, reader),
  });
  const isPort = subject ? subject.kind === 'port' : state.isPort;
  // Sent before the other ticks were shown: then it has the usual ones.
  const ticked = isPort === state.isPort ? state.ticked : ticksOf(base, isPort);
  const rules = rulesOfFields(read, { ticked, isPort, ends: fields.ends !== '', base });
  if (!isAnyOn(rules, { ticked, isPort })) {
    throw new FieldErrors({
      [ticksField(state.isPort)]: 'Tick at least one: else there is nothing to notify of.',
    });
  }
  return { subject, rules };
}

const placeIn = ({ where, channelId }: WatchFormState) => (where === 'me' ? { toMe: true } : { channelId });

const noChannel = () =>
  new UserError({
    code: 'bad-channel',
    message: 'Choose a channel, or be notified alone, in a direct message.',
  });

/** Throws FieldErrors too for what turns out only when it is saved. */
export async function addFromForm(state: WatchFormState, context: WatchesContext) {
  const { subject, rules } = readWanted(state, context);
  if (!subject) throw new Error('a new watch has a subject');
  const args = { subject, rules, ...placeIn(state), isDryRun: false };
  const answer = await addWatchOf(args, {}, context).catch((error: unknown) => besideField(error, state));
  // What is for oneself is in the direct message.
  const added = await context.watches.find(answer.watchId ?? '');
  const view = (reader: Reader) => watchAddedView(answer, reader);
  return { view, ...(added && { channelId: added.channelId }) };
}

export async function dryRunFromForm(
  state: WatchFormState,
  { subject, rules }: Wanted,
  context: WatchesContext,
) {
  const actor = actorIn(context);
  const answer = subject
    ? await addWatchOf({ subject, rules, ...placeIn(state), isDryRun: true }, {}, context)
    : await dryRunOfEdit(await context.watches.getToChange(state.watchId ?? '', actor), rules, context);
  return { view: (reader: Reader) => watchAddedView(answer, reader) };
}

async function dryRunOfEdit(
  { channelId, destination, title, followings }: WatchWithFollowings,
  rules: Rules,
  context: WatchesContext,
): Promise<WatchAdded> {
  const actor = actorIn(context);
  const [first, ...others] = followings.map(({ subject }) => subject);
  if (!first) throw new Error('a watch follows something');
  const request = { channelId, destination, title, subjects: [first, ...others], rules } as const;
  return {
    kind: 'watch-added',
    how: 'would-be-added',
    title,
    isPort: first.kind === 'port',
    vessels: followings.length,
    ...(channelId !== actor.channelId && { place: { channelId, destination } }),
    rules,
    estimate: shownEstimate(await context.watches.dryRun(request, actor), rules, context),
  };
}

/** Somebody else may have changed the watch since the form was opened: what they changed stays. */
export async function editFromForm(watchId: string, state: WatchFormState, context: WatchesContext) {
  const actor = actorIn(context);
  const { rules: to } = readWanted(state, context);
  const current = await context.watches.getToChange(watchId, actor);
  const { title, channelId } = current;
  const rules = withChanges(current.rules, { from: state.base, to });
  const ownerId = state.ownerId === state.edited?.ownerId ? current.ownerId : state.ownerId;
  const isHandedOver = ownerId !== undefined && ownerId !== current.ownerId;
  const about = { title, watchId, isPort: state.isPort, rules, channelId };
  if (isDeepStrictEqual(rules, current.rules) && !isHandedOver) {
    return { channelId, view: (reader: Reader) => watchEditedView(about, reader) };
  }
  const change = { rules, ...(isHandedOver && { ownerId }) };
  const { undo } = await context.watches.edit(watchId, change, actor).catch(besideOwner);
  const handed = isHandedOver && { newOwnerId: ownerId };
  return { channelId, view: (reader: Reader) => watchEditedView({ ...about, undo, ...handed }, reader) };
}

/** What turns out only when it is done, beside the field that can mend it. */
function besideField(error: unknown, state: WatchFormState): never {
  const field = error instanceof UserError ? fieldOf(error, state) : undefined;
  // Without a field there is nothing that the form could mend.
  if (!(error instanceof UserError) || field === undefined) throw error;
  throw new FieldErrors({ [field]: fieldText(error) }, { cause: error });
}

function fieldOf({ code }: UserError, { where }: WatchFormState): 'channel' | 'where' | 'what' | undefined {
  switch (code) {
    case 'bad-channel':
    case 'not-allowed':
      return where === 'me' ? 'where' : 'channel';
    case 'unknown-list':
    case 'unknown-fleet':
    case 'too-many-vessels':
      return 'what';
    default:
      return undefined;
  }
}
