import type { Answer, AnswerButton, Row, Verdict } from '../../answers/answer.ts';
import { zonedTime } from '../../answers/formatting/times.ts';
import { capitalised, counted } from '../../answers/formatting/words.ts';
import * as kinds from '../../answers/kinds.ts';
import { clip, linesWithin, type PageNumbers } from '../../answers/message.ts';
import { pauseInWords } from '../../answers/slack/notices.ts';
import { table } from '../../answers/table.ts';
import { forAsker, joined, present, type Text } from '../../answers/text.ts';
import type { WorkPause } from '../../workspaces/work-pause.ts';
import type { LineCost } from '../ctx.ts';
import { editButton, isPersonalThing } from '../owned/index.ts';
import type { Scope } from '../scope.ts';
import { actionIds, type Digest, digestKind } from './digest.ts';
import { formatSchedule, nextRunAfter } from './schedule.ts';
import { exampleLine } from './words.ts';

export const digestsTable = table<Omit<Digest, 'nextRunAt'> & { nextRunAt: Date | undefined }>({
  name: 'digests',
  about: 'A digest',
  columns: {
    number: kinds.field('count', 'its number in the channel', ({ number }) => number),
    title: kinds.field('text', 'its title', ({ title }) => title),
    channel_id: kinds.field(
      'text',
      "Slack's id of the channel; of the owner for a personal digest",
      ({ channelId }) => channelId,
    ),
    owner_id: kinds.field('text', "Slack's id of the owner", ({ ownerId }) => ownerId),
    schedule: kinds.field('text', 'when it is sent, as it is typed', formatSchedule),
    lines: kinds.field('text', 'its command lines, separated by `; `', ({ lines }) => lines.join('; ')),
    is_only_news: kinds.field('boolean', '`true` if it is not sent without news', ({ onlyNews }) => onlyNews),
    status: kinds.field('text', '`active` or `paused`', ({ status }) => status),
    next_run_at: kinds.field(
      'instant',
      'when it is sent next, in UTC; empty while paused',
      ({ status, nextRunAt }) => (status === 'active' ? nextRunAt : undefined),
    ),
  },
});

const labels = {
  run: 'Run now',
  pause: 'Pause',
  resume: 'Resume',
  remove: 'Remove',
  restore: 'Restore',
} as const;

/** A button that names the digest by its id, so it works in any channel. */
export const press = (does: keyof typeof labels, id: string, label: string = labels[does]): AnswerButton => ({
  label,
  press: actionIds[does],
  value: id,
});

const pauseOrResume = ({ id, status }: Pick<Digest, 'id' | 'status'>): AnswerButton =>
  press(status === 'active' ? 'pause' : 'resume', id);

const addButton: AnswerButton = { label: 'Add a digest …', form: 'digest', target: {} };

export const digestsPerPage = 10;

const headings: Record<Scope, { some: string; none: string }> = {
  channel: { some: '', none: 'No digests in this channel yet' },
  mine: { some: ' of yours', none: 'You have no digests yet' },
  all: { some: ' of yours and of your channels', none: 'You and your channels have no digests yet' },
};

export function listAnswer(
  {
    digests,
    scope,
    offered,
    pause,
    ...page
  }: {
    digests: readonly Digest[];
    /** Of all digests. */
    pause?: WorkPause | undefined;
    scope: Scope;
    /** The ids of those whose changes are offered; left out: all. */
    offered?: ReadonlySet<string>;
  } & PageNumbers,
  now: Date,
): Answer {
  const { total } = page;
  if (total === 0) return planAnswer(headings[scope].none);
  // A line names a digest by its number in this channel.
  const isHere = scope === 'channel';
  return {
    isOwn: true,
    verdict: { strong: `${counted(total, 'digest')}${headings[scope].some}` },
    sections: [
      {
        kind: 'rows',
        rows: digests.map((digest) => ({
          text: [isHere ? `${digest.number} ` : '', digest.title, ', ', nextRunOf(digest, now, pause)],
          lines: rowOf(digest, now, { showsPlace: !isHere, pause }),
          menu: [
            ...(isHere ? [{ label: 'Show', line: `digest show ${digest.number}` }] : []),
            ...(offered?.has(digest.id) === false ? [] : changesOf(digest)),
          ],
        })),
        data: digestsTable.of({
          caption: 'Digests',
          rows: digests.map((digest) => ({ ...digest, nextRunAt: nextRunAfter(pause, digest) })),
          total,
        }),
      },
    ],
    page: { ...page, size: digestsPerPage },
    actions: { runs: [addButton] },
  };
}

