// The independent check of alerts about diversions. It reads what the service answered and which replies were made, and
// shares no code with the evaluation.
import type { Locode } from '../../src/reference/codes.ts';
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
  /** `leader`: the next port from now on, if the reply says that it is another one. */
  | { kind: 'dispute'; ports: readonly Locode[]; leader?: Locode }
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
  const checker = createChecker();
  let previousAt = new Date(Number.NEGATIVE_INFINITY);
  for (const { at, ports } of polls) {
    const replies = notices.filter((notice) => notice.at > previousAt && notice.at <= at);
    const [top, ...others] = rank(ports);
    if (top) checker.take({ at, top, ports: [top, ...others] }, replies);
    else checker.takeEmpty(at);
    previousAt = at;
  }
  return checker.findings(previousAt);
}

interface Answer {
  at: Date;
  /** The likeliest port, the first of `ports`. */
  top: Ranked;
  ports: readonly Ranked[];
}

interface Baseline {
  port: Locode;
  /** As it was last predicted. */
  eta: Date | null;
  /** When the port was first missing from the list. */
  leftAt?: Date;
}

/** What one answer shows about the baseline. */
interface Sighting {
  from: Locode;
  /** Null if the baseline's port is not listed. */
  listed: Ranked | null;
  /** The vessel has reached the baseline's port. */
  isNextLeg: boolean;
  /** Undefined if no other port is to be expected. */
  reason: Diversion['reason'] | undefined;
}

