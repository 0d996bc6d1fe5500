import type { Reader } from '../../../messages/message.ts';
import { hasStayed, type Lead, leads, minutesMoved } from '../../../predictions/stability.ts';
import {
  type Column,
  defineServiceTable,
  type ExportTable,
  portColumns,
  vesselColumns,
} from '../../table.ts';
import type { StabilityAnswer, StabilityCall } from './stability-view.ts';

/** Every call, also where the answer shows a row for each vessel. */
export const stabilityTable = ({ calls }: StabilityAnswer, reader: Reader): ExportTable =>
  finishedCalls.of({ rows: calls, fetchedAt: ({ endedAt }) => endedAt, reader });

const columnsAt = (lead: Lead): Column<StabilityCall>[] => [
  ...portColumns<StabilityCall>(({ readings }) => readings[lead]?.port, {
    prefix: `before_${lead}h_`,
    about: `port on top ${lead} h before the last ETA`,
  }),
  {
    key: `before_${lead}h_probability`,
    about: 'its probability then, from 0 to 1',
    value: ({ readings }) => readings[lead]?.probability,
  },
  { key: `before_${lead}h_eta`, about: 'its ETA then, in UTC', value: ({ readings }) => readings[lead]?.eta },
  {
    key: `stayed_${lead}h`,
    about: 'whether it was still on top at the end; empty if nothing is known of that time',
    value: (call) => (call.readings[lead] ? hasStayed(call, lead) : undefined),
  },
  {
    key: `eta_moved_${lead}h_minutes`,
    about: 'how much later the last ETA is, if the port stayed',
    value: (call) => minutesMoved(call, lead),
  },
];

export const finishedCalls = defineServiceTable<StabilityCall>({
  name: 'finished-calls',
  about:
    'A call that ended while its vessel was watched: its port left the predictions at its ETA; the newest first',
  columns: [
    ...vesselColumns<StabilityCall>(({ imo, name }) => ({ imo, ...(name !== undefined && { name }) })),
    ...portColumns<StabilityCall>(({ previousPort }) => previousPort ?? undefined, {
      prefix: 'previous_',
      about: 'port of the call before',
    }),
    ...portColumns<StabilityCall>(({ port }) => port, { about: 'port on top at the end' }),
    { key: 'last_eta', about: 'its last ETA, in UTC', value: ({ lastEta }) => lastEta },
    { key: 'ended_at', about: 'the first poll without the port, in UTC', value: ({ endedAt }) => endedAt },
    ...leads.flatMap(columnsAt),
  ],
});
