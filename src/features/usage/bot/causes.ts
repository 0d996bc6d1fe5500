import { capitalised } from '../../../messages/formatting/words.ts';
import type { CallsOfMonth } from '../../../workspaces/call-counts.ts';
import type { DigestRuns, PolledSubject } from '../../scheduled-calls.ts';
import { sumOf } from './read-usage.ts';

/** What caused requests, with the channels that it belongs to; null stands for direct messages. */
export type Cause = { calls: number } & (
  | { kind: 'command'; name: string; places: readonly { channelId: string | null; calls: number }[] }
  /** `title`: null if it was removed long ago. */
  | { kind: 'digest'; title: string | null; channelId: string | null }
  /**
   * `name`: null if nothing watches it any more. `watchedIn`: the channel of each watch that there is now. `polls`: for
   * watches of which channels they were made, which tells who may know of them.
   */
  | {
      kind: 'watch';
      name: string | null;
      watchedIn: readonly (string | null)[];
      polls: readonly { channelIds: readonly string[]; calls: number }[];
    }
  | { kind: 'other' }
);

/** The channels that readers may know of. */
export interface KnownChannels {
  /** Admins know all of them. */
  all: boolean;
  channelIds: readonly string[];
}

/** A row of the table by cause. */
export interface CauseRow {
  kind: Cause['kind'];
  /** Plain text. */
  what: string;
  calls: number;
  /** The known channels. */
  channelIds: readonly string[];
}

/** A row of the list by channel. */
export interface ChannelRow {
  /** A channel, or where there is none, words in plain text. */
  channel: { id: string } | string;
  calls: number;
}

/** Names what was counted, by what there is today. */
export function causesOf(
  counted: CallsOfMonth['causes'],
  { subjects, digests }: { subjects: readonly PolledSubject[]; digests: readonly DigestRuns[] },
): Cause[] {
  const subjectOf = new Map(subjects.map((subject) => [subject.key, subject]));
  const digestOf = new Map(digests.map((digest) => [digest.id, digest]));
  const byKey = Map.groupBy(counted, ({ kind, key }) => `${kind} ${key}`);
  return [...byKey.values()].flatMap((rows) => {
    const [first] = rows;
    return first ? [causeOf(first, rows)] : [];
  });

  function causeOf({ kind, key, channelId }: Counted, rows: readonly Counted[]): Cause {
    const calls = sumOf(rows);
    switch (kind) {
      case 'command':
        return { kind, name: key, calls, places: rows };
      case 'digest':
        return { kind, title: digestOf.get(key)?.title ?? null, channelId, calls };
      case 'watch': {
        const { name = null, watchedIn = [] } = subjectOf.get(key) ?? {};
        const polls = rows.map(({ channelId: ids, calls: count }) => ({
          channelIds: ids?.split(',') ?? [],
          calls: count,
        }));
        return { kind, name, watchedIn, polls, calls };
      }
      case 'other':
        return { kind, calls };
    }
  }
}

type Counted = CallsOfMonth['causes'][number];

/**
 * The most frequent first. What belongs to channels that the reader may not know of, or to one person, has no name of its
 * own.
 */
export const rowsByCause = (causes: readonly Cause[], known: KnownChannels): CauseRow[] =>
  summedUp(causes.flatMap((cause) => causeRows(cause, known)));

function causeRows(cause: Cause, known: KnownChannels): CauseRow[] {
  const { kind, calls } = cause;
  const row = (what: string, channelIds: readonly string[] = [], count = calls) => [
    { kind, what, channelIds, calls: count },
  ];
  switch (cause.kind) {
    case 'command': {
      const places = cause.places.toSorted((a, b) => b.calls - a.calls);
      const channelIds = places.map(({ channelId }) => channelId).filter((id) => isKnown(id, known));
      return row(`/${cause.name}`, channelIds);
    }
    case 'digest': {
      const { title, channelId } = cause;
      if (channelId === null) return row('Personal digests');
      if (!isKnown(channelId, known)) return row('Digests in other channels');
      return row(title === null ? 'Removed digests' : `${title} (digest)`, [channelId]);
    }
    case 'watch': {
      const { name, watchedIn, polls } = cause;
      const channels = watchedIn.filter((id) => isKnown(id, known));
      return polls.flatMap(({ channelIds, calls: count }) => {
        if (channelIds.length === 0) return row('Personal watches', [], count);
        if (!channelIds.some((id) => isKnown(id, known))) return row('Watches in other channels', [], count);
        if (name === null || channels.length === 0) return row('Stopped watches', [], count);
        return row(`${capitalised(name)} (${countedWatches(channels)})`, [...new Set(channels)], count);
      });
    }
    case 'other':
      return row('Other');
  }
}

const countedWatches = ({ length }: readonly unknown[]): string =>
  length === 1 ? 'watch' : `${length} watches`;

/** The most frequent first. Each request is in one row, so the rows add up to all requests. */
export const rowsByChannel = (causes: readonly Cause[], known: KnownChannels): ChannelRow[] =>
  summedUp(causes.flatMap((cause) => channelRows(cause, known)));

function channelRows(cause: Cause, known: KnownChannels): ChannelRow[] {
  const { calls } = cause;
  const rowOf = (channelId: string | null, count = calls): ChannelRow => {
    if (channelId === null) return { channel: 'Direct messages', calls: count };
    return { channel: isKnown(channelId, known) ? { id: channelId } : 'Other channels', calls: count };
  };
  switch (cause.kind) {
    case 'command':
      return cause.places.map(({ channelId, calls: count }) => rowOf(channelId, count));
    case 'digest':
      return [rowOf(cause.channelId)];
    case 'watch': {
      return cause.polls.flatMap(({ channelIds, calls: count }) => {
        // The watch of a channel that the reader doesn't know, or of a person, changes nothing of what they see.
        const [first, ...others] = channelIds.filter((id) => isKnown(id, known));
        if (others.length > 0) return { channel: 'Polls shared by several channels', calls: count };
        return rowOf(first ?? channelIds[0] ?? null, count);
      });
    }
    case 'other':
      return [{ channel: 'Other', calls }];
  }
}

const isKnown = (channelId: string | null, { all, channelIds }: KnownChannels): channelId is string =>
  channelId !== null && (all || channelIds.includes(channelId));

/** Adds up the rows that differ in nothing but their calls. */
function summedUp<Row extends { calls: number }>(rows: readonly Row[]): Row[] {
  const sums = Map.groupBy(rows, ({ calls: _, ...row }) => JSON.stringify(row));
  // Equal ones in the order of their words, so that the same calls always read the same.
  return [...sums]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, same]) => same.slice(0, 1).map((row) => ({ ...row, calls: sumOf(same) })))
    .toSorted((a, b) => b.calls - a.calls);
}
