import type { TableBlock } from '@slack/types';
import { table } from '../../../messages/blocks.ts';
import { yourTime } from '../../../messages/formatting/eta.ts';
import { percent } from '../../../messages/formatting/probability.ts';
import { shortPortTime } from '../../../messages/formatting/times.ts';
import { vesselHeading, vesselListed, vesselShort } from '../../../messages/formatting/vessel-label.ts';
import { clip, joinWithin, limits } from '../../../messages/limits.ts';
import { escaped } from '../../../messages/mrkdwn.ts';
import { type Imo, isImo } from '../../../reference/imo.ts';
import { portLabel, portOf } from '../../../reference/ports.ts';
import type { Baseline, VesselState } from '../evaluation/state.ts';
import type { Following, WatchWithFollowings } from '../store/watch-list.ts';
import { knownVessel, stamp } from './event-text.ts';
import { etaInWords, type PollWithBaseline, standingNotes, standingOf } from './vessel-standing.ts';
import type { WatchFrame } from './watch-events.ts';

/** The part of a card that says where things stand. Mrkdwn. */
export interface CardBody {
  text: string;
  heading: string;
  lines: string[];
  /** Of several vessels. */
  table: TableBlock[];
  /** The same rows in words. */
  rows: string[];
  /** Lines behind further buttons. */
  more: { label: string; line: string }[];
}

const body = (parts: Partial<CardBody> & Pick<CardBody, 'text' | 'heading'>): CardBody => ({
  lines: [],
  table: [],
  rows: [],
  more: [],
  ...parts,
});

export function waitingBody({ title, followings }: WatchWithFollowings, { nameOf }: WatchFrame): CardBody {
  const [first, ...others] = followings;
  const isVessel = first?.subject.kind === 'vessel' && others.length === 0;
  const heading =
    isVessel && first.subject.kind === 'vessel'
      ? vesselHeading(knownVessel(first.subject.imo, nameOf))
      : `*${escaped(clip(title, 150))}*`;
  return body({
    text: `${escaped(clip(title, 150))} is watched here: the first answer is on its way`,
    heading,
    lines: ['Watched here. The first answer is on its way; changes are posted in this thread.'],
  });
}

/** Of one vessel. */
export function vesselBody(following: Following, { nameOf }: WatchFrame, now: Date): CardBody {
  const { subject, state } = following;
  const imo = subject.kind === 'vessel' ? subject.imo : undefined;
  const known = state?.kind === 'vessels' && imo !== undefined ? state.vessels[imo] : undefined;
  const vessel = imo === undefined ? undefined : knownVessel(imo, nameOf);
  const heading = vessel ? vesselHeading(vessel) : '*A vessel*';
  const name = vessel ? escaped(vesselShort(vessel)) : 'A vessel';
  const more = imo === undefined ? [] : [{ label: 'All ports', line: `nextport ${imo}` }];
  const standing = imo === undefined ? undefined : standingOf(imo, following);
  if (!standing) {
    const nothing = 'No prediction now. Fishing vessels, tugs and pilot boats are not covered';
    return body({ text: `${name}: ${nothing}`, heading, lines: [nothing], more });
  }
  const { eta, probability, was } = standing;
  const port = escaped(portLabel(standing.port));
  const when = etaInWords(standing, now);
  const notes = standingNotes(standing, now).map(escaped);
  return body({
    text: `${name}: next port ${port} ${percent(probability)}, ${eta ? 'ETA ' : ''}${[when, ...notes].join(', ')}${stateSuffix(known)}`,
    heading: `${heading} → *${port}* ${percent(probability)}`,
    lines: [
      [when, ...(eta ? [yourTime(eta)] : []), ...notes].join(' · '),
      ...(was ? [lastNotified(was, now)] : []),
      ...stateWords(known),
    ],
    more,
  });
}

/** `Last notified Sat 21 Nov 13:52 UTC: 60%, Sat 21 Nov 15:26 LT (14:26 UTC)`. */
const lastNotified = (was: Baseline, now: Date): string =>
  `Last notified ${stamp(was.at, now)}: ${percent(was.probability)}, ${etaInWords(was, now)}`;

const vesselsShown = 30;

/** Several vessels, or those of a list, by ETA. */
export function vesselsBody(watch: WatchWithFollowings, { nameOf }: WatchFrame, now: Date): CardBody {
  const vessels = vesselsOf(watch).sort((one, other) => time(one) - time(other) || one.imo - other.imo);
  const shown = vessels.slice(0, vesselsShown);
  const rows = shown.map((one) => row(vesselListed(knownVessel(one.imo, nameOf)), one, now));
  const title = escaped(clip(watch.title, 150));
  const count = `${vessels.length} ${vessels.length === 1 ? 'vessel' : 'vessels'}`;
  const rest = vessels.length - shown.length;
  return body({
    text: joinWithin(
      [
        `${title}, ${count}: ${rows[0] ? inWords(rows[0]) : 'no predictions now'}`,
        ...rows.slice(1).map(inWords),
      ],
      '; ',
      limits.messageText - 1_000,
    ),
    heading: `*${title}* · ${count}`,
    lines: rest > 0 ? [`The ${shown.length} with the nearest ETA; ${rest} more behind the button.`] : [],
    table: rows.length > 0 ? [table(columns, rows)] : [],
    rows: rows.map(
      ([name = '', ...cells]) => `*${escaped(name)}* · ${cells.filter(isSaid).map(escaped).join(' · ')}`,
    ),
    more: allVesselsLine(watch),
  });
}

