import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { linkDomains, vesselOfLink } from '../../../src/features/links/index.ts';
import { type Imo, withCheckDigit } from '../../../src/reference/codes.ts';

const imos = fc.integer({ min: 100_000, max: 999_999 }).map((digits) => withCheckDigit((digits * 10) as Imo));
const mmsis = fc.integer({ min: 200_000_000, max: 799_999_999 });
const shipIds = fc.integer({ min: 1, max: 9_999_999 });
const names = fc.stringMatching(/^[A-Z][A-Z0-9]{0,8}(?:[-_][A-Z0-9]{1,8}){0,2}$/);
const prefixes = fc.constantFrom('https://www.', 'https://', 'http://www.');
const numbers = fc.record({ name: names, mmsi: mmsis, shipId: shipIds, prefix: prefixes });
interface Numbers {
  name: string;
  mmsi: number;
  shipId: number;
  prefix: string;
}

/** How the sites write a link to a vessel with this IMO number. */
const withImo: Record<string, (imo: number, numbers: Numbers) => string> = {
  'marinetraffic, all': (imo, { name, mmsi, shipId, prefix }) =>
    `${prefix}marinetraffic.com/en/ais/details/ships/shipid:${shipId}/mmsi:${mmsi}/imo:${imo}/vessel:${name}`,
  'marinetraffic, IMO only': (imo, { prefix }) =>
    `${prefix}marinetraffic.com/de/ais/details/ships/imo:${imo}`,
  'vesselfinder, details': (imo, { prefix }) => `${prefix}vesselfinder.com/vessels/details/${imo}`,
  'vesselfinder, name': (imo, { name, mmsi, prefix }) =>
    `${prefix}vesselfinder.com/vessels/${name}-IMO-${imo}-MMSI-${mmsi}`,
  'vesselfinder, map': (imo, { prefix }) => `${prefix}vesselfinder.com/?imo=${imo}`,
  'vesselfinder, map, as Slack may escape it': (imo, { prefix }) =>
    `${prefix}vesselfinder.com/?zoom=4&amp;imo=${imo}`,
  myshiptracking: (imo, { name, mmsi, prefix }) =>
    `${prefix}myshiptracking.com/vessels/${name.toLowerCase()}-mmsi-${mmsi}-imo-${imo}`,
  vesseltracker: (imo, { name, prefix }) => `${prefix}vesseltracker.com/en/Ships/${name}-${imo}.html`,
  balticshipping: (imo, { prefix }) => `${prefix}balticshipping.com/vessel/imo/${imo}`,
};

/** Links that name a vessel by another number. */
const withoutImo: Record<string, (numbers: Numbers) => string> = {
  'marinetraffic, map': ({ shipId }) => `https://www.marinetraffic.com/en/ais/home/shipid:${shipId}/zoom:10`,
  'marinetraffic, ship id': ({ shipId }) =>
    `https://www.marinetraffic.com/en/ais/details/ships/shipid:${shipId}`,
  'marinetraffic, MMSI': ({ mmsi }) => `https://www.marinetraffic.com/en/ais/details/ships/mmsi:${mmsi}`,
  'vesselfinder, MMSI': ({ mmsi }) => `https://www.vesselfinder.com/vessels/details/${mmsi}`,
  'vesselfinder, IMO 0': ({ name, mmsi }) =>
    `https://www.vesselfinder.com/vessels/${name}-IMO-0-MMSI-${mmsi}`,
  'myshiptracking, MMSI': ({ name, mmsi }) =>
    `https://www.myshiptracking.com/vessels/${name.toLowerCase()}-mmsi-${mmsi}`,
  'myshiptracking, IMO 0': ({ name, mmsi }) =>
    `https://www.myshiptracking.com/vessels/${name.toLowerCase()}-mmsi-${mmsi}-imo-0`,
};

describe('vesselOfLink', () => {
  test.each(Object.entries(withImo))('reads %s, but no number with a wrong check digit', (_, linkTo) => {
    fc.assert(
      fc.property(imos, fc.integer({ min: 1, max: 9 }), numbers, (imo, by, others) => {
        expect(vesselOfLink(linkTo(imo, others))).toBe(imo);
        const wrong = imo - (imo % 10) + ((imo + by) % 10);
        expect(vesselOfLink(linkTo(wrong, others))).toBeUndefined();
      }),
    );
  });

  test.each(Object.entries(withoutImo))('leaves %s alone', (_, linkTo) => {
    fc.assert(
      fc.property(numbers, (others) => {
        expect(vesselOfLink(linkTo(others))).toBeUndefined();
      }),
    );
  });

  test('other sites, and texts that are no links, are left alone', () => {
    for (const link of [
      'https://www.marinetraffic.com.evil.example/en/ais/details/ships/imo:9461477',
      'https://notmarinetraffic.com/en/ais/details/ships/imo:9461477',
      'https://example.com/?to=https://www.balticshipping.com/vessel/imo/9461477',
      'https://www.balticshipping.com/vessel/imo/9461477/photos/1',
      'https://www.balticshipping.com/port/imo/9461477',
      'https://www.vesselfinder.com/ports/details/9461477',
      'ftp://www.balticshipping.com/vessel/imo/9461477',
      'balticshipping.com/vessel/imo/9461477',
      '9461477',
      '',
    ])
      expect([link, vesselOfLink(link)]).toEqual([link, undefined]);
    fc.assert(
      fc.property(fc.domain(), (site) => {
        expect(vesselOfLink(`https://${site}/vessels/details/9461477`)).toBeUndefined();
      }),
    );
  });

  test('there are no more sites than Slack allows', () => {
    expect(linkDomains.length).toBeLessThanOrEqual(5);
  });
});
