import { z } from 'zod';
import { defineForm, type Filled } from '../../form.ts';
import { actorIn, placeIn } from '../../run-context.ts';
import type { Rules } from '../rules/index.ts';
import { defaultRules, watchRules } from '../rules/registry.ts';
import type { WatchesContext, WatchesServices } from '../services.ts';
import { ticksField, watchForm, watchFormIds } from '../views/watch-form.ts';
import { fieldsOf, type RuleFields, ticksOf } from './rule-fields.ts';
import { parsedOfMessage, parseSubject } from './subject-field.ts';
import {
  addFromForm,
  dryRunFromForm,
  editFromForm,
  readWanted,
  type Wanted,
  type WatchFormState,
} from './submit-watch.ts';

/** What no field shows. `first`: what stood in the fields when the form was opened. */
const Memo = z.object({
  edited: z
    .object({ title: z.string(), channelId: z.string(), ownerId: z.string(), isOwn: z.boolean() })
    .nullable(),
  isPort: z.boolean(),
  /** The one chosen last, while the form asks for none. */
  channelId: z.string(),
  isWide: z.boolean(),
  base: watchRules.rules,
  first: z.record(z.string(), z.string()),
});

/** `subject`: words to begin with; `found`: how many vessels a message names; `watchId`: one to change. */
const Target = z.object({
  watchId: z.string().optional(),
  subject: z.string().optional(),
  found: z.number().optional(),
});
type Target = z.infer<typeof Target>;

/** «Watch a vessel», and «Edit» of a watch that there is. */
export const watch = defineForm<Target, WatchFormState, WatchesServices>({
  name: 'watch',
  target: Target,
  open: ({ watchId, subject = '', found }, context) =>
    watchId === undefined ? openNew({ subject, found }, context) : openEdit(watchId, context),
  view: (state) => watchForm(state),
  memo: ({ edited, isPort, channelId, isWide, base, first }): z.input<typeof Memo> => ({
    edited,
    isPort,
    channelId,
    isWide,
    base,
    first,
  }),
  read,
  async act({ id }, state, context) {
    switch (id) {
      case watchFormIds.name:
        return { kind: 'form', name: 'name', target: {} };
      case watchFormIds.dryRun:
        return dryRunStep(state, readWanted(state, context), context);
      default:
        return { kind: 'state', state: await changed(state, { isWide: id === watchFormIds.more }, context) };
    }
  },
  submit: (state, context) =>
    state.watchId === undefined ? addFromForm(state, context) : editFromForm(state.watchId, state, context),
  instead: ({ subject }) => `watch ${subject || '9461477 eta 6h'}`,
});

/** The service is asked, which may take longer than Slack lets a window open. */
const dryRunStep = (state: WatchFormState, wanted: Wanted, context: WatchesContext) => ({
  kind: 'slow' as const,
  title: 'Preview notifications',
  run: () => dryRunFromForm(state, wanted, context),
});

function begin(rules: Rules, { now, actor }: WatchesContext, { isPort }: { isPort: boolean }) {
  const first = fieldsOf(rules, { now: now(), zone: actor.zone });
  return { isPort, base: rules, ticked: ticksOf(rules, isPort), first, fields: first, isWide: false };
}

async function openNew(
  { subject, found }: { subject: string; found: number | undefined },
  context: WatchesContext,
): Promise<WatchFormState> {
  const { text, isPort } = await parseSubject(subject, context);
  const { channelId, destination } = placeIn(context);
  return {
    ...begin(defaultRules, context, { isPort }),
    watchId: undefined,
    edited: null,
    ownerId: undefined,
    what: subject,
    parsed: found === undefined ? text : parsedOfMessage(text, found),
    where: destination === 'direct-message' ? 'me' : 'channel',
    channelId: destination === 'channel' ? channelId : '',
  };
}

async function openEdit(watchId: string, context: WatchesContext): Promise<WatchFormState> {
  const actor = actorIn(context);
  const watched = await context.watches.getToChange(watchId, actor);
  const { title, channelId, destination, ownerId, rules, followings } = watched;
  return {
    ...begin(rules, context, { isPort: followings[0]?.subject.kind === 'port' }),
    watchId,
    edited: { title, channelId, ownerId, isOwn: destination === 'direct-message' },
    ownerId,
    what: '',
    parsed: '',
    where: 'channel',
    channelId,
  };
}

function read(filled: Filled, { target, memo }: { target: Target; memo: unknown }): WatchFormState {
  const { first, ...opened } = Memo.parse(memo);
  const { text } = filled;
  return {
    ...opened,
    first,
    watchId: target.watchId,
    what: text('what'),
    parsed: '',
    where: text('where') === 'me' ? 'me' : 'channel',
    channelId: text('channel') || opened.channelId,
    ownerId: text('owner') || opened.edited?.ownerId,
    ticked: filled.ticked(ticksField(opened.isPort)),
    fields: opened.isWide ? typedFields(filled, first) : first,
  };
}

/** A field that this kind of watch has not is empty. */
const typedFields = ({ text, ticked }: Filled, first: RuleFields): RuleFields => ({
  ...Object.fromEntries(Object.keys(first).map((id) => [id, text(id)])),
  ends: ticked('ends').join(),
});

/** As it is drawn again; a subject of another kind has its own events. */
async function changed(
  state: WatchFormState,
  { isWide }: { isWide: boolean },
  context: WatchesContext,
): Promise<WatchFormState> {
  const { text, isPort } = state.edited
    ? { text: '', isPort: state.isPort }
    : await parseSubject(state.what, context);
  const isOther = isPort !== state.isPort;
  return {
    ...state,
    parsed: text,
    isPort,
    isWide: state.isWide || isWide,
    ...(isOther && { ticked: ticksOf(state.base, isPort) }),
  };
}