const columns = [
  { header: 'Vessel' },
  { header: 'Next port' },
  { header: 'Probability', align: 'right' },
  { header: 'ETA' },
] as const;

const vesselsAsked = 20;

function allVesselsLine({ followings }: WatchWithFollowings): CardBody['more'] {
  const [first] = followings;
  if (first?.subject.kind === 'shiplist') {
    const { name } = first.subject;
    return [{ label: 'All vessels', line: `nextport list:"${name.replaceAll('"', '""')}"` }];
  }
  const imos = followings.flatMap(({ subject }) => (subject.kind === 'vessel' ? [subject.imo] : []));
  return imos.length <= vesselsAsked
    ? [{ label: 'All vessels', line: `nextport ${imos.join(', ')}` }]
    : [{ label: 'All watched vessels', line: 'nextport watched' }];
}

interface Listed {
  imo: Imo;
  state: VesselState | undefined;
  standing: PollWithBaseline | undefined;
}

function vesselsOf({ followings }: WatchWithFollowings): Listed[] {
  return followings.flatMap((following) => {
    const { subject, state } = following;
    const known = state?.kind === 'vessels' ? state.vessels : {};
    const listed = (imo: Imo) => ({ imo, state: known[imo], standing: standingOf(imo, following) });
    if (subject.kind === 'vessel') return [listed(subject.imo)];
    return Object.keys(known).map(Number).filter(isImo).map(listed);
  });
}

const time = ({ standing }: Listed): number => standing?.eta?.getTime() ?? Number.MAX_SAFE_INTEGER;

function row(name: string, { state, standing }: Listed, now: Date): string[] {
  if (!state || !standing) return [name, state ? 'no prediction' : 'no answer yet', '–', '–'];
  const notes = standingNotes(standing, now);
  return [
    name,
    `${portLabel(standing.port)}${stateSuffix(state)}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`,
    percent(standing.probability),
    etaInWords(standing, now),
  ];
}

const isSaid = (cell: string): boolean => cell !== '–';

const inWords = (cells: readonly string[]): string => escaped(cells.filter(isSaid).join(' '));

/** What is to be known of a vessel beside its port. */
function stateWords(state: VesselState | undefined): string[] {
  if (!state) return [];
  const { wavering, lost, ended } = state;
  return [
    ...(wavering
      ? [`Wavering between ${wavering.ports.map((code) => escaped(portLabel(code))).join(' and ')}`]
      : []),
    ...(lost ? ['No prediction any more: this is the last one that you were notified of'] : []),
    ...(ended ? ['The next port has changed: this vessel is no longer followed'] : []),
  ];
}

/** The same in a word, not escaped. */
function stateSuffix(state: VesselState | undefined): string {
  if (state?.lost) return ' (no prediction any more)';
  if (state?.wavering) return ' (wavering)';
  return state?.ended ? ' (changed, no longer followed)' : '';
}

const callsShown = 15;

/** The vessels expected at a port, by ETA, with the figures of the last answer. */
export function portBody(
  { subject, state, latest, polledAt }: Following,
  { nameOf }: WatchFrame,
  now: Date,
): CardBody {
  const port = subject.kind === 'port' ? subject.port : undefined;
  const label = port === undefined ? 'A port' : escaped(portLabel(port));
  const expected = ((state?.kind === 'port' && state.expected) || [])
    .map((baseline) => {
      const current = latest?.get(baseline.imo)?.[0];
      return { imo: baseline.imo, baseline, shown: current ?? baseline, isBaseline: current === undefined };
    })
    .sort(
      (one, other) =>
        (one.shown.eta?.getTime() ?? Number.MAX_SAFE_INTEGER) -
          (other.shown.eta?.getTime() ?? Number.MAX_SAFE_INTEGER) || one.imo - other.imo,
    );
  const zone = port === undefined ? undefined : portOf(port)?.zone;
  const calls = expected.slice(0, callsShown).map(({ imo, baseline, shown, isBaseline }) => {
    const when = shown.eta ? shortPortTime(shown.eta, zone, now) : 'ETA not given';
    const note =
      isBaseline && polledAt && baseline.at < polledAt ? ` · as notified ${stamp(baseline.at, now)}` : '';
    return `${when} · ${escaped(vesselListed(knownVessel(imo, nameOf)))} · ${percent(shown.probability)}${note}`;
  });
  const count = `${expected.length} ${expected.length === 1 ? 'vessel' : 'vessels'} expected`;
  const rest = expected.length - calls.length;
  return body({
    text: joinWithin([`${label}: ${count}`, ...calls], '; ', limits.messageText - 1_000),
    heading: `*${label}* · ${count}`,
    lines: [...calls, ...(rest > 0 ? [`… and ${rest} more behind the button`] : [])],
    more: port === undefined ? [] : [{ label: 'All calls', line: `portcalls ${port}` }],
  });
}
