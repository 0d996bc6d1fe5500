import { isDeepStrictEqual } from 'node:util';
import type { Answer, AnswerButton } from '../../answers/answer.ts';
import { zonedTime } from '../../answers/formatting/times.ts';
import { counted } from '../../answers/formatting/words.ts';
import { clip, joinWithin } from '../../answers/message.ts';
import { dismiss } from '../../answers/slack/notices.ts';
import { forAsker, type Text } from '../../answers/text.ts';
import type { AskCtx } from '../ctx.ts';
import { editButton, placeInWords } from '../owned/index.ts';
import { isOfPort, type WatchWithSubjects, watchActionIds } from '../polling/index.ts';
import { droppedRulesInWords, type Snooze, snoozeInWords } from '../rules/index.ts';
import { type ChangeQuestion, changeValue } from './button-values.ts';
import { listLine } from './list-watches.ts';
import { watchKind } from './watch-store.ts';

/** `value` is of button-values.ts; no button if it is undefined. */
export const undoButton = (value: string | undefined): AnswerButton[] =>
  value === undefined ? [] : [{ label: 'Undo', press: watchActionIds.undo, value }];

/** The end of a snooze: in UTC, as the card shows it, and in the person's zone. */
export function snoozeFor(snooze: Snooze, { now, actor: { zone = 'UTC' } }: Pick<AskCtx, 'now' | 'actor'>) {
  const words = snoozeInWords(snooze, now());
  if (snooze.kind !== 'until' || zone === 'UTC') return words;
  return `${words}, ${zonedTime(snooze.at, zone, now())} your time`;
}

interface Done {
  /** `Snoozed until …`. */
  did: Text;
  watches: readonly WatchWithSubjects[];
  /** Stands between them: `the open alerts of `. */
  of?: string;
  /** A sentence about what follows, without a full stop. */
  after?: string;
  /** The value of an Undo button. */
  undo?: string | undefined;
  /** Set if the watches are in another channel. */
  channelId?: string | undefined;
}

/** The answer to a line that has changed watches. */
export function doneAnswer({ did, watches, of = '', after, undo, channelId }: Done): Answer {
  const titles = watches.map(({ title }) => title);
  const shown = joinWithin(
    titles.map((title) => clip(title, 100)),
    ', ',
    1_500,
  );
  const which = titles.length > 3 ? `${titles.length} watches (${shown})` : shown;
  return {
    isOwn: true,
    verdict:
      titles.length === 0
        ? { strong: 'There was nothing to stop' }
        : { strong: did, rest: `: ${of}${which}${after === undefined ? '' : `. ${after}`}` },
    actions: {
      about: which,
      runs: [...undoButton(undo), { label: 'List the watches', line: listLine({ channelId }) }],
    },
    outcome: { stopped: titles },
  };
}

/** The question before all watches of a channel are stopped. */
export function stopAllQuestion(count: number, line: string, channelId: string | undefined): Answer {
  const channel: Text = channelId === undefined ? 'this channel' : { channel: channelId };
  if (count === 0)
    return {
      isOwn: true,
      verdict: {
        strong: ['No watches in ', channel, ' yet'],
        lines: [['For example: ', { code: '/watch 9461477' }]],
      },
    };
  const watches = counted(count, 'watch', 'watches');
  return {
    isOwn: true,
    verdict: {
      strong: [`Stop all ${watches} in `, channel, '?'],
      rest: ' They stop for everybody; what was posted stays.',
    },
    actions: {
      runs: [
        { label: `Stop ${watches}`, line },
        { label: 'Keep them', line: listLine({ channelId }) },
      ],
    },
  };
}

/** The question before a watch is stopped that belongs to somebody else. */
export const stopForeignQuestion = (
  { title, ownerId }: Pick<WatchWithSubjects, 'title' | 'ownerId'>,
  line: string,
  channelId: string | undefined,
): Answer => ({
  isOwn: true,
  verdict: {
    strong: [`Stop ${clip(title, 150)}, the watch of `, person(ownerId), '?'],
    rest: ' Nobody will be notified of it any more; what was posted stays.',
  },
  actions: {
    about: title,
    runs: [
      { label: 'Stop it', line },
      { label: 'Keep it', line: listLine({ channelId }) },
    ],
  },
  // Before somebody else's watch is stopped, a person has to press a button.
  outcome: { stopped: [] },
});

