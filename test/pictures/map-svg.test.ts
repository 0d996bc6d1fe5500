import { createRequire } from 'node:module';
import { Resvg } from '@resvg/resvg-js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mapSvg } from '../../src/pictures/draw.ts';
import { createLand, createMapFrame, edgesOf, type Point } from '../../src/pictures/drawing/land.ts';
import { placeLabels, placeMarks } from '../../src/pictures/drawing/marks.ts';
import { escapeXml, fitText, palette, textWidth } from '../../src/pictures/drawing/text.ts';
import { maxPlaces } from '../../src/pictures/map-picture.ts';
import { allPorts } from '../../src/reference/ports.ts';
import { anyCharacter } from '../support/any-character.ts';
import { picture, pictureOf, placeAt } from './pictures.ts';

const land = createLand();
const noLand = { pathOf: () => '' };
const size = { width: 720, height: 430 };

/** What can be read in a picture, a line each. */
const wordsIn = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, words]) => words);

describe('a picture', () => {
  test('as a whole', () => {
    expect(mapSvg({ ...picture, badge: 'invented data' }, noLand)).toMatchInlineSnapshot(`
      "<svg xmlns="http://www.w3.org/2000/svg" width="720" height="720" viewBox="0 0 720 720" font-family="Inter">
      <rect width="720" height="720" fill="#ffffff"/>
      <text x="24" y="46" font-size="36" font-weight="700" text-anchor="start" fill="#14202b">DS CYPRESS</text>
      <text x="24" y="79" font-size="23" font-weight="400" text-anchor="start" fill="#48586a">Likely next ports · forecast as of Sat 21 Nov 09:05 UTC</text>
      <rect x="522.5" y="17" width="173.5" height="36" rx="18" fill="none" stroke="#8a4b00" stroke-width="2"/>
      <text x="609.2" y="42" font-size="21" font-weight="700" text-anchor="middle" fill="#8a4b00">invented data</text>
      <svg y="96" width="720" height="430"><rect width="720" height="430" fill="#cfe0ec"/>
      <path d="M116.6,0V430M268.5,0V430M420.4,0V430M572.3,0V430M0,264.6H720M0,12.2H720" fill="none" stroke="#bcd1e0" stroke-width="1.2"/>
      <path d="" fill="#f6f0e2" stroke="#8c9cab" stroke-width="1.2" stroke-linejoin="round"/>
      <path d="M24,404v8h103.7v-8" fill="none" stroke="#48586a" stroke-width="2"/><text x="137.7" y="414" font-size="20" font-weight="400" text-anchor="start" fill="#48586a" stroke="#ffffff" stroke-width="4" stroke-linejoin="round" paint-order="stroke">50 nm</text>
      <circle cx="148.5" cy="360" r="21.2" fill="#556575" stroke="#ffffff" stroke-width="3"/><text x="148.5" y="368.5" font-size="24" font-weight="700" text-anchor="middle" fill="#ffffff">3</text>
      <circle cx="571.5" cy="70" r="23.3" fill="#556575" stroke="#ffffff" stroke-width="3"/><text x="571.5" y="78.5" font-size="24" font-weight="700" text-anchor="middle" fill="#ffffff">2</text>
      <circle cx="154.6" cy="274.5" r="34.2" fill="#0b4a82" stroke="#ffffff" stroke-width="3"/><text x="154.6" y="283" font-size="24" font-weight="700" text-anchor="middle" fill="#ffffff">1</text>
      <text x="196.8" y="282.5" font-size="26" font-weight="700" text-anchor="start" fill="#14202b" stroke="#ffffff" stroke-width="5.2" stroke-linejoin="round" paint-order="stroke">Rotterdam 82%</text>
      <text x="540.2" y="78" font-size="26" font-weight="700" text-anchor="end" fill="#14202b" stroke="#ffffff" stroke-width="5.2" stroke-linejoin="round" paint-order="stroke">Hamburg 11%</text>
      <text x="177.7" y="368" font-size="26" font-weight="700" text-anchor="start" fill="#14202b" stroke="#ffffff" stroke-width="5.2" stroke-linejoin="round" paint-order="stroke">Antwerp 5%</text>
      <path d="M0,0.5H720M0,429.5H720" stroke="#8c9cab"/></svg>
      <circle cx="41" cy="560" r="17" fill="#0b4a82" stroke="#ffffff" stroke-width="3"/><text x="41" y="568.5" font-size="24" font-weight="700" text-anchor="middle" fill="#ffffff">1</text>
      <text x="70" y="569" font-size="25" font-weight="700" text-anchor="start" fill="#14202b">Rotterdam</text>
      <text x="401.8" y="569" font-size="25" font-weight="700" text-anchor="end" fill="#14202b">82%</text>
      <text x="696" y="569" font-size="25" font-weight="400" text-anchor="end" fill="#14202b">Mon 23 Nov 15:05 LT</text>
      <circle cx="41" cy="604" r="17" fill="#556575" stroke="#ffffff" stroke-width="3"/><text x="41" y="612.5" font-size="24" font-weight="700" text-anchor="middle" fill="#ffffff">2</text>
      <text x="70" y="613" font-size="25" font-weight="700" text-anchor="start" fill="#14202b">Hamburg</text>
      <text x="401.8" y="613" font-size="25" font-weight="700" text-anchor="end" fill="#14202b">11%</text>
      <text x="696" y="613" font-size="25" font-weight="400" text-anchor="end" fill="#14202b">Mon 23 Nov 15:05 LT</text>
      <circle cx="41" cy="648" r="17" fill="#556575" stroke="#ffffff" stroke-width="3"/><text x="41" y="656.5" font-size="24" font-weight="700" text-anchor="middle" fill="#ffffff">3</text>
      <text x="70" y="657" font-size="25" font-weight="700" text-anchor="start" fill="#14202b">Antwerp</text>
      <text x="401.8" y="657" font-size="25" font-weight="700" text-anchor="end" fill="#14202b">5%</text>
      <text x="696" y="657" font-size="25" font-weight="400" text-anchor="end" fill="#14202b">Mon 23 Nov 15:05 LT</text>
      <text x="24" y="700" font-size="20" font-weight="400" text-anchor="start" fill="#48586a">No position or route: the service gives none</text>
      <rect x="0.5" y="0.5" width="719" height="719" fill="none" stroke="#8c9cab"/>
      </svg>"
    `);
  });

  test('names the places that are not on the map, with an empty mark in the list', () => {
    const places = [placeAt('THLCH', 0.6), placeAt('THLKR', 0.3), placeAt('THBKK', 0.1)];
    const svg = mapSvg(pictureOf(places), noLand);
    expect(wordsIn(svg)).toContain('Not on the map, position not known here: 2');
    expect(svg.match(/stroke-dasharray/g)).toHaveLength(1);
  });

  test('without any place on the map is the list alone', () => {
    const places = [placeAt('THLKR', 0.3), placeAt('TWTPE', 0.1)];
    const svg = mapSvg(pictureOf(places), { pathOf: () => expect.unreachable() });
    expect(wordsIn(svg)).toEqual(expect.arrayContaining(['Lat Krabang', 'Taipei', '30%']));
  });

  test('shows everything as text, whatever it holds', () => {
    const title = `<script>"&'\u0000\ud83d</text>`;
    const svg = mapSvg(pictureOf([placeAt('NLRTM', 1, { name: '<b>&amp;' })], { title }), noLand);
    expect(svg).toContain('&lt;script&gt;&quot;&amp;&apos;&lt;/text&gt;');
    expect(svg).toContain('&lt;b&gt;&amp;amp; 100%');
    expect(svg).not.toContain('<script>');
    expect(() => new Resvg(svg)).not.toThrow();
  });

  test('of any text is XML that resvg reads', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 40 }), (text) => {
        const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><text>${escapeXml(text)}</text></svg>`;
        new Resvg(svg, { font: { loadSystemFonts: false } });
      }),
    );
  });
});

describe('the view', () => {
  const frameOf = (...codes: string[]) => {
    const [first, ...others] = codes.map((code): Point => placeAt(code, 0.5).at ?? expect.unreachable());
    return createMapFrame([first ?? expect.unreachable(), ...others], size);
  };
  const xOf = (frame: ReturnType<typeof frameOf>, code: string) =>
    frame.project(placeAt(code, 0.5).at ?? expect.unreachable())[0];

  test.each([
    ['KRPUS', 'USLAX', -174.6],
    ['FJSUV', 'WSAPW', -176.65],
    ['NLRTM', 'USNYC', -34.9],
  ])('of %s and %s takes the shorter way around the globe', (west, east, middle) => {
    const frame = frameOf(west, east);
    expect(frame.longitude).toBeCloseTo(middle, 0);
    const [from, to] = [xOf(frame, west), xOf(frame, east)].toSorted((a, b) => a - b);
    expect(from).toBeGreaterThanOrEqual(100);
    expect(to).toBeLessThanOrEqual(620);
  });

  test('across the antimeridian has land on both sides of it, and no stripe through the ocean', () => {
    const frame = frameOf('FJSUV', 'WSAPW');
    expect(edgesOf(frame).west).toBeLessThan(-180);
    const xs = [...land.pathOf(frame).matchAll(/[ML](-?[\d.]+),/g)].map(([, x]) => Number(x));
    expect(Math.min(...xs)).toBeLessThan(xOf(frame, 'FJSUV'));
    expect(Math.max(...xs)).toBeGreaterThan(xOf(frame, 'WSAPW') - 20);
    // An island that were torn at 180° would reach from one edge to the other.
    const widths = land
      .pathOf(frame)
      .split('Z')
      .map((island) => [...island.matchAll(/[ML](-?[\d.]+),/g)].map(([, x]) => Number(x)))
      .map((points) => Math.max(...points) - Math.min(...points));
    expect(Math.max(...widths)).toBeLessThan(frame.width / 3);
  });

  test('of one port is 900 km wide, of neighbours never less than 160 km', () => {
    expect(frameOf('SGSIN').widthKm).toBeCloseTo(900);
    expect(frameOf('CNSHK', 'HKHKG').widthKm).toBeCloseTo(160);
    expect(frameOf('CNSHA', 'CNSHG').widthKm).toBeCloseTo(160);
  });

  test('never shows a place twice, nor beyond 85° north or south', () => {
    const latitude = fc.double({ min: -78, max: 78, noNaN: true });
    const longitude = fc.double({ min: -180, max: 180, noNaN: true });
    const point = fc.tuple(latitude, longitude);
    fc.assert(
      fc.property(point, fc.array(point, { maxLength: 7 }), (first, others) => {
        const frame = createMapFrame([first, ...others], size);
        const { west, east, north, south } = edgesOf(frame);
        expect(east - west).toBeLessThanOrEqual(360.001);
        expect(Math.max(north, -south)).toBeLessThanOrEqual(85);
        for (const at of [first, ...others]) {
          const [x, y] = frame.project(at);
          expect(x).toBeGreaterThanOrEqual(-0.001);
          expect(x).toBeLessThanOrEqual(size.width + 0.001);
          expect(y).toBeGreaterThanOrEqual(-0.001);
          expect(y).toBeLessThanOrEqual(size.height + 0.001);
        }
      }),
    );
  });

  test('of a port in the Maldives is not covered by the slivers in the data', () => {
    const frame = createMapFrame(
      [
        [4.17, 73.5],
        [4.2, 73.4],
      ],
      size,
    );
    expect(frame.widthKm).toBeLessThan(500);
    const covers = /M-10(?:\.0)?,-10|M730,440/.test(land.pathOf(frame));
    expect(covers).toBe(false);
  });
});

const locatedPorts = allPorts().flatMap(({ locode, latitude }) => (latitude === undefined ? [] : [locode]));
const somePlaces = fc
  .array(fc.tuple(fc.constantFrom(...locatedPorts), fc.double({ min: 0, max: 1, noNaN: true })), {
    minLength: 1,
    maxLength: maxPlaces,
  })
  .map((ports) => ports.map(([code, weight]) => placeAt(code, weight)));

describe('marks and names', () => {
  const layoutOf = (places: ReturnType<typeof placeAt>[]) => {
    const [first, ...others] = places.flatMap(({ at }) => (at ? [at] : []));
    const frame = createMapFrame([first ?? expect.unreachable(), ...others], size);
    const marks = placeMarks(places, frame);
    return { frame, marks, labels: placeLabels(marks, frame) };
  };

  test('of any ports stay on the map, and cover neither each other nor a place', () => {
    fc.assert(
      fc.property(somePlaces, (places) => {
        const { marks, labels } = layoutOf(places);
        expect(marks).toHaveLength(places.length);
        for (const [index, one] of marks.entries()) {
          expect(one.x - one.radius).toBeGreaterThanOrEqual(0);
          expect(one.x + one.radius).toBeLessThanOrEqual(size.width);
          expect(one.y - one.radius).toBeGreaterThanOrEqual(0);
          expect(one.y + one.radius).toBeLessThanOrEqual(size.height);
          for (const other of marks.slice(index + 1))
            expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThan(one.radius + other.radius);
        }
        for (const [index, { box }] of labels.entries()) {
          const covered = marks.filter(({ x, y, radius }) => {
            const dx = Math.max(box.left - x, 0, x - box.right);
            const dy = Math.max(box.top - y, 0, y - box.bottom);
            return Math.hypot(dx, dy) < radius;
          });
          expect(covered).toEqual([]);
          for (const { box: other } of labels.slice(index + 1))
            expect(
              box.right <= other.left ||
                other.right <= box.left ||
                box.bottom <= other.top ||
                other.bottom <= box.top,
            ).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('of two ports 20 km apart stand apart, each at its place or with a line to it', () => {
    const { marks, labels } = layoutOf([placeAt('CNSHK', 0.5), placeAt('HKHKG', 0.45)]);
    expect(labels.map(({ text }) => text)).toEqual(['Shekou 50%', 'Hong Kong 45%']);
    for (const { x, y, at } of marks) expect(Math.hypot(x - at[0], y - at[1])).toBeLessThan(30);
  });

  test('grow with the probability, so that no one needs to see the colour', () => {
    const { marks } = layoutOf([placeAt('NLRTM', 0.8), placeAt('DEHAM', 0.15), placeAt('GBFXT', 0.05)]);
    const radii = marks.map(({ radius }) => radius);
    expect(radii).toEqual(radii.toSorted((one, other) => other - one));
    expect(new Set(radii).size).toBe(3);
  });
});

describe('text', () => {
  test('has a contrast of at least 4.5 with everything behind it (WCAG 2.2, 1.4.3)', () => {
    const { paper, sea, land, firstMark, otherMark } = palette;
    const drawn = [
      [palette.text, [paper, sea, land]],
      [palette.smallText, [paper, sea, land]],
      [palette.markText, [firstMark, otherMark]],
      [palette.badge, [paper]],
    ] as const;
    for (const [text, backgrounds] of drawn)
      for (const background of backgrounds) expect(contrast(text, background)).toBeGreaterThanOrEqual(4.5);
    expect(contrast('#000000', palette.paper)).toBe(21);
  });

  test('is drawn by resvg as wide as estimated, or up to a fifth narrower', () => {
    const { resolve } = createRequire(import.meta.url);
    const fontFiles = [resolve('@expo-google-fonts/inter/700Bold/Inter_700Bold.ttf')];
    const names = [...new Set(allPorts().map(({ name }) => name))].filter((_, index) => index % 5 === 0);
    for (const name of [...names, 'Mon 23 Nov 2026 15:05 LT', 'MSC GULSUN', 'Đà Nẵng']) {
      const svg =
        '<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="100"><text x="5" y="60" font-family="Inter"' +
        ` font-weight="700" font-size="40">${escapeXml(name)}</text></svg>`;
      const drawn = new Resvg(svg, { font: { fontFiles, loadSystemFonts: false } }).innerBBox()?.width ?? 0;
      const estimated = textWidth(name, { size: 40 });
      expect({ name, isEnough: estimated >= drawn }).toEqual({ name, isEnough: true });
      expect({ name, isClose: estimated <= drawn * 1.2 + 6 }).toEqual({ name, isClose: true });
    }
  });

  test('that does not fit ends in …', () => {
    expect(fitText('Rotterdam', 200, { size: 25 })).toBe('Rotterdam');
    const short = fitText('Hampton-Williamsburg-Newport News', 150, { size: 25 });
    expect(short).toMatch(/^Hampton.*…$/);
    expect(textWidth(short, { size: 25 })).toBeLessThanOrEqual(150);
  });
});

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** WCAG's relative luminance of `#rrggbb`. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[0-9a-f]{2}/g) ?? []).map((hex) => {
    const value = Number.parseInt(hex, 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
