import type { Locode } from '../../reference/locode.ts';
import { defineServiceTable, etaColumns, etaZoneColumn, portColumns, vesselColumns } from '../table.ts';
import type { PortCall, PortCalls } from './answer.ts';
import type { PortDay, PortDays } from './by-day/days.ts';

type Row = PortCall & { port: Locode };

export const callsTable = defineServiceTable<Row>({
  name: 'port-calls',
  about: 'A vessel that may call at the port',
  columns: [
    ...portColumns<Row>(({ port }) => port),
    ...vesselColumns<Row>(({ vessel }) => vessel),
    { key: 'probability', about: 'from 0 to 1', value: ({ probability }) => probability },
    ...etaColumns<Row>((call) => call),
    etaZoneColumn<Row>((call) => call),
  ],
});

export const callRows = ({ port, calls }: PortCalls): Row[] => calls.map((call) => ({ ...call, port }));

type DayRow = Omit<PortDay, 'isAbove'> & Partial<Pick<PortDay, 'isAbove'>> & { port: Locode };

export const daysTable = defineServiceTable<DayRow>({
  name: 'port-days',
  about: 'A day of the port',
  columns: [
    ...portColumns<DayRow>(({ port }) => port),
    {
      key: 'day',
      about: "day of the port's calendar; `past ETA` or `no ETA` for vessels that may call on any day",
      value: ({ day }) => day,
    },
    { key: 'likely_calls', about: 'sum of the probabilities', value: ({ likely }) => likely },
    { key: 'low', about: 'lower end of the range that holds in 8 of 10 cases', value: ({ low }) => low },
    { key: 'high', about: 'upper end of that range', value: ({ high }) => high },
    { key: 'vessels', about: 'number of vessels that may call', value: ({ vessels }) => vessels },
    {
      key: 'norm',
      about: 'median of past days at the same notice; empty without 14 days of history',
      value: ({ norm }) => norm?.median,
    },
    { key: 'norm_high', about: 'nine of ten past days had no more', value: ({ norm }) => norm?.high },
    {
      key: 'above_norm',
      about: 'whether the day has more',
      value: ({ norm, isAbove }) => (norm ? isAbove : undefined),
    },
  ],
});

export const dayRows = ({ port, days, overdue, undated }: PortDays): DayRow[] => [
  ...days.map((day) => ({ ...day, port })),
  ...(overdue.vessels > 0 ? [{ ...overdue, day: 'past ETA', port }] : []),
  ...(undated.vessels > 0 ? [{ ...undated, day: 'no ETA', port }] : []),
];
