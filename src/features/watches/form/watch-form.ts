import { z } from 'zod';
import { defineForm, type Filled } from '../../form.ts';
import { actorIn } from '../../run-context.ts';
import { defaultRules, type Rules, rules as rulesSchema } from '../evaluation/rules.ts';
import type { WatchesContext, WatchesServices } from '../services.ts';
import { toldField, watchForm, watchFormIds } from '../views/watch-form.ts';
import { figuresOf, ticksOf, toldBy } from './rule-figures.ts';
import { hear, heardOfMessage } from './subject-field.ts';
import {
  addFromForm,
  dryRunFromForm,
  editFromForm,
  readWanted,
  type Wanted,
  type WatchFormState,
} from './submit-watch.ts';

const Figures = z.object({
  eta: z.string(),
  below: z.string(),
  arriving: z.string(),
  overdue: z.string(),
  due: z.string(),
  quiet: z.string(),
  ends: z.boolean(),
});

/** What no field shows. `first`: what stood in the fields when the form was opened. */
const Memo = z.object({
  edited: z
    .object({ title: z.string(), channelId: z.string(), ownerId: z.string(), isOwn: z.boolean() })
    .nullable(),
  isPort: z.boolean(),
  /** The one chosen last, while the form asks for none. */
  channelId: z.string(),
  isWide: z.boolean(),
  base: rulesSchema,
  first: Figures,
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
  title: 'What would it tell?',
  run: () => dryRunFromForm(state, wanted, context),
});

function begin(rules: Rules, { now, actor }: WatchesContext, { isPort }: { isPort: boolean }) {
  const first = figuresOf(rules, { now: now(), zone: actor.zone });
  const told = ticksOf(rules, { isPort });
  return { isPort, base: rules, usual: defaultRules, told, first, figures: first, isWide: false };
}

async function openNew(
  { subject, found }: { subject: string; found: number | undefined },
  context: WatchesContext,
): Promise<WatchFormState> {
  const actor = actorIn(context);
  const { text, isPort } = await hear(subject, context);
  const { channelId } = actor;
  const isChannel = /^[CG]/.test(channelId);
  return {
    ...begin(defaultRules, context, { isPort }),
    watchId: undefined,
    edited: null,
    ownerId: undefined,
    what: subject,
    heard: found === undefined ? text : heardOfMessage(text, found),
    where: channelId.startsWith('D') ? 'me' : 'channel',
    channelId: isChannel ? channelId : '',
  };
}

async function openEdit(watchId: string, context: WatchesContext): Promise<WatchFormState> {
  const actor = actorIn(context);
  const { title, channelId, ownerId, rules, followings } = await context.watches.changeable(watchId, actor);
  const isOwn = channelId === ownerId || channelId.startsWith('D');
  return {
    ...begin(rules, context, { isPort: followings[0]?.subject.kind === 'port' }),
    watchId,
    edited: { title, channelId, ownerId, isOwn },
    ownerId,
    what: '',
    heard: '',
    where: 'channel',
    channelId,
  };
}

function read(filled: Filled, { target, memo }: { target: Target; memo: unknown }): WatchFormState {
  const { first, ...kept } = Memo.parse(memo);
  const { text } = filled;
  const ticked = filled.ticked(toldField(kept.isPort));
  return {
    ...kept,
    first,
    usual: defaultRules,
    watchId: target.watchId,
    what: text('what'),
    heard: '',
    where: text('where') === 'me' ? 'me' : 'channel',
    channelId: text('channel') || kept.channelId,
    ownerId: text('owner') || kept.edited?.ownerId,
    told: toldBy(kept.isPort).filter((rule) => ticked.includes(rule)),
    figures: kept.isWide
      ? {
          eta: text('eta'),
          below: text('below'),
          arriving: text('arriving'),
          overdue: text('overdue'),
          due: text('due'),
          quiet: text('quiet'),
          ends: filled.ticked('ends').includes('ends'),
        }
      : first,
  };
}

/** As it is drawn again; a subject of another kind has its own events. */
async function changed(
  state: WatchFormState,
  { isWide }: { isWide: boolean },
  context: WatchesContext,
): Promise<WatchFormState> {
  const { text, isPort } = state.edited
    ? { text: '', isPort: state.isPort }
    : await hear(state.what, context);
  const isOther = isPort !== state.isPort;
  return {
    ...state,
    heard: text,
    isPort,
    isWide: state.isWide || isWide,
    ...(isOther && { told: ticksOf(state.base, { isPort }) }),
  };
}
