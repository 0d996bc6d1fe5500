// The independent check of alerts about diversions. It reads what the service answered and which replies were made, and
// shares no code with the evaluation.
import type { Locode } from '../../src/reference/locode.ts';
import { canonicalPort } from '../../src/reference/ports.ts';

/** One answer about one vessel: the ports it may call at, in any order. */
export interface RawPoll {
  at: Date;
  ports: readonly PredictedPort[];
}

interface PredictedPort {
  port: Locode;
  /** 0 to 1 */
  probability: number;
  eta?: Date | null;
}

/** A new reply about the vessel's ports. An edited reply is none: Slack notifies nobody of an edit. */
export type Notice = { at: Date } & (
  | { kind: 'diverted' | 'other' /** The next port from now on. */; port: Locode }
  | { kind: 'dispute'; ports: readonly Locode[] }
);

export interface Diversion {
  from: Locode;
  to: Locode;
  reason: 'another port leads' | 'left the list' | 'left the list near its ETA';
  /** Their probabilities at the second poll; null if a port is not listed. */
  probabilities: { from: number | null; to: number };
  /** The second poll running that shows it: the latest time for the new reply. */
  secondPollAt: Date;
  /** The time of a new reply that names the new port. */
  notifiedAt: Date | null;
  /** `disputed`: it ended while an open dispute, of which people were notified, named both ports. */
  verdict: 'in time' | 'late' | 'missed' | 'disputed';
  /** At the second poll, only an open dispute named both ports. */
  coveredByDispute: boolean;
  /** With `coveredByDispute`: from the second poll to the new reply, or to the end of the diversion or of the data. */
  coveredHours: number;
}

export interface Findings {
  diversions: Diversion[];
  /** New replies that report a diversion which the answers do not show. */
  unfounded: Notice[];
}

const hourMs = 3_600_000;
/** A port that leaves the list this shortly before its ETA has been reached: the next leg is no diversion. */
const reachedHours = 3;
const nearHours = 12;
const missedAfterHours = 24;
const settledHours = 6;
const clearLead = 0.1;
/** In floating point, 0.5 - 0.4 is a hair less than 0.1. */
const hair = 1e-9;

interface Open extends Omit<Diversion, 'verdict' | 'coveredHours'> {
  /** Null while only an open dispute covers it. */
  dueAt: Date | null;
  /** The first poll that no longer shows it. */
  endedAt: Date | null;
}

/**
 * Finds each diversion that the answers about one vessel show in two polls running, and the reply that reported it.
 * `polls` begin with the oldest; the first one is the baseline. A reply has the time of the poll that caused it.
 */
