import type { Feature, FeatureSet, WorkspaceServices } from '../feature.ts';
import type { Pausable, PauseRefused } from '../pausable.ts';
import { digestActions } from './actions.ts';
import { createLinesCheck } from './check-lines.ts';
import { createDigestCommand } from './command.ts';
import { createDigestStore, forgetRemovedDigests } from './digest-store.ts';
import { digest } from './form/digest-form.ts';
import { digestsOnHome } from './home.ts';
import { digestMessages } from './outgoing.ts';
import { pausableDigests } from './pausable-digests.ts';
import { createPreview } from './preview.ts';
import { renderDigest } from './render-digest.ts';
import { createDigestRunner } from './run-due.ts';
import { createDigestLines } from './run-lines.ts';
import { createDigestService } from './service.ts';

export { schedule } from './digest.ts';
export { formatSchedule } from './schedule-words.ts';

/** One line of a digest has as long as a command that somebody waits for. */
const lineDeadlineMs = 15_000;

/** Saved command lines on a schedule, with what is new on top. */
export function createDigests(
  services: WorkspaceServices & Pick<FeatureSet, 'parseLine' | 'vessels'> & { refused: PauseRefused },
): Feature {
  const { db, workspaceId, access, slack, now, newId, settings, parseLine } = services;
  const service = createDigestService({
    store: createDigestStore({
      db,
      newId,
      audited: services.audited,
      maxPerChannel: settings.maxDigestsPerChannel,
    }),
    workspaceId,
    access,
    checkChannel: slack.checkChannel,
    checkLines: createLinesCheck(services),
    checkOwner: slack.checkOwner,
    now,
  });
  const preview = createPreview(services);
  const own = { workspaceId, digests: service, parseLine, preview };
  const lines = createDigestLines(services, { deadlineMs: lineDeadlineMs, priority: 'background' });
  const runner = createDigestRunner({ ...services, ...lines, leaseMs: settings.leaseMs });
  const pausable: Pausable = {
    ...pausableDigests,
    async resumeIn(channelId, actor) {
      const { digests } = await service.list('mine', actor, { limit: 10_000, offset: 0 });
      const paused = digests.filter((one) => one.channelId === channelId && one.pauseReason !== null);
      for (const { id } of paused) await service.resume(id, actor);
      return paused.length;
    },
  };
  return {
    commands: [createDigestCommand(parseLine)(own)],
    forms: [digest(own)],
    actions: digestActions(service),
    outgoing: digestMessages(db, {
      render: (message, channelId) => renderDigest(message, channelId, services),
      pause: (transaction, refusal, about) =>
        services.refused(transaction, refusal, { part: pausable, ...about }),
    }),
    pausable,
    jobs: [{ name: 'digests', runDue: runner.runDue }],
    home: digestsOnHome(service),
    forgetBefore: (before) => forgetRemovedDigests(db, before),
  };
}
