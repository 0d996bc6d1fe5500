import { addHours } from 'date-fns/addHours';
import type { Imo } from '../../../reference/imo.ts';
import type { Locode } from '../../../reference/locode.ts';
import type { Prospect } from '../../../reference/stored-values.ts';
import type { DisputeEvent } from '../rules/dispute-event.ts';
import { damping } from './damping.ts';
import type { Dispute } from './state.ts';

/** The alert is edited if a probability has changed by this much, or another port leads. */
const leastChange = 0.05;

/** The dispute that an event has begun. */
export function openDispute(event: DisputeEvent): Dispute {
  const { kind, since, was, now, other, below } = event;
  // After “back and forth” the baseline is what leads now.
  const port = kind === 'back-and-forth' ? now.port : was.port;
  return {
    kind,
    since,
    was,
    port,
    rival: [was, now, ...(other ? [other] : [])].find((one) => one.port !== port)?.port ?? null,
    leader: now.port,
    ledSince: since,
    shown: [now, ...(other ? [other] : [])],
    ...(below !== undefined && { below }),
  };
}

/** The ports between which it is undecided; none if a port is only unlikely. */
export const disputedPorts = (dispute: Dispute | null): readonly Locode[] =>
  dispute?.rival && dispute.kind !== 'unlikely' ? [dispute.port, dispute.rival] : [];

/** Runs for every poll with predictions, also for muted ones. */
export const observeLeader = (dispute: Dispute, { port }: Prospect, now: Date): Dispute =>
  dispute.leader === port ? dispute : { ...dispute, leader: port, ledSince: now };

interface DisputePoll {
  imo: Imo;
  /** Likeliest first. */
  ranked: readonly Prospect[];
  now: Date;
}

/** What its alert must show after this poll; `edit` is undefined if that is what it shows. The dispute is null once settled. */
export function continueDispute(
  dispute: Dispute,
  poll: DisputePoll,
): { dispute: Dispute | null; edit?: DisputeEvent } {
  if (isSettled(dispute, poll)) return { dispute: null, edit: endDispute(dispute, poll, 'settled') };
  const shown = portsOf(dispute, poll.ranked);
  if (!isOutdated(dispute, shown)) return { dispute };
  return { dispute: { ...dispute, shown }, edit: disputeNow(dispute, { ...poll, shown }) };
}

export const endDispute = (
  dispute: Dispute,
  poll: DisputePoll,
  kind: NonNullable<DisputeEvent['end']>['kind'],
): DisputeEvent => ({
  ...disputeNow(dispute, { ...poll, shown: portsOf(dispute, poll.ranked) }),
  end: { kind, at: poll.now },
});

/** The baseline's port leads for long enough. If another port does, the vessel is diverted. */
function isSettled({ port, leader, ledSince, below }: Dispute, { ranked, now }: DisputePoll): boolean {
  const probability = ranked.find((prospect) => prospect.port === port)?.probability ?? 0;
  return leader === port && now >= addHours(ledSince, damping.settledHours) && probability >= (below ?? 0);
}

const portsOf = ({ port: own, rival }: Dispute, ranked: readonly Prospect[]): Prospect[] =>
  ranked.filter(({ port }) => port === own || port === rival);

function isOutdated({ shown: before }: Dispute, shown: readonly Prospect[]): boolean {
  if (before.length !== shown.length) return true;
  return shown.some((prospect, index) => {
    const old = before[index];
    if (old?.port !== prospect.port) return true;
    return Math.abs(old.probability - prospect.probability) + 1e-9 >= leastChange;
  });
}

function disputeNow(
  { kind, since, was, below, shown: before }: Dispute,
  { imo, shown }: DisputePoll & { shown: readonly Prospect[] },
): DisputeEvent {
  // If neither port is predicted any more, the alert keeps its figures.
  const [now = was, other] = shown.length > 0 ? shown : before;
  return {
    kind,
    imo,
    since,
    was,
    now,
    ...(other && { other }),
    ...(below !== undefined && { below }),
  };
}