export function checkDiversions(polls: readonly RawPoll[], notices: readonly Notice[]): Findings {
  const found: Open[] = [];
  const unfounded: Notice[] = [];
  let baseline: { port: Locode; eta: Date | null } | undefined;
  /** When the baseline's port was first missing from the list. */
  let leftAt: Date | undefined;
  /** Consecutive polls that show a diversion from the baseline, and how long the same port has led in them. */
  let run: { length: number; leader: Locode; ofLeader: number; found: Open[] } | undefined;
  let dispute: { ports: readonly Locode[]; leader: Locode; since: Date } | undefined;
  let previousAt = new Date(Number.NEGATIVE_INFINITY);

  const endRun = (at: Date) => {
    for (const diversion of run?.found ?? []) diversion.endedAt ??= at;
    run = undefined;
  };
  const setBaseline = (port: Locode, ports: readonly Ranked[], at: Date) => {
    baseline = { port, eta: ports.find((listed) => listed.port === port)?.eta ?? null };
    leftAt = undefined;
    dispute = undefined;
    endRun(at);
  };

  for (const { at, ports: records } of polls) {
    const ports = rank(records);
    const [top] = ports;
    const replies = notices.filter((notice) => notice.at > previousAt && notice.at <= at);
    previousAt = at;
    if (!top) {
      endRun(at);
      continue;
    }
    if (!baseline) {
      setBaseline(top.port, ports, at);
      continue;
    }
    const from: Locode = baseline.port;
    const listed = ports.find(({ port }) => port === from);
    leftAt = listed ? undefined : (leftAt ?? at);
    if (listed?.eta) baseline.eta = listed.eta;
    const hoursLeft = hoursBetween(leftAt ?? at, baseline.eta);
    const isNextLeg = !listed && hoursLeft < reachedHours;
    const isLed = listed ? top.probability > listed.probability && hoursLeft > 0 : !isNextLeg;
    if (isLed) {
      run ??= { length: 0, leader: top.port, ofLeader: 0, found: [] };
      for (const diversion of run.found) if (diversion.to !== top.port) diversion.endedAt ??= at;
      run.ofLeader = run.leader === top.port ? run.ofLeader + 1 : 1;
      run.leader = top.port;
      run.length += 1;
    } else endRun(at);

    const opened = replies.findLast((notice) => notice.kind === 'dispute');
    if (opened) dispute = { ports: opened.ports.map(canonicalPort), leader: top.port, since: at };
    else if (dispute && dispute.leader !== top.port) dispute = { ...dispute, leader: top.port, since: at };
    if (dispute && at.getTime() - dispute.since.getTime() >= settledHours * hourMs) dispute = undefined;
    const isDisputed = (diversion: { from: Locode; to: Locode }) =>
      dispute?.ports.includes(diversion.from) === true && dispute.ports.includes(diversion.to);
    // A dispute that ends while the new port leads must be followed by a reply at once.
    for (const open of run?.found ?? []) if (!open.endedAt && !isDisputed(open)) open.dueAt ??= at;

    const isKnown = run?.found.some(({ to, endedAt }) => to === top.port && !endedAt);
    if (run && !isKnown && (run.found.length === 0 ? run.length : run.ofLeader) >= 2) {
      const isCovered = isDisputed({ from, to: top.port });
      const reason = listed
        ? 'another port leads'
        : hoursLeft > nearHours
          ? 'left the list'
          : 'left the list near its ETA';
      const diversion: Open = {
        from,
        to: top.port,
        reason,
        probabilities: { from: listed?.probability ?? null, to: top.probability },
        secondPollAt: at,
        notifiedAt: null,
        coveredByDispute: isCovered,
        dueAt: isCovered ? null : at,
        endedAt: null,
      };
      run.found.push(diversion);
      found.push(diversion);
    }

    for (const notice of replies) {
      const named = (notice.kind === 'dispute' ? notice.ports : [notice.port]).map(canonicalPort);
      for (const open of found) {
        if (!named.includes(open.to) || open.notifiedAt || (open.endedAt && !open.dueAt)) continue;
        if (notice.kind === 'dispute' && (open.dueAt === null || !named.includes(open.from))) continue;
        open.notifiedAt = notice.at;
      }
      const [port] = named;
      if (notice.kind === 'dispute' || !port) continue;
      if (notice.kind === 'diverted' && port !== from) {
        const lead = top.probability - (listed?.probability ?? 0) + hair;
        const isShown = listed ? lead >= clearLead || (run?.length ?? 0) >= 2 : !isNextLeg;
        if (top.port !== port || !isShown) unfounded.push(notice);
      }
      setBaseline(port, ports, at);
    }
    if (isNextLeg && baseline.port === from) setBaseline(top.port, ports, at);
  }
  return { diversions: found.map((open) => close(open, previousAt)), unfounded };
}

function close({ dueAt, endedAt, ...diversion }: Open, lastAt: Date): Diversion {
  const { secondPollAt, notifiedAt, coveredByDispute } = diversion;
  const end = Math.min(...[notifiedAt, endedAt, lastAt].flatMap((time) => time?.getTime() ?? []));
  return {
    ...diversion,
    verdict: judge({ dueAt, notifiedAt, lastAt }),
    coveredHours: coveredByDispute ? (end - secondPollAt.getTime()) / hourMs : 0,
  };
}

function judge({
  dueAt,
  notifiedAt,
  lastAt,
}: {
  dueAt: Date | null;
  notifiedAt: Date | null;
  lastAt: Date;
}): Diversion['verdict'] {
  if (!dueAt) return notifiedAt ? 'in time' : 'disputed';
  const waited = hoursBetween(dueAt, notifiedAt ?? lastAt);
  if (notifiedAt && waited <= 0) return 'in time';
  // At the end of the data, a reply may still be to come, but it would be late.
  return waited <= missedAfterHours ? 'late' : 'missed';
}

/** Endless if there is no ETA. */
const hoursBetween = (from: Date, to: Date | null): number =>
  to ? (to.getTime() - from.getTime()) / hourMs : Number.POSITIVE_INFINITY;

interface Ranked {
  port: Locode;
  probability: number;
  eta: Date | null;
}

/** Likeliest first. A group of aliases is one port, with its likeliest record. */
function rank(records: readonly PredictedPort[]): Ranked[] {
  const sorted = records
    .map(({ port, probability, eta = null }) => ({ port: canonicalPort(port), probability, eta }))
    .sort((a, b) => b.probability - a.probability || (a.eta?.getTime() ?? 0) - (b.eta?.getTime() ?? 0));
  return sorted.filter(({ port }, index) => sorted.findIndex((other) => other.port === port) === index);
}