function createChecker() {
  const found: Open[] = [];
  const unfounded: Notice[] = [];
  let baseline:
    | { port: Locode; eta: Date | null /** When it was first missing. */; leftAt?: Date }
    | undefined;
  /** Consecutive polls that show a diversion from the baseline, and in how many of the last ones `leader` led. */
  let run: { length: number; leader: Locode; ofLeader: number; found: Open[] } | undefined;
  let dispute: { ports: readonly Locode[]; leader: Locode; since: Date } | undefined;
  /** Reported at the first poll that showed it; the next one tells whether it counts. */
  let early: Open | undefined;

  function take(answer: Answer, replies: readonly Notice[]): void {
    if (!baseline) {
      setBaseline(answer.top, answer.at);
      return;
    }
    if (early && early.to === answer.top.port) found.push({ ...early, secondPollAt: answer.at });
    early = undefined;
    const sighting = sight(answer, baseline);
    followRun(answer, sighting);
    followDispute(answer, replies);
    findDiversion(answer, sighting);
    for (const reply of replies) hear(reply, answer, sighting);
    if (sighting.isNextLeg && baseline.port === sighting.from) setBaseline(answer.top, answer.at);
  }

  function setBaseline({ port, eta }: Ranked, at: Date): void {
    baseline = { port, eta };
    dispute = undefined;
    endRun(at);
  }

  function endRun(at: Date): void {
    for (const diversion of run?.found ?? []) diversion.endedAt ??= at;
    run = undefined;
  }

  function sight({ at, top, ports }: Answer, { port: from, eta, leftAt = at }: Baseline): Sighting {
    const listed = ports.find(({ port }) => port === from) ?? null;
    if (!listed) {
      baseline = { port: from, eta, leftAt };
      const hoursLeft = hoursBetween(leftAt, eta);
      const isNextLeg = hoursLeft < reachedHours;
      const reason = hoursLeft > nearHours ? 'left the list' : 'left the list near its ETA';
      return { from, listed, isNextLeg, reason: isNextLeg ? undefined : reason };
    }
    baseline = { port: from, eta: listed.eta ?? eta };
    const isLed = top.probability > listed.probability && hoursBetween(at, baseline.eta) > 0;
    return { from, listed, isNextLeg: false, reason: isLed ? 'another port leads' : undefined };
  }

  function followRun({ at, top }: Answer, { reason }: Sighting): void {
    if (!reason) {
      endRun(at);
      return;
    }
    for (const diversion of run?.found ?? []) if (diversion.to !== top.port) diversion.endedAt ??= at;
    run = {
      length: (run?.length ?? 0) + 1,
      leader: top.port,
      ofLeader: run?.leader === top.port ? run.ofLeader + 1 : 1,
      found: run?.found ?? [],
    };
  }

  function followDispute({ at, top }: Answer, replies: readonly Notice[]): void {
    const opened = replies.findLast((reply) => reply.kind === 'dispute');
    if (opened && !opened.leader)
      dispute = { ports: opened.ports.map(canonicalPort), leader: top.port, since: at };
    else if (dispute && dispute.leader !== top.port) dispute = { ...dispute, leader: top.port, since: at };
    if (dispute && hoursBetween(dispute.since, at) >= settledHours) dispute = undefined;
    // When a dispute ends while the new port leads, a reply is due at once.
    for (const open of run?.found ?? []) if (!open.endedAt && !isDisputed(open)) open.dueAt ??= at;
  }

  const isDisputed = ({ from, to }: { from: Locode; to: Locode }): boolean =>
    dispute?.ports.includes(from) === true && dispute.ports.includes(to);

  function findDiversion(answer: Answer, sighting: Sighting): void {
    if (!run || run.found.some(({ to, endedAt }) => to === answer.top.port && !endedAt)) return;
    if ((run.found.length === 0 ? run.length : run.ofLeader) < 2) return;
    const diversion = toDiversion(answer, sighting);
    if (!diversion) return;
    run.found.push(diversion);
    found.push(diversion);
  }

  function toDiversion({ at, top }: Answer, { from, listed, reason }: Sighting): Open | undefined {
    if (!reason) return undefined;
    const coveredByDispute = isDisputed({ from, to: top.port });
    return {
      from,
      to: top.port,
      reason,
      probabilities: { from: listed?.probability ?? null, to: top.probability },
      secondPollAt: at,
      notifiedAt: null,
      coveredByDispute,
      dueAt: coveredByDispute ? null : at,
      endedAt: null,
    };
  }

  function hear(reply: Notice, answer: Answer, sighting: Sighting): void {
    const next = reply.kind === 'dispute' ? reply.leader : reply.port;
    if (next) {
      hearNext(canonicalPort(next), reply, { answer, sighting });
      return;
    }
    const ports = reply.kind === 'dispute' ? reply.ports.map(canonicalPort) : [];
    for (const open of found) {
      const isLate = open.dueAt !== null && !open.notifiedAt;
      if (isLate && ports.includes(open.from) && ports.includes(open.to)) open.notifiedAt = reply.at;
    }
  }

  /** The reply says which port is next. */
  function hearNext(
    port: Locode,
    reply: Notice,
    { answer, sighting }: { answer: Answer; sighting: Sighting },
  ): void {
    const { at, top, ports } = answer;
    for (const open of found) {
      const isOver = open.endedAt !== null && open.dueAt === null;
      if (open.to === port && !isOver) open.notifiedAt ??= reply.at;
    }
    if (port !== sighting.from && reply.kind !== 'other' && !isShown(port, answer, sighting)) {
      unfounded.push(reply);
    } else if (port !== sighting.from && run?.length === 1) {
      const diversion = toDiversion(answer, sighting);
      early = diversion && { ...diversion, coveredByDispute: false, dueAt: at, notifiedAt: at };
    }
    setBaseline(ports.find((listed) => listed.port === port) ?? { ...top, port, eta: null }, at);
    if (reply.kind === 'dispute')
      dispute = { ports: reply.ports.map(canonicalPort), leader: top.port, since: at };
  }

  function isShown(port: Locode, { top }: Answer, { listed, isNextLeg }: Sighting): boolean {
    if (top.port !== port) return false;
    if (!listed) return !isNextLeg;
    return top.probability - listed.probability + hair >= clearLead || (run?.length ?? 0) >= 2;
  }

  return {
    take,
    /** Nothing is predicted: the polls before and after it are not two running. */
    takeEmpty(at: Date): void {
      endRun(at);
      early = undefined;
    },
    findings: (lastAt: Date): Findings => ({
      diversions: found.map((open) => close(open, lastAt)),
      unfounded,
    }),
  };
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
