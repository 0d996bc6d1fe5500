import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import { type Answer, type AnswerMenu, allPromises } from '../../answers/answer.ts';
import { ago } from '../../answers/formatting/times.ts';
import { counted, figure } from '../../answers/formatting/words.ts';
import { count, field, flag, instant, text } from '../../answers/kinds.ts';
import { clip, paged } from '../../answers/message.ts';
import { pauseInWords } from '../../answers/slack/notices.ts';
import { table } from '../../answers/table.ts';
import { joined, present, type Text } from '../../answers/text.ts';
import { digestActionIds } from '../digests/index.ts';
import { monthly, roundToTwoDigits, watchActionIds } from '../polling/index.ts';
import { countsOf, plurals, type Thing, type ThingKind, thingKinds } from './read-things.ts';
import type { Hidden, Overview } from './visible.ts';

export interface Filter {
  kind?: ThingKind | undefined;
  /** Only what nobody has used for 30 days. */
  isUnused?: boolean;
  channelId?: string | undefined;
  ownerId?: string | undefined;
}

interface Listed {
  thing: Thing;
  /** Its owner has left Slack, and somebody else can own it. */
  isOrphaned: boolean;
  now: Date;
}

export const overviewTable = table<Listed>({
  name: 'overview',
  about: 'A watch, a digest or a promise; what needs somebody comes first, then what uses the most calls',
  columns: {
    kind: field('text', 'what it is', ({ thing }) => thing.kind, { values: thingKinds }),
    title: text('What', 'what is watched or promised; the title of a digest', ({ thing }) => thing.title, {
      words: (row) =>
        `${needsSomebody(row) ? '🟠 ' : ''}${clip(row.thing.title, 80)}${nounOf(row.thing.kind)}`,
    }),
    // A phone shows two columns: who would act needs the state.
    state: text('State', '`active`, or why it is not, in words; of a promise, when it is due', stateInWords),
    channel_id: text(
      'Channel',
      "Slack's id of the channel; empty for a promise that was added where you may not look",
      ({ thing }) => thing.channelId,
      { words: ({ thing }) => (thing.channelId === undefined ? '' : { channel: thing.channelId }) },
    ),
    owner_id: text('Owner', "Slack's id of the owner; empty like the channel", ({ thing }) => thing.ownerId, {
      words: ({ thing }) => (thing.ownerId === undefined ? '' : { person: thing.ownerId }),
    }),
    calls_per_month: count(
      'Calls a month',
      'estimated requests in 30 days; a poll that several watches share counts for each',
      ({ thing }) => thing.calls && roundToTwoDigits(thing.calls),
    ),
    open_alerts: count(
      'Open alerts',
      'alerts of a watch that nobody has acknowledged',
      ({ thing }) => thing.openAlerts,
      { words: ({ thing }) => (thing.openAlerts ? figure(thing.openAlerts) : '') },
    ),
    last_used_at: instant(
      'Last used',
      'in UTC: of a watch its last alert, or when one was last assigned or acknowledged; of a digest its last run; else when it was added',
      ({ thing }) => thing.usedAt,
      { words: ({ thing, now }) => (thing.usedAt ? daysAgo(thing.usedAt, now) : '') },
    ),
    status: field('text', 'whether it runs', ({ thing }) => thing.status, {
      values: ['active', 'paused', 'ended'],
    }),
    is_snoozed: flag(null, 'a watch that notifies nobody for a while', ({ thing }) => thing.isSnoozed),
    owner_has_left: flag(null, "the owner's account in Slack is deactivated", ({ isOrphaned }) => isOrphaned),
  },
});

/** All that a screen reader may get. */
const inWords = (row: Listed): Text => {
  const { title, kind, channelId, ownerId, calls, openAlerts, usedAt } = row.thing;
  return joined(
    present<Text>(
      `${needsSomebody(row) ? '🟠 ' : ''}${clip(title, 80)}${nounOf(kind)}`,
      channelId !== undefined && { channel: channelId },
      ownerId !== undefined && { person: ownerId },
      calls !== undefined && `${counted(roundToTwoDigits(calls), 'call')} a month`,
      openAlerts !== undefined && openAlerts > 0 && counted(openAlerts, 'open alert'),
      usedAt && `last used ${daysAgo(usedAt, row.now)}`,
      stateInWords(row),
    ),
  );
};

const nounOf = (kind: ThingKind): string => (kind === 'watch' ? '' : ` (${kind})`);

/** Its owner has left, or Slack refuses its messages. */
const needsSomebody = ({ thing, isOrphaned }: Listed): boolean => isOrphaned || thing.pauseReason !== null;

function stateInWords({ thing, isOrphaned }: Listed): string {
  const { status, pauseReason, isSnoozed, due } = thing;
  const state = pauseReason === null ? status : `paused: ${pauseInWords(pauseReason).what}`;
  return present(isOrphaned && 'owner has left Slack', due ?? state, isSnoozed && 'snoozed').join(', ');
}

