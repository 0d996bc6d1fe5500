import { addHours } from 'date-fns/addHours';
import { z } from 'zod';
import { percent, percentPair, portsInWords } from '../../answers/formatting/words.ts';
import { isFar } from '../../predictions/changes.ts';
import { isUndecided } from '../../predictions/next-port.ts';
import { thresholds } from '../../predictions/thresholds.ts';
import type { Imo, Locode } from '../../reference/codes.ts';
import { portName } from '../../reference/ports.ts';
import { date, type Prospect, prospect } from '../../reference/prediction.ts';
import { baseline, type Dispute, damping } from './evaluation/state.ts';
import { type EventText, etaFigures, etaInWords, portChance, stamp } from './event-text.ts';
import { type AfterPoll, defineRule, flagRule, vesselEvent } from './rule.ts';

/** An event whose alert is edited in place until the dispute ends. `Kind` says what began it. */
export const disputeEvent = <const Kind extends string>(kind: Kind) =>
  vesselEvent(kind, {
    /** The baseline when the dispute began. */
    was: baseline,
    since: date,
    /** The likeliest port of the dispute now, and the other one if it is still predicted. */
    now: prospect,
    other: z.exactOptional(prospect),
    /** The threshold that the baseline's port fell under. */
    below: z.exactOptional(z.number()),
    /** `settled`: one port has led for long enough; `over`: another alert, or the next leg, has replaced it. */
    end: z.exactOptional(z.object({ kind: z.enum(['settled', 'over']), at: date })),
  });

const anyDispute = z.union([
  disputeEvent('undecided'),
  disputeEvent('back-and-forth'),
  disputeEvent('unlikely'),
]);
export type DisputeEvent = z.infer<typeof anyDispute>;

const kinds: readonly string[] = ['undecided', 'back-and-forth', 'unlikely'] satisfies DisputeEvent['kind'][];

export const isDisputeEvent = <E extends { kind: string }>(event: E): event is E & DisputeEvent =>
  kinds.includes(event.kind);

/** The edit key of its alert: a vessel has one dispute at a time. */
export const disputeKey = ({ imo }: DisputeEvent): string => `dispute ${imo}`;

/** The alert is edited if a probability has changed by this much, or another port leads. */
const leastChange = 0.05;

/** An alert of a dispute is current until that has ended. */
export const isOpenDispute = ({ since }: { since: Date }, { vessel }: AfterPoll): boolean =>
  vessel === undefined || vessel.dispute?.since.getTime() === since.getTime();

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

/** Memory of a rule that begins disputes. While it is armed, it counts the polls that meet its condition. */
export const disputeMemory = z
  .object({ isArmed: z.boolean(), polls: z.number() })
  .default({ isArmed: false, polls: 0 });
type DisputeMemory = z.output<typeof disputeMemory>;

export const armedIf = (isArmed: boolean): DisputeMemory => ({ isArmed, polls: 0 });

/** So far ahead, the card alone shows a dispute. */
export const isTooFar = ({ eta }: Prospect, now: Date): boolean =>
  isFar({ eta, at: now }, thresholds.alert.daysAhead);

/** Confirmed in the second poll running. After that, and during a dispute, the rule is disarmed until all is clear. */
export function nextPoll(
  { isArmed, polls }: DisputeMemory,
  { isDisputed, isTrue, isClear }: { isDisputed: boolean; isTrue: boolean; isClear: boolean },
): { isConfirmed: boolean; memory: DisputeMemory } {
  if (isDisputed || !isArmed) return { isConfirmed: false, memory: armedIf(isClear && !isDisputed) };
  if (!isTrue) return { isConfirmed: false, memory: armedIf(true) };
  const isConfirmed = polls + 1 >= damping.consecutivePolls;
  return { isConfirmed, memory: isConfirmed ? armedIf(false) : { isArmed, polls: polls + 1 } };
}

/** A dispute as it stands: its alert is edited in place until it ends. */
export function disputeText(event: DisputeEvent, now: Date): EventText {
  const { now: current, other, end } = event;
  const ports = [current, ...(other ? [other] : [])];
  return {
    ...verdictOf(event, now),
    figures: end?.kind === 'over' ? [] : figuresOf(event, now),
    ...(!end && namesBoth(event) && { isLinePerFigure: true }),
    change: ports.map(portChance).join(', '),
    eta: etaInWords(current, now),
    ...(end && { isRoutine: true }),
  };
}

/** The ETAs of two ports that the headline names: `Rotterdam: Mon 23 Nov 15:05 LT`, and the same of the other. */
function figuresOf(event: DisputeEvent, now: Date): string[] {
  const { now: current, other, end } = event;
  if (!other) return etaFigures(current, now);
  if (end || !namesBoth(event)) return [...etaFigures(current, now), portChance(other)];
  return [current, other].map((one) => `${portName(one.port)}: ${etaInWords(one, now)}`);
}

/** The headline says that it is open between two ports. */
function namesBoth({ kind, was, now: current, other }: DisputeEvent): boolean {
  if (!other) return false;
  if (isUndecided(current.probability, other.probability)) return true;
  return kind !== 'unlikely' && !(kind === 'back-and-forth' && current.port !== was.port);
}

