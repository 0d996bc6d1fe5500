import { actionIds } from '../../messages/action-ids.ts';
import { actions, button, context, sections } from '../../messages/blocks.ts';
import { percent } from '../../messages/formatting/probability.ts';
import { duration, portTime } from '../../messages/formatting/times.ts';
import { type KnownVessel, vesselHeading, vesselShort } from '../../messages/formatting/vessel-label.ts';
import { lineButtons } from '../../messages/frame/answer-actions.ts';
import { inventedSuffix } from '../../messages/frame/answer-message.ts';
import { pageButtons, shownNote } from '../../messages/frame/paging.ts';
import { joinWithin, limits, paged } from '../../messages/limits.ts';
import type { Message, Reader } from '../../messages/message.ts';
import { escaped } from '../../messages/mrkdwn.ts';
import type { Locode } from '../../reference/locode.ts';
import { portLabel, portOf } from '../../reference/ports.ts';

/** One port on top from the first poll that had it so to the first that did not. */
export interface HistorySpell {
  /** Null: nothing was predicted. */
  port: Locode | null;
  from: Date;
  until: Date;
  polls: number;
  /** The first poll, and each that moved the ETA by an hour or the probability by ten points. */
  points: { at: Date; eta: Date | null; probability: number }[];
}

export interface VesselHistoryAnswer {
  kind: 'vessel-history';
  line: string;
  page: number;
  vessel: KnownVessel;
  /** Looked back. */
  days: number;
  polls: number;
  /** Of the first and the last poll. */
  since?: Date | undefined;
  until?: Date | undefined;
  /** Oldest first. */
  spells: readonly HistorySpell[];
}

const spellsPerPage = 5;
const pointsShown = 8;

/** How long each port was on top, then the trail of the ETA, the newest spell first. */
export function vesselHistoryView(answer: VesselHistoryAnswer, reader: Reader): Message {
  const { line, vessel, days, polls, since, until, spells } = answer;
  const name = escaped(vesselShort(vessel));
  if (!since || !until || spells.length === 0) return noHistory(answer, reader);
  const page = paged(spells.toReversed(), answer.page, spellsPerPage);
  const shares = onTop(spells);
  const invented = reader.source === 'sandbox' ? ['invented data'] : [];
  const notes = [
    `${polls} ${polls === 1 ? 'poll' : 'polls'} in the past ${days} days, ${stamp(since, reader.now)} to ${stamp(until, reader.now)}`,
    ...shownNote(page, spellsPerPage),
    'Predicted, not reported',
    ...invented,
  ];
  return {
    text: `${joinWithin([`${name}: most probable ${shares[0]}`, ...shares.slice(1), ...page.items.map((spell) => drift(spell, reader.now))], '; ', limits.messageText - 200)}${inventedSuffix(reader)}`,
    blocks: [
      ...sections([
        `${vesselHeading(vessel)} · prediction history`,
        `Most probable: ${joinWithin(shares, ' · ', 1_000)}`,
      ]),
      ...page.items.flatMap((spell) => sections([spellLines(spell, reader.now).join('\n')])),
      context(`_${notes.join(' · ')}_`),
      ...actions([
        ...lineButtons([
          ...pageButtons(line, page, spellsPerPage),
          { label: 'Next ports now', line: `nextport ${vessel.imo}` },
        ]),
        button({ id: actionIds.refresh, label: 'Refresh', value: line }),
        button({ id: actionIds.share, label: 'Share in channel', value: line }),
      ]),
    ],
  };
}

function noHistory({ vessel, line }: VesselHistoryAnswer, reader: Reader): Message {
  const what = `No history for ${escaped(vesselShort(vessel))} yet`;
  const why = 'Predictions are stored while a vessel is watched.';
  return {
    text: `${what}. ${why} For example: /watch ${vessel.imo}${inventedSuffix(reader)}`,
    blocks: [
      ...sections([`*${what}*`, why]),
      ...(reader.source === 'sandbox' ? [context('_invented data_')] : []),
      ...actions([
        ...lineButtons([{ label: 'Watch it', line: `watch ${vessel.imo}` }]),
        button({ id: actionIds.refresh, label: 'Refresh', value: line }),
      ]),
    ],
  };
}

/** `Rotterdam (NLRTM) 3 d 4 h (62%)`, the longest first. */
function onTop(spells: readonly HistorySpell[]): string[] {
  const total = spells.reduce((sum, spell) => sum + lasted(spell), 0);
  const byPort = new Map<string, number>();
  for (const spell of spells) {
    const label = labelOf(spell);
    byPort.set(label, (byPort.get(label) ?? 0) + lasted(spell));
  }
  return [...byPort]
    .sort(([, one], [, other]) => other - one)
    .map(
      ([label, minutes]) =>
        `${label} ${duration(minutes)}${total > 0 ? ` (${percent(minutes / total)})` : ''}`,
    );
}

const lasted = ({ from, until }: HistorySpell): number =>
  Math.round((until.getTime() - from.getTime()) / 60_000);

const labelOf = ({ port }: HistorySpell): string => (port ? escaped(portLabel(port)) : 'no prediction');

/** `Rotterdam (NLRTM): ETA drifted 14 h later`, from the first to the last of the spell. */
function drift(spell: HistorySpell, now: Date): string {
  const { port, points } = spell;
  const etas = points.flatMap(({ eta }) => eta ?? []);
  const [first, last] = [etas[0], etas.at(-1)];
  if (!port) return labelOf(spell);
  if (!first || !last) return `${labelOf(spell)}: ETA not given`;
  const minutes = Math.round((last.getTime() - first.getTime()) / 60_000);
  const when = portTime(last, portOf(port)?.zone, now);
  if (Math.abs(minutes) < 60) return `${labelOf(spell)}: ETA steady, ${when}`;
  return `${labelOf(spell)}: ETA drifted ${duration(Math.abs(minutes))} ${minutes > 0 ? 'later' : 'earlier'}, to ${when}`;
}

function spellLines(spell: HistorySpell, now: Date): string[] {
  const span = `${stamp(spell.from, now)} to ${stamp(spell.until, now)}, ${duration(lasted(spell))}`;
  const trail = spell.points.map((point, index) => pointLine(spell, point, spell.points[index - 1], now));
  const left = trail.length - pointsShown;
  const shown = left > 0 ? [trail[0] ?? '', ...trail.slice(1 - pointsShown)] : trail;
  return [
    `*${drift(spell, now)}*`,
    span,
    ...shown.slice(0, 1),
    ...(left > 0 ? [`… ${left} steps not shown`] : []),
    ...shown.slice(1),
  ];
}

function pointLine(
  { port }: HistorySpell,
  { at, eta, probability }: HistorySpell['points'][number],
  before: HistorySpell['points'][number] | undefined,
  now: Date,
): string {
  const when = eta ? `ETA ${portTime(eta, port ? portOf(port)?.zone : undefined, now)}` : 'ETA not given';
  const minutes = eta && before?.eta ? Math.round((eta.getTime() - before.eta.getTime()) / 60_000) : 0;
  const step = minutes === 0 ? '' : ` (${minutes > 0 ? '+' : '−'}${duration(Math.abs(minutes))})`;
  return `• ${stamp(at, now)}: ${when}${step}, ${percent(probability)}`;
}

const stamp = (time: Date, now: Date): string => portTime(time, undefined, now);
