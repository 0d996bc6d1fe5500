import type { KnownBlock } from '@slack/types';
import { untilEta } from '../../answers/formatting/times.ts';
import { counted, nextInWords, vesselShort } from '../../answers/formatting/words.ts';
import { limits, type Reader } from '../../answers/message.ts';
import {
  button,
  context,
  escaped,
  formOption,
  pressOption,
  rowWithMenu,
  sections,
  title,
  withAccessory,
} from '../../answers/slack/blocks.ts';
import { joined, toMrkdwn } from '../../answers/text.ts';
import type { Imo } from '../../reference/codes.ts';
import type { Prospect } from '../../reference/prediction.ts';
import type { AlertOfWatch } from '../alerts/index.ts';
import {
  type AlertElsewhere,
  alertElsewhere,
  alertPlace,
  expectedVessels,
  listedVessels,
  nextOf,
} from '../cards/index.ts';
import { type AskCtx, knownVessel, privateReader } from '../ctx.ts';
import type { HomePage, HomeSection } from '../feature.ts';
import {
  type CallPlan,
  callPlanHere,
  findInScope,
  isOfPort,
  type SnoozeChoice,
  type WatchWithSubjects,
  watchActionIds,
} from '../polling/index.ts';
import { etaInWords, stamp, type WatchNames } from '../rules/index.ts';
import { alertsForPerson } from './alerts.ts';
import { planNotes, watchLines } from './list-watches.ts';

export const watchesOnHome: HomeSection = {
  name: 'watches',
  label: 'Watches',
  opener: { form: 'watch', label: 'Watch a vessel …' },
  firstStep: '*Watch a vessel.* You are notified in a thread when its next port or its ETA changes.',
  empty: 'No watches here yet. For example: `/watch 9461477`',
  hasOwners: true,
  async read({ scope, ...page }, ctx) {
    const [found, plan] = await Promise.all([
      findInScope(scope, ctx, { ...page, withLatest: true }),
      callPlanHere(ctx),
    ]);
    return pageOf({ ...found, plan }, ctx);
  },
};

export function pageOf(
  { watches, total, plan }: { watches: readonly WatchWithSubjects[]; total: number; plan: CallPlan },
  { actor, services }: Pick<AskCtx, 'actor' | 'services'>,
): HomePage {
  const maySeeCosts = !actor.asksOnly && (services.settings.usageVisibleTo === 'everyone' || actor.isAdmin);
  return {
    total,
    rows: (reader) => watches.map((watch) => watchRow(watch, reader)),
    notes: (reader) => (maySeeCosts ? planNotes(plan).map((note) => toMrkdwn(note, reader)) : []),
  };
}

function watchRow(watch: WatchWithSubjects, reader: Reader) {
  const { id, status } = watch;
  const hasNews = watch.openAlerts;
  const before = [
    ...(hasNews ? [pressOption('Acknowledge', watchActionIds.acknowledge, id)] : []),
    ...(status === 'paused' ? [pressOption('Resume', watchActionIds.resume, id)] : []),
  ];
  const after = [
    ...(status === 'ended' ? [] : [{ label: 'Edit …', value: formOption('watch', { watchId: id }) }]),
    pressOption('Stop …', watchActionIds.askToStop, id),
  ];
  const room = limits.overflowOptions - before.length - after.length;
  const snoozes = status === 'active' ? snoozeOptions(watch).slice(0, room) : [];
  const lines = watchLines(watch, 'all', reader.now).map((line) => toMrkdwn(line, reader));
  return rowWithMenu(lines, id, [...before, ...snoozes, ...after]);
}

/** The most useful first. */
function snoozeOptions(watch: WatchWithSubjects) {
  const { id, snooze } = watch;
  const press = (label: string, choice: SnoozeChoice) =>
    pressOption(label, watchActionIds.snooze, `${choice} ${id}`);
  const untilDate = { label: 'Snooze until …', value: formOption('snooze', { watchId: id }) };
  if (snooze) return [press('Wake now', 'wake'), untilDate];
  const untilEta = press('Snooze until 24 h before the ETA', 'eta');
  return [press('Snooze 1 hour', '1h'), untilDate, ...(isOfPort(watch) ? [] : [untilEta])];
}

/** More than one person's watches, in all likelihood. */
const maxRead = 500;
/** Slack is asked for the link of each alert. */
const maxAlerts = 5;
const maxCalls = 8;
const soonMs = 48 * 3_600_000;

/** What waits for the person, and where their vessels are due, from what is stored: no request to the service. */
export async function watchesHomeTop(ctx: AskCtx): Promise<KnownBlock[]> {
  const [{ watches }, { alerts, more }] = await Promise.all([
    findInScope('mine', ctx, { limit: maxRead, withLatest: true }),
    alertsForPerson(maxAlerts, ctx),
  ]);
  return await drawTop({ watches, alerts, moreAlerts: more }, ctx);
}