const changesOf = (digest: Digest): AnswerButton[] => [
  press('run', digest.id),
  editButton(digestKind, digest.id),
  pauseOrResume(digest),
  press('remove', digest.id),
];

/** An entry of a list: title and schedule; the lines; the state. */
const rowOf = (
  digest: Digest,
  now: Date,
  { showsPlace, pause }: { showsPlace: boolean; pause?: WorkPause | undefined },
): Text[] => [
  joined([
    { strong: `${digest.number} ${digest.title}` },
    scheduleOf(digest),
    ...(showsPlace ? [isPersonalThing(digest) ? 'only to you' : inChannel(digest)] : []),
  ]),
  linesOf(digest, 500),
  joined(stateOf(digest, now, pause)),
];

const inChannel = ({ channelId }: Pick<Digest, 'channelId'>): Text => ['in ', { channel: channelId }];

const scheduleOf = (digest: Digest): Text => [
  formatSchedule(digest),
  digest.onlyNews ? ' · only with news' : '',
  // In a channel, a mention would notify the owner each time.
  isPersonalThing(digest) ? '' : forAsker([' · by ', { person: digest.ownerId }]),
];

function linesOf({ lines }: Digest, maxCharacters: number): Text {
  const clipped = lines.map((line) => clip(line, 120));
  const shown = linesWithin(clipped, maxCharacters);
  const rest = lines.length - shown.length;
  return joined([...shown.map((code) => ({ code })), ...(rest > 0 ? [`and ${rest} more`] : [])]);
}

/** `pause`: of all digests. */
function nextRunOf(digest: Digest, now: Date, pause?: WorkPause): string {
  const { status, pauseReason, nextRunAt, zone } = digest;
  if (status === 'active') {
    const next = nextRunAfter(pause, digest);
    if (!next) return 'next run after the pause';
    return `next ${zonedTime(next, zone, now)}${next > nextRunAt ? ', after the pause' : ''}`;
  }
  return pauseReason === null ? 'paused' : `paused: ${pauseInWords(pauseReason).what}`;
}

/** Digests of one list may have several time zones. */
function yourNextRun(digest: Digest, pause?: WorkPause): Text {
  const next = digest.status === 'active' ? nextRunAfter(pause, digest) : undefined;
  return next ? { moment: next, portZone: digest.zone } : '';
}

const stateOf = (digest: Digest, now: Date, pause?: WorkPause): Text[] => [
  [
    `${digest.status === 'active' ? '' : '🟠 '}${capitalised(nextRunOf(digest, now, pause))}`,
    yourNextRun(digest, pause),
  ],
  ...warningsOf(digest, now),
];

function warningsOf({ missed, isUndelivered, zone }: Digest, now: Date): string[] {
  const warnings: string[] = [];
  if (missed) {
    const { count, first, last, isRestored } = missed;
    const at = (time: Date) => zonedTime(time, zone, now);
    const when = count === 1 ? at(first) : `${count} runs from ${at(first)} to ${at(last)}`;
    warnings.push(`🟠 missed${isRestored ? ' or sent before a restore' : ''}: ${when}`);
  }
  if (isUndelivered) warnings.push('🟠 its message is waiting: Slack has not accepted it yet');
  return warnings;
}

/** A row of the Home tab. */
export const homeRow = (digest: Digest, now: Date): Row => ({
  lines: rowOf(digest, now, { showsPlace: true }),
  menu: [
    press('run', digest.id),
    editButton(digestKind, digest.id, 'Edit …'),
    pauseOrResume(digest),
    { label: 'Remove …', press: actionIds.askToRemove, value: digest.id },
  ],
});

/** Offers the form, and a line to type. */
export const planAnswer = (heading: string): Answer => ({
  isOwn: true,
  verdict: {
    strong: heading,
    lines: [['Fill in a form, or type it in one line, for example: ', { code: `/${exampleLine}` }]],
  },
  notes: ['A digest answers its lines at set times, with what is new on top'],
  actions: { runs: [addButton] },
});

const verdicts = {
  added: 'Digest saved',
  changed: 'Digest changed',
  'handed-over': 'Digest handed over',
  'how-to-edit': 'Change what you like in this line',
  paused: 'Digest paused',
  resumed: 'Digest resumed',
  removed: 'Digest removed',
  restored: 'Digest restored',
  running: 'On its way',
} as const;