function daysAgo(time: Date, now: Date): string {
  const days = Math.floor((now.getTime() - time.getTime()) / millisecondsInDay);
  return days >= 1 ? `${days} d ago` : ago((now.getTime() - time.getTime()) / millisecondsInMinute);
}

export const thingsPerPage = 20;
const unusedDays = 30;

/** All that is set up, for an admin. `page`: the one asked for. */
export function overviewAnswer(
  overview: Overview,
  { filter, page: asked, now }: { filter: Filter; page: number; now: Date },
): Answer {
  const rows = overview.things
    .filter((thing) => matches(thing, filter, now))
    .map((thing): Listed => ({ thing, isOrphaned: isOrphaned(thing, overview), now }))
    .sort(filter.isUnused ? byLastUse : byUrgency);
  const { items, ...page } = paged(rows, asked, thingsPerPage);
  const things = rows.map(({ thing }) => thing);
  const data = overviewTable.of({ caption: 'Watches, digests and promises', rows, shown: items, inWords });
  return {
    isOwn: true,
    verdict: {
      strong: verdictOf(things, filter),
      ...(things.length > 0 && { rest: costOf(things, overview) }),
      lines: present(attentionOf(rows)),
    },
    sections: [data],
    firstNotes: [
      ...notesOf(overview, filter),
      ...(sharePolls(things, overview)
        ? ['a poll that several watches share counts in the row of each']
        : []),
    ],
    page: { ...page, size: thingsPerPage },
    actions: {
      runs: [
        ...menusOf(
          items.map(({ thing }) => thing),
          { ...overview, listed: things },
        ),
        ...(things.some(({ kind }) => kind === 'promise')
          ? [{ label: 'List the promises', intent: allPromises }]
          : []),
      ],
    },
  };
}

function matches(thing: Thing, { kind, isUnused, channelId, ownerId }: Filter, now: Date): boolean {
  if (kind !== undefined && thing.kind !== kind) return false;
  if (channelId !== undefined && thing.channelId !== channelId) return false;
  if (ownerId !== undefined && thing.ownerId !== ownerId) return false;
  if (!isUnused) return true;
  return (
    thing.usedAt !== undefined && now.getTime() - thing.usedAt.getTime() >= unusedDays * millisecondsInDay
  );
}

const isOrphaned = (thing: Thing, { people }: Pick<Overview, 'people'>): boolean =>
  isHandable(thing) && (people.get(thing.ownerId ?? '')?.isGone ?? false);

const byUrgency = (one: Listed, other: Listed): number =>
  Number(needsSomebody(other)) - Number(needsSomebody(one)) ||
  (other.thing.calls ?? -1) - (one.thing.calls ?? -1) ||
  (other.thing.openAlerts ?? 0) - (one.thing.openAlerts ?? 0);

const byLastUse = (one: Listed, other: Listed): number =>
  Number(one.thing.usedAt ?? 0) - Number(other.thing.usedAt ?? 0);

/** `31 watches, 6 digests and 12 promises`. */
export function countedThings(counts: Readonly<Record<ThingKind, number>>): string {
  const parts = thingKinds.flatMap((kind) =>
    counts[kind] > 0 ? counted(counts[kind], kind, plurals[kind]) : [],
  );
  const last = parts.pop() ?? '';
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`;
}

function verdictOf(things: readonly Thing[], { kind, isUnused, channelId, ownerId }: Filter): Text {
  const where = [
    channelId === undefined ? '' : [' in ', { channel: channelId }],
    ownerId === undefined ? '' : [' of ', { person: ownerId }],
  ];
  const unused = isUnused ? ` unused for ${unusedDays} days` : '';
  if (things.length === 0)
    return ['No ', kind === undefined ? 'watches, digests or promises' : plurals[kind], where, unused];
  const channels = new Set(things.flatMap((thing) => thing.channelId ?? [])).size;
  const inChannels = channelId === undefined && channels > 0 ? ` in ${counted(channels, 'channel')}` : '';
  return [countedThings(countsOf(things)), where, inChannels, unused && `,${unused}`];
}

const sharePolls = (things: readonly Thing[], { callsOf }: Overview): boolean =>
  things.reduce((sum, { calls = 0 }) => sum + calls, 0) > 1.01 * callsOf(things);

function costOf(things: readonly Thing[], { callsOf }: Overview): string {
  const open = things.reduce((sum, { openAlerts = 0 }) => sum + openAlerts, 0);
  const calls = things.some((thing) => thing.calls !== undefined) && `: ${monthly(callsOf(things))}`;
  return present(calls, open > 0 && ` · ${counted(open, 'open alert')}`).join('');
}

/** `🟠 2 belong to people who have left Slack · 1 paused because Slack refuses the messages`. */
function attentionOf(rows: readonly Listed[]): string | undefined {
  const orphaned = rows.filter((row) => row.isOrphaned).length;
  const refused = rows.filter(({ thing }) => thing.pauseReason !== null).length;
  const parts = present(
    orphaned > 0 &&
      `${figure(orphaned)} ${orphaned === 1 ? 'belongs' : 'belong'} to people who have left Slack`,
    refused > 0 && `${figure(refused)} paused because Slack refuses the messages`,
  );
  return parts.length === 0 ? undefined : `🟠 ${parts.join(' · ')}`;
}

/** What is hidden is never counted by channel, person or time: that would say whose it is. */
function notesOf({ elsewhere, personal, unknownChannels }: Overview, filter: Filter): Text[] {
  const { kind, isUnused, channelId, ownerId } = filter;
  if (isUnused || channelId !== undefined || ownerId !== undefined)
    return [
      "Without private channels that you or Landfall aren't in, and what people have set up for themselves",
    ];
  const notes = [
    hiddenInWords(elsewhere, "in private channels that you or Landfall aren't in", kind),
    hiddenInWords(personal, 'that people have set up for themselves', kind),
  ].filter((note) => note !== undefined);
  return [
    ...(notes.length > 0 ? [joined(['Not listed: ', joined(notes, '; ')], '')] : []),
    ...(unknownChannels > 0
      ? [
          `Slack hasn't described ${counted(unknownChannels, 'channel')} yet, so ${unknownChannels === 1 ? 'it counts' : 'they count'} as private: ask again in a minute`,
        ]
      : []),
  ];
}