function verdictOf(event: DisputeEvent, now: Date): Pick<EventText, 'headline' | 'aside' | 'what'> {
  const { kind, was, now: current, other, since, below = 0, end } = event;
  const port = portName(current.port);
  const isEven = other !== undefined && isUndecided(current.probability, other.probability);
  const began = `since ${stamp(since, now)}`;
  if (end && kind === 'unlikely') return endOfUnlikely(event, end, now);
  if (end?.kind === 'settled') {
    const headline = isEven
      ? `${portChance(current)}: ahead for ${damping.settledHours} h`
      : `Settled: ${portChance(current)}`;
    return { headline, aside: `undecided ${began}`, what: isEven ? `${port} ahead` : `Settled: ${port}` };
  }
  if (end) {
    const ports = [was, ...(other && other.port !== was.port ? [other] : [current])];
    const names = [...new Set(ports.map((one) => portName(one.port)))].join(' and ');
    return {
      headline: `No longer undecided: ${names}`,
      aside: `from ${stamp(since, now)} to ${stamp(end.at, now)}`,
      what: 'No longer undecided',
    };
  }
  if (other && namesBoth(event)) {
    return { headline: portsInWords([current, other]), aside: began, what: 'Undecided' };
  }
  if (kind === 'back-and-forth' && current.port !== was.port) {
    const headline = `Back to ${port}, ${percent(current.probability)}`;
    return { headline, aside: `was ${portChance(was)}`, what: `Back to ${port}` };
  }
  const isUnder = kind === 'unlikely' && current.probability < below;
  const shown = percentPair(was.probability, current.probability, isUnder ? below : 0);
  const change = shown.was === shown.now ? shown.now : `${shown.was} → ${shown.now}`;
  return {
    headline: `${port} ${change}${isUnder ? `, under ${percent(below)}` : ''}`,
    what: isUnder ? `Under ${percent(below)}` : 'Unlikely',
  };
}

/** The port had only become unlikely: it never was undecided. */
function endOfUnlikely(
  { was, now: current, since, below = 0 }: DisputeEvent,
  end: NonNullable<DisputeEvent['end']>,
  now: Date,
): Pick<EventText, 'headline' | 'aside' | 'what'> {
  const threshold = `under ${percent(below)}`;
  if (end.kind === 'settled') {
    const headline = `${portChance(current)}, no longer ${threshold}`;
    return { headline, aside: `fell ${threshold} on ${stamp(since, now)}`, what: `No longer ${threshold}` };
  }
  const aside = `from ${stamp(since, now)} to ${stamp(end.at, now)}`;
  return {
    headline: `No longer current: ${portName(was.port)} ${threshold}`,
    aside,
    what: 'No longer current',
  };
}

/** Two ports are within 5 points, or take turns within a day: one alert, edited in place until one has led for 6 hours. */
export const undecided = defineRule({
  key: 'undecided',
  appliesTo: 'vessels',
  ...flagRule({
    typed: 'undecided',
    pattern: 'undecided|disputes?|toss-?ups?',
    when: 'two ports are about equally likely, or take turns',
  }),
  help: 'two ports are within 5 points, or take turns; one alert, kept up to date',
  event: z.union([disputeEvent('undecided'), disputeEvent('back-and-forth')]),
  // Like a diversion, unless the other port is nearly as likely.
  isCritical: ({ kind, now, other, end }) =>
    kind === 'back-and-forth' && end === undefined && !(other && isEven(now, other)),
  isCurrent: isOpenDispute,
  replaces: ['unlikely'],
  memory: disputeMemory,
  begin: ({ current, ranked }) => armedIf(isClear(current, rivalOf(current, ranked))),
  evaluate({ imo, baseline: was, current, rival, isOnTop, isDisputed, memory, now }) {
    const polled = nextPoll(memory, {
      isDisputed,
      // If the other port leads, the vessel is diverted at the next poll, or this one is back on top.
      isTrue: isOnTop && isEven(current, rival) && !isTooFar(current, now),
      isClear: isClear(current, rival),
    });
    if (!polled.isConfirmed || !rival) return { events: [], memory: polled.memory };
    const event = { kind: 'undecided', imo, was, since: now, now: current, other: rival } as const;
    return { events: [event], memory: polled.memory };
  },
  portChanged(change, now) {
    if (change.kind !== 'back-and-forth' && change.kind !== 'undecided') return [];
    const { kind, imo, was, next, old } = change;
    return [{ kind, imo, was, since: now, now: next, ...(old && { other: old }) }];
  },
  view: (event, { now }) => disputeText(event, now),
});

const rivalOf = ({ port: own }: Prospect, ranked: readonly Prospect[]): Prospect | undefined =>
  ranked.find(({ port }) => port !== own);

const isEven = (current: Prospect, rival: Prospect | undefined): boolean =>
  isUndecided(current.probability, rival?.probability);

const isClear = (current: Prospect, rival: Prospect | undefined): boolean =>
  current.probability - (rival?.probability ?? 0) + 1e-9 >= damping.rearmLead;
