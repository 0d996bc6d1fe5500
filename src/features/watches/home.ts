import {
  type AnswerButton,
  allPromises,
  type HomePart,
  type LineOf,
  nextPortsOf,
  type Row,
} from '../../answers/answer.ts';
import { untilEta } from '../../answers/formatting/times.ts';
import { counted, nextInWords, referenceNote, vesselShort } from '../../answers/formatting/words.ts';
import { clip, limits } from '../../answers/message.ts';
import { joined, present, type Text } from '../../answers/text.ts';
import type { Imo } from '../../reference/codes.ts';
import type { Prospect } from '../../reference/prediction.ts';
import type { AlertOfWatch } from '../alerts/index.ts';
import {
  type AlertElsewhere,
  alertElsewhere,
  alertPlace,
  expectedVessels,
  listedVessels,
  nextCallAt,
  nextOf,
  promiseLines,
} from '../cards/index.ts';
import { type AskCtx, knownVessel } from '../ctx.ts';
import type { HomePage, HomeSection } from '../feature.ts';
import { editButton } from '../owned/index.ts';
import {
  type CallPlan,
  callPlanHere,
  findInScope,
  isOfPort,
  type SnoozeChoice,
  type WatchWithSubjects,
  watchActionIds,
} from '../polling/index.ts';
import { etaInWords, stamp, type VesselNames, type WatchNames } from '../rules/index.ts';
import { alertsForPerson } from './alerts.ts';
import { planNotes, watchLines } from './list-watches.ts';
import { watchKind } from './watch-store.ts';

export const watchesOnHome: HomeSection = {
  name: 'watches',
  label: 'Watches',
  opener: { form: 'watch', label: 'Watch a vessel …' },
  firstStep: {
    strong: 'Watch a vessel.',
    rest: ' You are notified in a thread when its next port or its ETA changes.',
  },
  empty: ['No watches here yet. For example: ', { code: '/watch 9461477' }],
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
  { actor, services, now, vessels }: Pick<AskCtx, 'actor' | 'services' | 'now' | 'vessels'>,
): HomePage {
  const maySeeCosts = !actor.asksOnly && (services.settings.usageVisibleTo === 'everyone' || actor.isAdmin);
  return {
    total,
    rows: watches.map((watch) => watchRow(watch, vessels, now())),
    notes: maySeeCosts ? planNotes(plan) : [],
  };
}

function watchRow(watch: WatchWithSubjects, names: WatchNames, now: Date): Row {
  const { id, status } = watch;
  const before: AnswerButton[] = present(
    Boolean(watch.openAlerts) && { label: 'Acknowledge', press: watchActionIds.acknowledge, value: id },
    status === 'paused' && { label: 'Resume', press: watchActionIds.resume, value: id },
  );
  const after: AnswerButton[] = present(status !== 'ended' && editButton(watchKind, id, 'Edit …'), {
    label: 'Stop …',
    press: watchActionIds.askToStop,
    value: id,
  });
  const room = limits.overflowOptions - before.length - after.length;
  const snoozes = status === 'active' ? snoozeOptions(watch).slice(0, room) : [];
  return { lines: watchLines(watch, { scope: 'all', names, now }), menu: [...before, ...snoozes, ...after] };
}