function hiddenInWords(
  { counts, calls }: Hidden,
  where: string,
  kind: ThingKind | undefined,
): string | undefined {
  const shown = kind === undefined ? counts : { ...countsOf([]), [kind]: counts[kind] };
  const things = countedThings(shown);
  if (things === '') return undefined;
  return `${things} ${where}${kind === undefined ? ` (${monthly(calls)})` : ''}`;
}

type Option = AnswerMenu['options'][number];

/** `listed`: what the filter leaves, on all pages. */
type Listing = Overview & { listed: readonly Thing[] };

/** Slack has no menus in a table, so those under it name its rows. */
function menusOf(things: readonly Thing[], overview: Listing): AnswerMenu[] {
  if (things.length === 0) return [];
  const optionsOf = (wanted: ThingKind): Option[] =>
    things.flatMap((thing) =>
      thing.kind === wanted ? { label: optionLabel(thing, overview), value: thing.id } : [],
    );
  const menus = [
    { label: 'Hand over …', press: handOverId, options: handOverOptions(things, overview) },
    { label: 'Stop a watch …', press: watchActionIds.askToStop, options: optionsOf('watch') },
    { label: 'Remove a digest …', press: digestActionIds.askToRemove, options: optionsOf('digest') },
  ];
  return menus.filter(({ options }) => options.length > 0);
}

/** Opens the form; its values come from `targetValue`. */
export const handOverId = 'overview:hand-over';

export type HandOverTarget =
  | { kind: 'watch' | 'digest'; id: string }
  /** All that the admin may see of this person's. */
  | { kind: 'owner'; id: string };

export const targetValue = ({ kind, id }: HandOverTarget): string => `${kind} ${id}`;

const maxOwners = 20;

/**
 * Everything of one person, of those who have left first, unless the filter leaves some of it out; then what the page
 * shows.
 */
function handOverOptions(shown: readonly Thing[], overview: Listing): Option[] {
  const { things, listed, people } = overview;
  const byOwner = (all: readonly Thing[]) =>
    Map.groupBy(all.filter(isHandable), ({ ownerId }) => ownerId ?? '');
  const owned = byOwner(things);
  const owners = [...byOwner(listed)].flatMap(([id, { length }]) => {
    const { name = id, isGone = false } = people.get(id) ?? {};
    if (length < (owned.get(id)?.length ?? 0)) return [];
    return length > 1 || isGone ? { id, length, name: clip(name, 40), isGone } : [];
  });
  return [
    ...owners
      .toSorted((one, other) => Number(other.isGone) - Number(one.isGone))
      .slice(0, maxOwners)
      .map(({ id, length, name, isGone }) => ({
        label: `Everything of ${name}${isGone ? ', who has left' : ''} (${length})`,
        value: targetValue({ kind: 'owner', id }),
      })),
    ...shown.flatMap((thing) =>
      thing.kind === 'promise'
        ? []
        : {
            label: `${optionLabel(thing, overview)}${nounOf(thing.kind)}`,
            value: targetValue({ kind: thing.kind, id: thing.id }),
          },
    ),
  ];
}

/** Several people may watch the same. An option can't name a channel: it is plain text. */
function optionLabel({ title, ownerId = '' }: Thing, { people }: Pick<Overview, 'people'>): string {
  const owner = people.get(ownerId);
  return owner && !owner.isUnknown ? `${clip(title, 40)} · ${clip(owner.name, 20)}` : clip(title, 60);
}

/** A promise has no owner of its own: it goes with its watch, or is everybody's. */
export const isHandable = ({ kind }: Thing): boolean => kind !== 'promise';
