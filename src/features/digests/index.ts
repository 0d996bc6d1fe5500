import type { Feature, FeatureSet, WatchThreads } from '../feature.ts';
import type { Pausable, PauseRefused } from '../pausable.ts';
import type { WorkCtx } from '../run-context.ts';
import type { WorkspaceServices } from '../services.ts';
import { digestActions } from './actions.ts';
import { createLinesCheck } from './check-lines.ts';
import { createDigestCommand } from './command.ts';
import { createDigestStore } from './digest-store.ts';
import { digest } from './form/digest-form.ts';
import { digestsOnHome } from './home.ts';
import { digestMessages, renderDigest } from './outgoing.ts';
import { pausableDigests } from './pausable-digests.ts';
import { createPreview } from './preview.ts';
import { createDigestRunner } from './run-due.ts';
import { createDigestLines } from './run-lines.ts';
import { createDigestService } from './service.ts';

export { digestRuns } from './digest-runs.ts';
export { forgetRemovedDigests } from './digest-store.ts';
export { dueDigests } from './run-due.ts';
export { schedule } from './schedule.ts';
export { formatSchedule } from './schedule-words.ts';

/** Saved command lines on a schedule, with what is new on top. */
export function createDigests(
  services: WorkspaceServices &
    Pick<FeatureSet, 'parseLine' | 'vessels'> & {
      pauseRefused: PauseRefused;
      watchThreads: WatchThreads;
      workCtx(): WorkCtx;
    },
): Feature {
  const { store, parseLine } = services;
  const { maxDigestsPerChannel: maxPerChannel, leaseMs } = services.settings;
  const service = createDigestService({
    ...services,
    digestStore: createDigestStore({ ...services, maxPerChannel }),
    checkAccount: services.account.check,
    checkLines: createLinesCheck(services),
  });
  const digestsServices = { digests: service, parseLine, preview: createPreview(services) };
  // A typed command has the same deadline.
  const lineRunner = createDigestLines(services, { deadlineMs: 15_000, priority: 'background' });
  const { runDue } = createDigestRunner({ ...services, ...lineRunner, leaseMs });
  const pausable: Pausable = { ...pausableDigests, resume: service.resume };
  return {
    commands: [createDigestCommand(parseLine)(digestsServices)],
    forms: [digest(digestsServices)],
    actions: digestActions(service),
    outgoing: digestMessages(store, {
      render: (message, channel) => renderDigest(message, channel, services),
      pause: (transaction, refusal, about) =>
        services.pauseRefused(transaction, refusal, { pausable, ...about }),
    }),
    pausable,
    jobs: [
      {
        name: 'digests',
        // Without an account no line could be answered.
        runDue: async (now, mayClaim) => (await services.account.refresh()) && runDue(now, mayClaim),
      },
    ],
    home: digestsOnHome(service),
  };
}
