import fc from 'fast-check';
import type { PortDays } from '../../src/features/port-calls/by-day/days.ts';
import { portDaysView } from '../../src/features/port-calls/by-day/days-view.ts';
import { severalPortDaysView } from '../../src/features/port-calls/by-day/several-days-view.ts';
import { severalPortsView } from '../../src/features/port-calls/several-view.ts';
import type { Message, Reader } from '../../src/messages/message.ts';
import { aLine, aPage, aPort, aPrediction, aProvenance, aTime, aVessel } from './answer-arbitraries.ts';

/** The lines behind the buttons. */
export const portLines = {
  otherOrderLine: aLine,
  byDayLine: aLine,
  showAllLine: aLine,
  allDatesLine: aLine,
};
const someCalls = fc.double({ min: 0, max: 500, noNaN: true });
const aDay = aTime.map((time) => time.toISOString().slice(0, 10));
const likelyCalls = fc.record({
  likely: someCalls,
  low: fc.nat(500),
  high: fc.nat(500),
  vessels: fc.nat(500),
});
/** A port's days; without the port and the provenance. */
const portDays = fc.record(
  {
    days: fc.array(
      fc
        .tuple(
          likelyCalls,
          fc.record(
            { day: aDay, isAbove: fc.boolean(), norm: fc.record({ median: someCalls, high: someCalls }) },
            { requiredKeys: ['day', 'isAbove'] },
          ),
        )
        .map(([calls, day]) => ({ ...calls, ...day })),
      { minLength: 1, maxLength: 60, size: 'max' },
    ),
    total: likelyCalls,
    overdue: likelyCalls,
    undated: likelyCalls,
    later: likelyCalls,
    norm: fc.oneof(
      fc.record({ kind: fc.constant('known' as const), days: fc.nat(60) }),
      fc.record({ kind: fc.constant('too-few' as const), days: fc.nat(13), isWatched: fc.boolean() }),
      fc.constant({ kind: 'unavailable' as const }),
    ),
    insteadOf: aPort,
    listed: fc.constant<PortDays['listed']>([]),
    isUnknown: fc.boolean(),
    also: fc.array(aPort, { maxLength: 20 }),
  },
  { requiredKeys: ['days', 'total', 'overdue', 'undated', 'later', 'listed', 'isUnknown', 'also'] },
);
const portSummary = fc
  .tuple(
    aProvenance,
    fc.record(
      {
        port: aPort,
        insteadOf: aPort,
        period: fc.record({ begin: aTime, end: aTime }),
        minProbability: fc.double({ min: 0, max: 1, noNaN: true }),
        by: fc.constantFrom('eta', 'probability'),
        listedCalls: fc.nat(1000),
        listed: fc.constant<PortDays['listed']>([]),
        hidden: fc.nat(1000),
        overdueBefore: fc.nat(1000),
        isUnknown: fc.boolean(),
        withoutEta: fc.nat(1000),
        expected: fc.record({
          days: fc.array(fc.record({ day: aDay, calls: someCalls }), { maxLength: 40, size: 'max' }),
          overdue: someCalls,
          undated: someCalls,
        }),
        also: fc.array(aPort, { maxLength: 5 }),
        scale: fc.constant('fraction' as const),
      },
      {
        requiredKeys: [
          ...(['port', 'minProbability', 'by', 'listedCalls', 'listed', 'hidden', 'overdueBefore'] as const),
          ...(['isUnknown', 'withoutEta', 'expected', 'also', 'scale'] as const),
        ],
      },
    ),
  )
  .map(([of, port]) => ({ ...port, ...of }));

const frame = { line: aLine, page: aPage, provenance: aProvenance, ...portLines };
const failed = fc.array(fc.record({ port: aPort }), { maxLength: 5 });

/** The views of answers by day, and about several ports, with data as wild as their types allow. */
export const severalPortViews: Record<string, fc.Arbitrary<(reader: Reader) => Message>> = {
  'several ports': fc
    .record({
      ...frame,
      ports: fc.array(portSummary, { minLength: 1, maxLength: 6 }),
      failed,
      calls: fc.array(
        fc
          .tuple(aVessel, aPrediction, fc.array(aPort, { maxLength: 5 }))
          .map(([vessel, { imo: _, ...call }, alsoAt]) => ({ ...call, vessel, alsoAt })),
        { maxLength: 100, size: 'max' },
      ),
      vessels: fc.nat(1000),
    })
    .map(
      ({ provenance, ...answer }) =>
        (reader) =>
          severalPortsView({ kind: 'several-port-calls', ...answer, ...provenance }, reader),
    ),
  'days of a port': fc.record({ ...frame, port: aPort, days: portDays }).map(
    ({ provenance, port, days, ...answer }) =>
      (reader) =>
        portDaysView({ kind: 'port-days', ...answer, ...days, port, ...provenance }, reader),
  ),
  'days of several ports': fc
    .record({
      ...frame,
      ports: fc.array(fc.tuple(aPort, portDays, aProvenance), { minLength: 1, maxLength: 6 }),
      failed,
    })
    .map(
      ({ provenance, ports, ...answer }) =>
        (reader) =>
          severalPortDaysView(
            {
              kind: 'several-port-days',
              ...answer,
              ports: ports.map(([port, days, of]) => ({ ...days, ...of, port })),
              ...provenance,
            },
            reader,
          ),
    ),
};