export interface Reply {
  did: keyof typeof verdicts | 'shown';
  digest: Digest;
  /** The next runs; none if it is paused. */
  runs: readonly Date[];
  /** The line that sets the digest to its current settings, for people to edit. */
  edit: string;
  cost: LineCost;
  undo?: AnswerButton | undefined;
  /** The answer is read outside of the digest's channel, where its number may mean another digest. */
  isElsewhere?: boolean;
}

/** What was done, the digest, its runs, and a button that undoes it. */
export const replyAnswer = (reply: Reply, now: Date): Answer => ({
  isOwn: true,
  verdict: { ...verdictOf(reply, now), lines: detailsOf(reply, now) },
  actions: { about: digestKind.called(reply.digest.title), runs: buttonsOf(reply) },
});

function verdictOf({ did, digest }: Reply, now: Date): Pick<Verdict, 'strong' | 'rest'> {
  const { number, title, ownerId } = digest;
  if (did === 'shown') return { strong: `${number} ${title}`, rest: [' · ', scheduleOf(digest)] };
  const hasNext = !['removed', 'paused', 'how-to-edit', 'running'].includes(did);
  return {
    strong: [
      verdicts[did],
      did === 'handed-over' ? forAsker([' to ', { person: ownerId }]) : '',
      `: “${title}”`,
    ],
    ...(hasNext && { rest: [` · ${nextRunOf(digest, now)}`, yourNextRun(digest)] }),
  };
}

/** Longer commands don't fit into Slack's message field; the form is offered instead. */
const maxEditLength = 2_500;

function detailsOf({ did, digest, runs, edit, cost, isElsewhere = false }: Reply, now: Date): Text[] {
  switch (did) {
    case 'removed':
      return [['It is no longer sent ', sentTo(digest), '; messages already sent stay there.']];
    case 'running': {
      const soon = " as soon as its lines are answered. Its schedule doesn't change.";
      return [['It will be sent ', sentTo(digest), soon]];
    }
    case 'how-to-edit':
      return [
        edit.length <= maxEditLength ? { code: `/${edit}` } : 'It is too long to type in one line.',
        [
          'Each part works on its own: a title in quotes, days and times, ',
          { code: 'only news' },
          ' or ',
          { code: 'always' },
          ', and the lines after a colon.',
        ],
      ];
    default: {
      const there = isPersonalThing(digest) ? 'in your direct messages' : 'there';
      const then = runs.slice(1).map((run) => zonedTime(run, digest.zone, now));
      const later = [
        ...(then.length > 0 ? [`Then ${then.join(', ')}`] : []),
        ...(did === 'shown' ? [] : warningsOf(digest, now)),
      ];
      return [
        ...(did === 'shown' ? [] : [[isElsewhere ? '' : `Digest ${digest.number} · `, scheduleOf(digest)]]),
        linesOf(digest, 2_500),
        ...(did === 'shown' ? [joined(stateOf(digest, now))] : []),
        ...(later.length > 0 ? [joined(later)] : []),
        joined([
          [
            did === 'paused' ? 'Was sent ' : 'Sent ',
            sentTo(digest),
            isElsewhere ? `; ${there} it is digest ${digest.number}` : '',
          ],
          ...(did === 'added' ? costInWords(cost) : []),
        ]),
      ];
    }
  }
}

export const sentTo = (digest: Pick<Digest, 'channelId' | 'destination'>): Text =>
  isPersonalThing(digest) ? 'to you by direct message' : inChannel(digest);

export function costInWords({ calls, isOfGroup, isOfPortGroup }: LineCost): string[] {
  if (calls === 0) return [];
  const further = present(isOfGroup && 'vessel', isOfPortGroup && 'port or lane of the group of ports');
  const more = further.length > 0 ? `, and one more for each further ${further.join(', and ')}` : '';
  return [`Each run uses ${counted(calls, 'API call')}${more}`];
}

function buttonsOf({ did, digest, undo, isElsewhere = false }: Reply): AnswerButton[] {
  const { id, number } = digest;
  const undoing = undo ? [undo] : [];
  const show = isElsewhere ? [] : [{ label: 'Show it', line: `digest show ${number}` }];
  switch (did) {
    case 'paused':
      return [pauseOrResume(digest)];
    case 'removed':
      return undoing;
    case 'shown':
      return [press('run', id), editButton(digestKind, id), pauseOrResume(digest), press('remove', id)];
    case 'how-to-edit':
      return [editButton(digestKind, id, 'Open the form'), ...show];
    case 'running':
      return show;
    default:
      return [...undoing, press('run', id), editButton(digestKind, id)];
  }
}
