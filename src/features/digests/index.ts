import { replyTo } from '../command.ts';
import { actorIn } from '../ctx.ts';
import type { Action, Feature, HomeSection } from '../feature.ts';
import { askToEnd } from '../owned/index.ts';
import { homeRow } from './answer.ts';
import { digestCommand } from './command.ts';
import { actionIds, digestKind } from './digest.ts';
import { digestToChange, listDigests, pausableDigests } from './digests.ts';
import { digestForm } from './form.ts';
import { digestMessages } from './outgoing.ts';
import { runDueDigests } from './run-due.ts';
import { actOn, digestActor } from './use-cases.ts';
import { exampleLine } from './words.ts';

export { actionIds as digestActionIds, digestKind } from './digest.ts';
export { forgetRemovedDigests, readAllDigests, titleOfDigest } from './digest-store.ts';
export { digestRuns } from './digests.ts';
export { callsAMonth, planDays, plannedDigestCalls } from './planned-calls.ts';
export { dueDigests } from './run-due.ts';
export { formatSchedule, schedule } from './schedule.ts';

/** The message with the button stays as it is. */
const actions: readonly Action[] = [
  ...(['run', 'pause', 'resume', 'remove', 'restore'] as const).map(
    (does): Action => ({
      id: actionIds[does],
      replacesMessage: false,
      run: async (digestId, ctx) => replyTo(await actOn(does, digestId, ctx), ctx),
    }),
  ),
  askToEnd(digestKind, actionIds.askToRemove, (id, ctx) => digestToChange(id, digestActor(ctx), ctx)),
];

const home: HomeSection = {
  name: 'digests',
  label: 'Digests',
  opener: { form: 'digest', label: 'Add a digest …' },
  firstStep: {
    strong: 'Add a digest.',
    rest: ' The answers that you need each morning, with what is new on top.',
  },
  empty: ['No digests here yet. For example: ', { code: `/${exampleLine}` }],
  hasOwners: true,
  async read({ scope, ...page }, ctx) {
    const { digests, total } = await listDigests(scope, actorIn(ctx), page, ctx);
    return { total, rows: digests.map((digest) => homeRow(digest, ctx.now())) };
  },
};

/** Saved command lines on a schedule, with what is new on top. */
export const digests: Feature = {
  commands: [digestCommand],
  forms: [digestForm],
  actions,
  outgoing: digestMessages,
  pausable: pausableDigests,
  jobs: [
    {
      name: 'digests',
      // Without an account no line could be answered.
      runDue: async (now, mayClaim, ctx) =>
        (await ctx.services.account.refresh()) && runDueDigests(now, mayClaim, ctx),
    },
  ],
  home,
};
