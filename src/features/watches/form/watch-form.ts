import { z } from 'zod';
import { type AskCtx, placeIn } from '../../ctx.ts';
import { type FieldValues, form } from '../../feature.ts';
import type { Rules } from '../../rules/list.ts';
import { watchRules } from '../../rules/registry.ts';
import { getToChange } from '../change-watch.ts';
import { isOfPort } from '../store/watch-list.ts';
import { fieldsOf, tickedKeys } from './rule-fields.ts';
import { describeFound, describeSubject } from './subject-field.ts';
import { addFromForm, dryRunFromForm, editFromForm, readForm, type WatchFormState } from './submit-watch.ts';
import { ticksField, watchForm, watchFormIds } from './watch-form-view.ts';

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
  return {
    ...stateOfRules(rules, isOfPort(watch), ctx),
    watchId,
    edited: { title, channelId, ownerId, isOwn: destination === 'direct-message' },
    ownerId,
    what: '',
    parsed: '',
    where: 'channel',
    channelId,
  };
}

function read(
  { text, ticked }: FieldValues,
  { target, memo }: { target: Target; memo: unknown },
): WatchFormState {
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
    where: text('where') === 'me' ? 'me' : 'channel',
    channelId: text('channel') || opened.channelId,
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
