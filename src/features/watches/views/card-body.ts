import type { ActionsBlock, StaticSelect } from '@slack/types';
import { limits, type Piece } from '../../../answers/message.ts';
import {
  actionIds,
  actions,
  button,
  formOption,
  overflow,
  pressOption,
  select,
} from '../../../answers/slack/blocks.ts';
import type { Choice } from '../../../errors.ts';
import type { Imo } from '../../../reference/codes.ts';
import { type SnoozeChoice, watchActionIds } from '../action-ids.ts';
import { isOfOneVessel, isOfPort, vesselSubjects, type WatchWithSubjects } from '../store/watch-list.ts';

/** The part of a card that shows the predictions. */
export interface CardBody {
  /** Escaped. */
  text: string;
  /** Draws the verdict with the card's marker, such as `🟠 `, and the lines about its state below it, in mrkdwn. */
  draw(marker: string, lines: readonly string[]): Piece[];
  /** Something in it needs a look. */
  isToCheck: boolean;
  /** Small print, escaped. */
  notes: readonly string[];
  /** The command line of the whole answer. */
  showAll?: { label: string; line: string };
}

/** Leaves room in the card's `text` for the watch's state and the mark of invented data. */
export const maxCardText = limits.messageText - 1_000;

/** How many vessels a card lists. */
export const maxRows = 30;

export const moreNote = (all: number, shown: number, label: string): string[] =>
  all > shown ? [`the ${shown} with the nearest ETA; ${label} (⋯) shows ${all - shown} more`] : [];

interface WithEta {
  imo: Imo;
  eta: Date | null | undefined;
}

/** Earliest ETA first; vessels without an ETA last. */
export const byEta = (one: WithEta, other: WithEta): number =>
  etaMs(one) - etaMs(other) || one.imo - other.imo;

const etaMs = ({ eta }: WithEta): number => eta?.getTime() ?? Number.MAX_SAFE_INTEGER;

/** [Acknowledge] [Resume] [History] [Snooze ▾] [⋯], as the watch's state allows. */
export function cardButtons(
  watch: WatchWithSubjects,
  { showAll, hasMaps, now }: Pick<CardBody, 'showAll'> & { hasMaps: boolean; now: Date },
): ActionsBlock[] {
  const { id, status } = watch;
  const press = (action: 'acknowledge' | 'resume', label: string) =>
    button({ id: watchActionIds[action], label, value: id });
  const [imo] = isOfOneVessel(watch) && showAll ? vesselSubjects(watch.followedSubjects) : [];
  const whole = [
    ...(showAll ? [showAll] : []),
    ...(imo !== undefined && hasMaps ? [{ label: 'Map', line: `nextport ${imo} map` }] : []),
  ];
  const lines = [
    ...(imo === undefined ? [] : [{ label: 'History', line: `nextport ${imo} history` }]),
    ...whole.filter((choice) => !fitsInMenu(choice)),
  ];
  const rows = actions([
    ...(watch.openAlerts ? [press('acknowledge', 'Acknowledge')] : []),
    ...(status === 'paused' ? [press('resume', 'Resume')] : []),
    ...lines
      .filter(({ line }) => line.length <= limits.buttonValue)
      .map(({ label, line }, index) => button({ id: actionIds.apart(index), label, value: line })),
    ...(status === 'active' ? [snoozeMenu(watch)] : []),
    moreMenu(watch, whole.filter(fitsInMenu)),
  ]);
  // Slack keeps the menu's choice while the block has the same id. A new id lets people choose the same again.
  return rows.map((row) => ({ ...row, block_id: `watch ${now.getTime()}` }));
}

const fitsInMenu = ({ line }: Choice): boolean => line.length <= limits.optionValue;

function moreMenu({ id, status }: WatchWithSubjects, lines: readonly Choice[]) {
  const stop = status === 'ended' ? 'Remove' : 'Stop';
  const items = [
    ...(status === 'active' ? [pressOption('Refresh', watchActionIds.refresh, id)] : []),
    ...lines.map(({ label, line }) => ({ label, value: line })),
    ...(status === 'ended'
      ? []
      : [{ label: 'Edit the rules …', value: formOption('watch', { watchId: id }) }]),
    pressOption(`${stop} …`, watchActionIds.askToStop, id),
  ];
  // A menu of one option looks broken in Slack.
  return items.length > 1
    ? overflow(actionIds.apartMenu, items)
    : button({ id: watchActionIds.askToStop, label: `${stop} …`, value: id });
}

function snoozeMenu(watch: WatchWithSubjects): StaticSelect {
  const { id, snooze } = watch;
  const isPort = isOfPort(watch);
  const option = (choice: SnoozeChoice, label: string) => ({ label, value: `${choice} ${id}` });
  return select(watchActionIds.snooze, 'Snooze', [
    option('1h', '1 hour'),
    ...(isPort ? [] : [option('eta', 'Until 24 h before the ETA')]),
    option('date', 'Until a date …'),
    ...(isPort ? [] : [option('next-port', 'Until the next port changes')]),
    ...(snooze ? [option('wake', 'Wake now')] : []),
  ]);
}
