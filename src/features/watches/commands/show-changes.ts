import type { Choice } from '../../../errors.ts';
import { vesselShort } from '../../../messages/formatting/vessel-label.ts';
import type { Imo } from '../../../reference/imo.ts';
import type { Locode } from '../../../reference/locode.ts';
import { portLabel } from '../../../reference/ports.ts';
import { actorIn, knownVessel } from '../../run-context.ts';
import type { WatchesContext } from '../service/watch-service.ts';
import type { WatchChangesAnswer } from '../views/watch-changes.ts';
import { isSinceMidnight, resolveSince, type Since, sinceMinute, today } from '../../changes/index.ts';
import { formatWatchLine, type WatchArgs } from './parse-watch-line.ts';

type ChangesArgs = Extract<WatchArgs, { kind: 'changes' }>;

/** What has changed for the vessels and ports that are watched here; in a direct message, for the person's own. */
export async function showChanges(args: ChangesArgs, context: WatchesContext): Promise<WatchChangesAnswer> {
  const { actor, place, vessels, now, lastSentAt } = context;
  const zone = actor.zone ?? 'UTC';
  // Each digest goes on where the one before it ended; its buttons ask about the same time.
  const goesOn = lastSentAt !== undefined && lastSentAt < now() && isSinceMidnight(args.since);
  const asked = goesOn ? { ...args, since: sinceMinute(lastSentAt, zone) } : args;
  const since = resolveSince(asked.since, { now: now(), zone });
  const isOwn = args.channelId === undefined && place?.destination === 'direct-message';
  const scope = isOwn && args.scope === 'channel' ? 'mine' : args.scope;
  const found = await context.watches.changes(scope, actorIn(context), since);
  const { channelId, page } = args;
  const titleOf = (subject: Imo | Locode) =>
    typeof subject === 'string' ? portLabel(subject) : vesselShort(knownVessel(subject, vessels));
  return {
    ...found,
    kind: 'watch-changes',
    line: formatWatchLine(asked),
    listLine: formatWatchLine({ kind: 'list', scope, page: 1, channelId }),
    otherTimes: otherTimes(asked),
    scope,
    page,
    since,
    zone,
    changes: found.changes.map((change) => ({
      ...change,
      ...knownVessel(change.imo, vessels),
      references: vessels.referencesOf(change.imo),
    })),
    late: found.late.map(({ subject, since: at }) => ({ title: titleOf(subject), since: at })),
    unchecked: found.unchecked.map(titleOf),
  };
}

const times: readonly { label: string; since: Since }[] = [
  { label: 'Today', since: today },
  { label: 'Since yesterday', since: { kind: 'time', day: 'yesterday' } },
  {
    label: 'The last 7 days',
    since: { kind: 'period', period: { kind: 'last', amount: 7, unit: 'days' } },
  },
];

function otherTimes(args: ChangesArgs): Choice[] {
  const lineOf = (since: Since) => formatWatchLine({ ...args, since, page: 1 });
  return times
    .map(({ label, since }) => ({ label, line: lineOf(since) }))
    .filter(({ line }) => line !== lineOf(args.since));
}
