import { isoMonth } from '../../../grammar/dates.ts';
import type { Reader } from '../../../messages/message.ts';
import { defineTable, type ExportTable } from '../../table.ts';
import type { BotUsage } from './answer.ts';
import { type CauseRow, type KnownChannels, rowsByCause } from './causes.ts';

export const botUsageTable = defineTable<CauseRow & { month: string }>({
  name: 'usage-bot',
  about: 'What caused calls of Landfall in a month',
  columns: [
    { key: 'month', about: 'in UTC', value: ({ month }) => month },
    { key: 'kind', about: '`command`, `digest`, `watch` or `other`', value: ({ kind }) => kind },
    { key: 'cause', about: 'what caused them', value: ({ what }) => what },
    { key: 'calls', about: 'number of calls, retries included', value: ({ calls }) => calls },
    {
      key: 'channel_ids',
      about: 'the channels that it belongs to, among those that you may know of',
      value: ({ channelIds }) => channelIds.join(' '),
    },
  ],
});

/** What everybody may know who reads the answer. */
export const knownTo = ({ known, here }: BotUsage, { audience }: Pick<Reader, 'audience'>): KnownChannels =>
  audience === 'private' ? known : { all: false, channelIds: here === null ? [] : [here] };

/** Undefined where people of other organisations read. */
export function botUsageExport(usage: BotUsage, reader: Reader): ExportTable | undefined {
  if (reader.audience === 'outside') return undefined;
  const month = isoMonth(usage);
  const rows = rowsByCause(usage.causes, knownTo(usage, reader)).map((row) => ({ ...row, month }));
  return botUsageTable.of({ rows, subject: [month] });
}