/** For the owner of these watches, who has these alerts to look at. */
export async function drawTop(
  {
    watches,
    alerts,
    moreAlerts,
  }: { watches: readonly WatchWithSubjects[]; alerts: readonly AlertOfWatch[]; moreAlerts: number },
  ctx: AskCtx,
): Promise<KnownBlock[]> {
  const reader = privateReader(ctx);
  if (watches.length === 0 && alerts.length === 0) return [];
  const { linkTo } = ctx.services.slack.messages;
  const shown = await Promise.all(
    alerts.map(async (one) => {
      const { channelId, ts } = one;
      return { ...one, url: ts ? await linkTo({ channelId, ts }) : undefined };
    }),
  );
  const top = { alerts: shown, moreAlerts, calls: callsSoon(watches, reader.now) };
  return homeTopView(top, ctx.vessels, reader);
}

interface HomeTop {
  alerts: readonly (AlertElsewhere & { isAssigned: boolean })[];
  moreAlerts: number;
  /** The earliest first. */
  calls: readonly ExpectedCall[];
}

interface ExpectedCall {
  imo: Imo;
  /** One port, or two if the next one is undecided. */
  next: readonly [Prospect, ...Prospect[]];
  eta: Date;
}

export function homeTopView(
  { alerts, moreAlerts, calls }: HomeTop,
  names: WatchNames,
  reader: Reader,
): KnownBlock[] {
  if (alerts.length === 0 && calls.length === 0)
    return [context('Nothing needs you, and none of your vessels is due within 48 h')];
  return [
    ...(alerts.length > 0 ? [title('Needs you')] : []),
    ...alerts.flatMap((one) => alertRow(one, names, reader)),
    ...(moreAlerts > 0 ? [context(`${counted(moreAlerts, 'more alert')}, in the list of watches`)] : []),
    ...(calls.length > 0 ? [title('Next 48 h'), ...callRows(calls, names, reader)] : []),
  ];
}

function alertRow(
  one: AlertElsewhere & { isAssigned: boolean },
  names: WatchNames,
  reader: Reader,
): KnownBlock[] {
  const { now } = reader;
  const { alert, isAssigned } = one;
  if (alert.events.length === 0) return [];
  const { strong, rest } = alertElsewhere([alert], one.title, { names, now });
  const place = joined([
    ...(isAssigned ? ['Assigned to you'] : []),
    stamp(alert.at, now),
    alertPlace(one, names),
  ]);
  const lines = [[{ strong }, rest], place].map((line) => toMrkdwn(line, reader));
  const acknowledge = button({
    id: watchActionIds.acknowledgeAlert,
    label: 'Acknowledge',
    value: alert.id,
  });
  return [withAccessory(lines, acknowledge)];
}

function callRows(calls: readonly ExpectedCall[], names: WatchNames, { now }: Reader): KnownBlock[] {
  const rows = calls.slice(0, maxCalls).map(({ imo, next: [first, ...others], eta }) => {
    const call = escaped(nextInWords(vesselShort(knownVessel(imo, names)), [first, ...others]));
    const isPast = eta.getTime() < now.getTime();
    const until = isPast ? `🟠 ${untilEta(eta, now)}, still forecast` : untilEta(eta, now);
    return `${until} · ${call} · ${etaInWords(first, now)}`;
  });
  const more = calls.length - rows.length;
  return [
    ...sections(rows),
    ...(more > 0 ? [context(`${more} more: \`/nextport watched\` in a direct message shows all`)] : []),
  ];
}

/** A vessel that several watches follow counts once. */
function callsSoon(watches: readonly WatchWithSubjects[], now: Date): ExpectedCall[] {
  const followed = watches.filter(({ status }) => status !== 'ended').flatMap(callsOf);
  const calls = new Map<Imo, ExpectedCall>();
  for (const { imo, next } of followed) {
    const [{ eta }] = next;
    if (eta && Math.abs(eta.getTime() - now.getTime()) <= soonMs) calls.set(imo, { imo, next, eta });
  }
  return [...calls.values()].sort((one, other) => one.eta.getTime() - other.eta.getTime());
}

/** Of a watch of some vessels at a port, their calls there. A watch of a port has too many. */
function callsOf(watch: WatchWithSubjects): Pick<ExpectedCall, 'imo' | 'next'>[] {
  if (watch.condition) return expectedVessels(watch).map(({ imo, ...call }) => ({ imo, next: [call] }));
  return listedVessels(watch).flatMap(({ imo, prediction, state }) =>
    prediction && !state?.lost && !state?.ended ? [{ imo, next: nextOf(prediction) }] : [],
  );
}
