import type { ExportTable } from '../../../answers/export-table.ts';
import type { KnownVessel } from '../../../messages/formatting/vessel-label.ts';
import type { Reader } from '../../../messages/message.ts';
import type { Prospect } from '../../../reference/stored-values.ts';
import { defineServiceTable, etaColumns, portColumns, vesselColumns } from '../../table.ts';
import { rulesInWords, snoozeInWords } from '../rules/in-words.ts';
import { isOfPort, targetOf, type WatchWithSubjects, watchedPort } from '../store/watch-list.ts';
import { expectedVessels, listedVessels } from './shown-prediction.ts';
import type { WatchReplyAnswer } from './watch-answer.ts';
import type { WatchListAnswer } from './watch-list.ts';

/** The answer to any other line of the command than `changes` and `stability`. */
export type WatchAnswer = WatchReplyAnswer | WatchListAnswer;

/** Undefined for an answer that is not a list. */
export function watchTable(answer: WatchAnswer, reader: Reader): ExportTable | undefined {
  return answer.kind === 'watch-list' ? listTable(answer, reader) : undefined;
}

interface Watched {
  watch: WatchWithSubjects;
  vessel?: KnownVessel;
  call?: Prospect;
  /** When the figures of the call were given. */
  at?: Date | null | undefined;
  now: Date;
}

function listTable({ watches, total, named }: WatchListAnswer, reader: Reader): ExportTable {
  const vessels = new Map(named.map((vessel) => [vessel.imo, vessel]));
  const rows = watches.flatMap((watch): Watched[] => {
    const common = { watch, now: reader.now };
    const polledAt = watch.followedSubjects.find((followed) => followed.polledAt)?.polledAt;
    const called = isOfPort(watch)
      ? expectedVessels(watch).map(({ imo, notifiedAt, ...call }) => ({ imo, call, notifiedAt }))
      : listedVessels(watch).map(({ imo, prediction }) => ({
          imo,
          notifiedAt: prediction?.notifiedAt,
          ...(prediction && { call: prediction }),
        }));
    if (called.length === 0) return [common];
    return called.map(({ imo, notifiedAt, ...call }) => ({
      ...common,
      vessel: vessels.get(imo) ?? { imo },
      ...call,
      at: notifiedAt ?? polledAt,
    }));
  });
  return list.of({
    rows,
    total: rows.length + total - watches.length,
    fetchedAt: ({ at }) => at ?? undefined,
    reader,
  });
}

const list = defineServiceTable<Watched>({
  name: 'watches',
  about: 'A vessel that a watch follows, or that is expected at its port; without one, the watch',
  columns: [
    { key: 'watch', about: 'what is watched', value: ({ watch }) => watch.title },
    {
      key: 'watched_port',
      about: 'UN/LOCODE, if the watch is about a port',
      value: ({ watch }) => watchedPort(targetOf(watch)),
    },
    ...vesselColumns<Watched>(({ vessel }) => vessel),
    ...portColumns<Watched>(({ call }) => call?.port),
    { key: 'probability', about: 'from 0 to 1', value: ({ call }) => call?.probability },
    ...etaColumns<Watched>(({ call }) => call),
    {
      key: 'rules',
      about: 'when it notifies, in words',
      value: ({ watch, now }) => rulesInWords(watch.rules, { now, isPort: isOfPort(watch) }).join('; '),
    },
    { key: 'status', about: '`active`, `paused` or `ended`', value: ({ watch }) => watch.status },
    {
      key: 'snoozed',
      about: 'until when, in words',
      value: ({ watch, now }) => watch.snooze && snoozeInWords(watch.snooze, now),
    },
    {
      key: 'open_alerts',
      about: 'alerts of the watch that nobody has acknowledged',
      value: ({ watch }) => watch.openAlerts?.count ?? 0,
    },
    { key: 'channel_id', about: "Slack's id of the channel", value: ({ watch }) => watch.channelId },
    { key: 'owner_id', about: "Slack's id of the owner", value: ({ watch }) => watch.ownerId },
    { key: 'created_at', about: 'when it was added, in UTC', value: ({ watch }) => watch.createdAt },
  ],
});

export const watchTables = [list];
