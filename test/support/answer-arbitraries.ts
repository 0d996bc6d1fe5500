import fc from 'fast-check';
import type { Prediction } from '../../src/analytics/answers.ts';
import type { CarrierStatistics } from '../../src/analytics/journey-statistics.ts';
import type { UsageRecord } from '../../src/analytics/usage.ts';
import type { KnownVessel } from '../../src/answers/formatting/words.ts';
import type { Reader } from '../../src/answers/message.ts';
import type { Scac } from '../../src/reference/carriers.ts';
import type { Imo, Locode } from '../../src/reference/codes.ts';
import { allPorts } from '../../src/reference/ports.ts';
import type { Provenance } from '../../src/reference/prediction.ts';
import { anyCharacter } from './any-character.ts';

/** Names as people and services may write them, including the worst. */
export const nasty = fc.oneof(
  fc.constantFrom(
    '<!channel>',
    '<@U024BE7LH>',
    '<#C1|ops>',
    '<https://evil.example|Rotterdam>',
    '&lt;!here&gt;',
    '*bold* _it_ ~st~ `code` ```block```',
    'a'.repeat(500),
    '<'.repeat(400),
    '\u202Egnp.exe',
    '🚢'.repeat(100),
    'two\nlines',
    '>quote',
    '',
    '\ud83d',
  ),
  fc.string({ unit: anyCharacter, maxLength: 200 }),
);

const aDate = fc.date({
  min: new Date('1990-01-01T00:00:00Z'),
  max: new Date('2100-01-01T00:00:00Z'),
  noInvalidDate: true,
});

/** Service data: well-formed, not necessarily known. */
export const anImo = fc.integer({ min: 1_000_000, max: 9_999_999 }).map((imo) => imo as Imo);
const someLocode = fc
  .tuple(fc.stringMatching(/^[A-Z]{2}$/), fc.stringMatching(/^[A-Z2-9]{3}$/))
  .map((parts) => parts.join('') as Locode);
export const aPort = fc.oneof(
  fc.constantFrom('NLRTM', 'DEHAM', 'SGSIN', 'INNSA', 'AUMEL').map((code) => code as Locode),
  fc.nat().map((index) => allPorts()[index % allPorts().length]?.locode ?? ('NLRTM' as Locode)),
  someLocode,
);
export const aVessel: fc.Arbitrary<KnownVessel> = fc
  .record({ imo: anImo, name: nasty }, { requiredKeys: ['imo'] })
  .map((vessel) => vessel);

export const aPrediction: fc.Arbitrary<Prediction> = fc.record(
  {
    imo: anImo,
    port: aPort,
    probability: fc.double({ min: 0, max: 1.5, noNaN: true }),
    eta: aDate,
    etaZone: fc.constantFrom('given', 'assumed-utc'),
  },
  { requiredKeys: ['imo', 'port', 'probability', 'etaZone'] },
);

export const aProvenance: fc.Arbitrary<Provenance> = fc.record(
  {
    fetchedAt: aDate,
    cached: fc.boolean(),
    staleSince: aDate,
    throttled: fc.constant(true),
    droppedRecords: fc.nat(10_000),
  },
  { requiredKeys: ['fetchedAt', 'cached', 'droppedRecords'] },
);

const aCount = fc.nat(2_000_000_000);

export const aUsageRecord: fc.Arbitrary<UsageRecord> = fc.record({
  userId: fc.option(nasty),
  year: fc.constant(2026),
  month: fc.constant(10),
  type: fc.oneof(fc.constantFrom('REQUEST', 'PUSH'), nasty),
  method: fc.option(fc.oneof(fc.constantFrom('GET', 'POST'), nasty)),
  endpoint: fc.oneof(fc.constantFrom('/nextport/vessel', 'Total container count'), nasty),
  status: fc.oneof(fc.constantFrom('SUCCESS', 'ERROR'), nasty),
  unit: fc.oneof(fc.constantFrom('REQUESTS', 'CONTAINERS'), nasty),
  count: aCount,
  text: fc.option(fc.oneof(fc.constant('Bill of lading number transports'), nasty)),
});

export const aScac = fc.stringMatching(/^[A-Z]{2,4}$/).map((code) => code as Scac);

export const carrierStatistics: fc.Arbitrary<CarrierStatistics> = fc.record({
  carrier: aScac,
  origin: aPort,
  destination: aPort,
  beginsAt: aDate,
  endsAt: aDate,
  journeys: aCount,
  originDelayed: aCount,
  destinationDelayed: aCount,
  originOmissions: aCount,
  destinationOmissions: aCount,
});

export const aReader: fc.Arbitrary<Reader> = fc.record({
  now: aDate,
  zone: fc.constantFrom('Europe/Berlin', 'Asia/Kolkata', 'UTC'),
  source: fc.constantFrom('service', 'sandbox'),
  audience: fc.constantFrom('private', 'channel', 'outside'),
});

export const aTime = aDate;
export const aPage = fc.integer({ min: 1, max: 9999 });
/** Up to the maximum length of a canonical line. */
export const aLine = fc.oneof(
  fc.constantFrom('nextport 9461477', 'nextport list:FEEDERS page 2'),
  nasty.map((name) => `nextport list:"${name.repeat(20)}"`.slice(0, 1500)),
);