/** The most useful first. */
function snoozeOptions(watch: WatchWithSubjects): AnswerButton[] {
  const { id, snooze } = watch;
  const press = (label: string, choice: SnoozeChoice) => ({
    ...{ label, press: watchActionIds.snooze, value: `${choice} ${id}` },
  });
  const untilDate = { label: 'Snooze until …', form: 'snooze', target: { watchId: id } };
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
export async function watchesHomeTop(ctx: AskCtx): Promise<HomePart[]> {
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
): Promise<HomePart[]> {
  if (watches.length === 0 && alerts.length === 0) return [];
  const { linkTo } = ctx.services.slack.messages;
  const shown = await Promise.all(
    alerts.map(async (one) => {
      const { channelId, ts } = one;
      return { ...one, url: ts ? await linkTo({ channelId, ts }) : undefined };
    }),
  );
  const now = ctx.now();
  const top = {
    ...{ alerts: shown, moreAlerts, calls: callsSoon(watches, now) },
    promises: promisesAtRisk(watches, ctx.vessels, now),
  };
  return homeTopView(top, { names: ctx.vessels, now, lineOf: ctx.registry.lineOf });
}

interface HomeTop {
  alerts: readonly (AlertElsewhere & { isAssigned: boolean })[];
  moreAlerts: number;
  /** The earliest first. */
  calls: readonly ExpectedCall[];
  /** Those at risk, a line each. */
  promises: readonly string[];
}

interface ExpectedCall {
  imo: Imo;
  /** One port, or two if the next one is undecided. */
  next: readonly [Prospect, ...Prospect[]];
  eta: Date;
}

interface TopContext {
  names: WatchNames;
  now: Date;
  lineOf: LineOf;
}

export function homeTopView({ alerts, moreAlerts, calls, promises }: HomeTop, ctx: TopContext): HomePart[] {
  if (alerts.length + promises.length + calls.length === 0)
    return [{ notes: ['Nothing needs you, and nothing that you watch is due within 48 h'] }];
  const more = `${counted(moreAlerts, 'more alert')}, in the list of watches`;
  const rows = alerts.flatMap((one) => alertRow(one, ctx));
  return present(
    alerts.length > 0 && {
      heading: 'Needs you',
      sections: [{ kind: 'rows', rows }],
      notes: moreAlerts > 0 ? [more] : [],
    },
    promises.length > 0 && promisesPart(promises, ctx),
    calls.length > 0 && callsPart(calls, ctx),
  );
}

function alertRow(one: AlertElsewhere & { isAssigned: boolean }, { names, now }: TopContext): Row[] {
  const { alert, isAssigned } = one;
  if (alert.events.length === 0) return [];
  const { strong, rest } = alertElsewhere([alert], one.title, { names, now });
  const imos = new Set(alert.events.flatMap((event) => ('imo' in event ? [event.imo] : [])));
  const place = joined([
    ...(isAssigned ? ['Assigned to you'] : []),
    stamp(alert.at, now),
    alertPlace(one, names),
    ...[...imos].slice(0, 1).flatMap((imo) => referenceNote(names.referencesOf(imo))),
  ]);
  const [imo] = alert.events.flatMap((event) => ('imo' in event ? [event.imo] : []));
  const what = imo === undefined ? one.title : vesselShort(knownVessel(imo, names));
  const button = { label: 'Acknowledge', press: watchActionIds.acknowledgeAlert, value: alert.id };
  // A longer label would leave a phone no room for the alert.
  return [{ lines: [[{ strong }, rest], place], button, about: clip(what, 50) }];
}

const maxPromises = 5;

/** A promise that several watches follow is shown once. */
function promisesAtRisk(watches: readonly WatchWithSubjects[], names: VesselNames, now: Date): string[] {
  const lines = watches
    .filter(({ status }) => status !== 'ended')
    .flatMap((watch) => promiseLines(watch, { names, above: 'nothing', now }))
    .filter(({ marker }) => marker !== '');
  return [...new Set(lines.map(({ line }) => line))];
}

function promisesPart(promises: readonly string[], { lineOf }: TopContext): HomePart {
  const more = promises.length - maxPromises;
  const all = lineOf(allPromises);
  const note: Text = all === undefined ? `${more} more` : [`${more} more: `, { code: `/${all}` }];
  return {
    heading: 'Promises at risk',
    sections: [{ kind: 'text', lines: promises.slice(0, maxPromises) }],
    notes: more > 0 ? [note] : [],
  };
}

function callsPart(calls: readonly ExpectedCall[], { names, now, lineOf }: TopContext): HomePart {
  const lines = calls.slice(0, maxCalls).map(({ imo, next: [first, ...others], eta }) => {
    const call = nextInWords(vesselShort(knownVessel(imo, names)), [first, ...others]);
    const until = untilEta(eta, now);
    return joined([
      eta < now ? `🟠 ${until}, still forecast` : until,
      call,
      etaInWords(first, now),
      ...referenceNote(names.referencesOf(imo)),
    ]);
  });
  const more = calls.length - lines.length;
  const all = lineOf(nextPortsOf('watched'));
  const note: Text =
    all === undefined
      ? `${more} more`
      : [`${more} more: `, { code: `/${all}` }, ' in a direct message shows all'];
  return { heading: 'Next 48 h', sections: [{ kind: 'text', lines }], notes: more > 0 ? [note] : [] };
}

/** A vessel that several watches follow counts once. */
function callsSoon(watches: readonly WatchWithSubjects[], now: Date): ExpectedCall[] {
  const followed = watches.filter(({ status }) => status !== 'ended').flatMap((watch) => callsOf(watch, now));
  const calls = new Map<Imo, ExpectedCall>();
  for (const { imo, next } of followed) {
    const [{ eta }] = next;
    if (eta && Math.abs(eta.getTime() - now.getTime()) <= soonMs) calls.set(imo, { imo, next, eta });
  }
  return [...calls.values()].sort((one, other) => one.eta.getTime() - other.eta.getTime());
}

/** The calls at a port of a watch's own vessels; of all vessels there, the next one. */
function callsOf(watch: WatchWithSubjects, now: Date): Pick<ExpectedCall, 'imo' | 'next'>[] {
  const next = isOfPort(watch) && !watch.condition ? nextCallAt(watch, now) : undefined;
  if (next) return [{ imo: next.imo, next: [next] }];
  if (watch.condition) return expectedVessels(watch).map(({ imo, ...call }) => ({ imo, next: [call] }));
  return listedVessels(watch).flatMap(({ imo, prediction, state }) =>
    prediction && !state?.lost && !state?.ended ? [{ imo, next: nextOf(prediction) }] : [],
  );
}