const person = (userId: string): Text => forAsker({ person: userId }, 'somebody else');

/** The question before somebody else's watch is changed. `isInWindow`: a window closes with a button of its own. */
export function changeQuestion(
  { watch, change, hasChanged }: ChangeQuestion,
  { now, isInWindow = false, privately }: { now: Date; isInWindow?: boolean; privately?: string | undefined },
): Answer {
  const { title, ownerId, rules: before } = watch;
  const { rules, ownerId: newOwnerId } = change;
  const context = { now, isPort: isOfPort(watch) };
  const added = droppedRulesInWords({ before: rules, after: before }, context);
  const dropped = droppedRulesInWords({ before, after: rules }, context);
  const inWords = (what: string, words: readonly string[]) =>
    words.length === 0 ? [] : [`${what}: ${words.join('; ')}.`];
  return {
    isOwn: true,
    verdict: {
      strong: [`Change the watch of ${clip(title, 150)}? It belongs to `, person(ownerId), '.'],
      lines: [
        ...(hasChanged ? ['Somebody has changed it since you were asked, so nothing was changed yet.'] : []),
        ...inWords('New', added),
        ...inWords('No longer', dropped),
        ...(newOwnerId === undefined ? [] : [['Hand it over to ', person(newOwnerId), '.']]),
        ...(isDeepStrictEqual(before, rules) ? [] : ['Its owner is notified of the change.']),
      ],
    },
    actions: {
      about: title,
      runs: [
        { label: 'Change it', press: watchActionIds.confirmChange, value: changeValue(change) },
        ...(privately === undefined ? [] : [{ label: 'Watch it for me alone', line: privately }]),
        ...(isInWindow ? [] : [{ label: 'Cancel', press: dismiss, value: dismiss }]),
      ],
    },
  };
}

/** Takes the place of the answer that had the Undo button. */
export function undoneAnswer({
  kind,
  watch: { title },
}: {
  kind: 'stopped' | 'restored' | 'watched-again';
  watch: WatchWithSubjects;
}): Answer {
  const rest = {
    stopped: `: ${title} is no longer watched here.`,
    restored: `: the watch of ${title} is as it was before.`,
    'watched-again': `: ${title} is watched again, on a new card; changes from now on are posted there.`,
  };
  return { isOwn: true, verdict: { strong: 'Undone', rest: rest[kind] } };
}

/** Says what a button did if it was pressed outside the watch's channel: in a direct message or on the Home tab. */
export function elsewhereAnswer(
  watch: WatchWithSubjects,
  did: 'acknowledged' | 'snoozed' | 'woken' | 'resumed' | 'stopped',
  { now, undo }: { now: Date; undo?: string | undefined },
): Answer {
  const { title, snooze } = watch;
  const watchHere: Text = [`${title} in `, placeInWords(watch)];
  const texts: Record<typeof did, [Text, Text]> = {
    acknowledged: ['Acknowledged', [': every alert of ', watchHere, '.']],
    snoozed: [
      `Snoozed ${snooze ? snoozeInWords(snooze, now) : ''}`,
      [': ', watchHere, ' notifies nobody meanwhile.'],
    ],
    woken: ['Awake again', [': ', watchHere, '. Changes in the meantime are posted there now.']],
    resumed: ['Resumed', [': ', watchHere, ' is watched again, and what was held back is posted there now.']],
    stopped: ['Stopped', [': ', watchHere, ' is no longer watched.']],
  };
  const [strong, rest] = texts[did];
  return { isOwn: true, verdict: { strong, rest }, actions: { about: title, runs: undoButton(undo) } };
}

/** A list is watched instead of the vessels of a watch. */
export const asListAnswer = ({ watch, stopped }: Record<'watch' | 'stopped', WatchWithSubjects>): Answer => ({
  isOwn: true,
  verdict: {
    strong: [
      `Watching ${watch.title} `,
      watch.destination === 'channel' ? ['in ', { channel: watch.channelId }] : 'for you alone',
    ],
    rest: `, with the same rules. No longer watched: ${clip(stopped.title, 150)}.`,
  },
  actions: { about: watch.title, runs: [editButton(watchKind, watch.id)] },
});
