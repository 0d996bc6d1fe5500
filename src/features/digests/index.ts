import { toReply } from '../../answers/slack/render.ts';
import { actorIn, privateReader } from '../ctx.ts';
import type { Action, Feature, HomeSection } from '../feature.ts';
import { actionIds, confirmation, homeRow, removeQuestion } from './answer.ts';
import { digestCommand } from './command.ts';
import { digestActs, digestToChange, listDigests, pausableDigests } from './digests.ts';
import { digestForm } from './form.ts';
import { digestMessages } from './outgoing.ts';
import { runDueDigests } from './run-due.ts';

export { forgetRemovedDigests } from './digest-store.ts';
export { digestRuns } from './digests.ts';
export { dueDigests } from './run-due.ts';
export { formatSchedule, schedule } from './schedule.ts';

/** What buttons do. Their value is the digest's id; the message with the button stays as it is. */
const actions: readonly Action[] = [
  ...(['run', 'pause', 'resume', 'remove'] as const).map(
    (does): Action => ({
      id: actionIds[does],
      replacesMessage: false,
      async run(digestId, ctx) {
        const { act, did } = digestActs[does];
        const answer = confirmation(await act(digestId, actorIn(ctx), ctx), did);
        return toReply(answer, { reader: privateReader(ctx), ...ctx.registry });
      },
    }),
  ),
  {
    id: actionIds.askToRemove,
    replacesMessage: false,
    repeatable: true,
    onlyAsks: false,
    async run(digestId, ctx) {
      const question = removeQuestion(await digestToChange(digestId, actorIn(ctx), ctx));
      const message = toReply(question, { reader: privateReader(ctx), ...ctx.registry });
      await ctx.openMessage(message, 'digest list mine');
      return undefined;
    },
  },
];

const home: HomeSection = {
  name: 'digests',
  label: 'Digests',
  opener: { form: 'digest', label: 'Add a digest …' },
  firstStep: '*Add a digest.* The answers that you need each morning, with what is new on top.',
  empty: 'No digests here yet. For example: `/digest add weekdays 08:00: portcalls NLRTM next 3 days`',
  hasOwners: true,
  async read({ scope, ...page }, ctx) {
    const { digests, total } = await listDigests(scope, actorIn(ctx), page, ctx);
    return { total, rows: (reader) => digests.map((digest) => homeRow(digest, reader)) };
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
