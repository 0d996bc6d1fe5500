import { expect, test } from 'vitest';
import { likelihoodInWords } from '../../../src/answers/formatting/words.ts';
import { customerText } from '../../../src/features/next-ports/customer-text.ts';
import type { Locode } from '../../../src/reference/codes.ts';
import { asked, cypress, nameless, port, prediction, reader } from '../../support/view-fixtures.ts';

type About = Parameters<typeof customerText>[0];

const rotterdam = (probability: number, eta?: string) => prediction('NLRTM', probability, eta);
const hamburg = (probability: number, eta?: string) => prediction('DEHAM', probability, eta);
const tuesday = '2026-11-24T16:51:00Z';
const wednesday = '2026-11-25T05:00:00Z';

function textOf(
  predictions: About['found']['predictions'],
  about: Partial<Omit<About, 'found'>> & { vessel?: About['found']['vessel'] } = {},
): string {
  const { vessel = cypress, references = ['BK-4403'], ...others } = about;
  return customerText({ found: { ...asked, vessel, predictions }, references, ...others }, reader).join('\n');
}

test.each([
  [1, 'very likely'],
  [0.896, 'very likely'],
  [0.894, 'likely'],
  [0.7, 'likely'],
  [0.694, 'more likely than not'],
  [0.5, 'more likely than not'],
  [0.494, undefined],
])('%d is %s', (probability, words) => {
  expect(likelihoodInWords(probability)).toBe(words);
});

test('a call that is clear: where, when by the clock of the port, how likely, and how old the forecast is', () => {
  expect(textOf([rotterdam(0.9, tuesday), hamburg(0.06, wednesday)])).toMatchInlineSnapshot(`
    "BK-4403: DS CYPRESS is predicted at Rotterdam on Tue 24 Nov, 17:51 local time.
    This is very likely (90%).
    Forecast of Sat 21 Nov, 09:05 UTC; it may change."
  `);
});

test('it names the references that it is given, the first few of many; without any it begins with the vessel', () => {
  const firstOf = (references: string[], vessel = cypress) =>
    textOf([rotterdam(0.9, tuesday)], { references, vessel }).split('\n')[0];
  expect(firstOf(['A-1', 'A-2'])).toMatch(/^A-1 and A-2: DS CYPRESS is predicted at Rotterdam on /);
  expect(firstOf(['A-1', 'A-2', 'A-3', 'A-4', 'A-5', 'A-6', 'A-7', 'A-8'])).toMatch(
    /^A-1, A-2, A-3, A-4, A-5 and 3 more: DS CYPRESS /,
  );
  expect(firstOf([])).toMatchInlineSnapshot(
    `"DS CYPRESS is predicted at Rotterdam on Tue 24 Nov, 17:51 local time."`,
  );
  expect(firstOf([], nameless as typeof cypress)).toMatchInlineSnapshot(
    `"The vessel with IMO number 9811000 is predicted at Rotterdam on Tue 24 Nov, 17:51 local time."`,
  );
});

test('an ETA that is missing, has passed, or has no known zone', () => {
  expect(textOf([rotterdam(0.75)])).toMatchInlineSnapshot(`
    "BK-4403: DS CYPRESS is predicted at Rotterdam; no time is predicted yet.
    This is likely (75%).
    Forecast of Sat 21 Nov, 09:05 UTC; it may change."
  `);
  expect(textOf([rotterdam(0.75, '2026-11-21T04:05:00Z')])).toMatchInlineSnapshot(`
    "BK-4403: DS CYPRESS is still predicted at Rotterdam; the predicted time, Sat 21 Nov, 05:05 local time, has passed.
    This is likely (75%). The forecast doesn't say whether the vessel has arrived.
    Forecast of Sat 21 Nov, 09:05 UTC; it may change."
  `);
  expect(textOf([prediction('ZZZZZ', 0.6, tuesday)])).toMatchInlineSnapshot(`
    "BK-4403: DS CYPRESS is predicted at ZZZZZ on Tue 24 Nov, 16:51 UTC.
    This is more likely than not (60%).
    Forecast of Sat 21 Nov, 09:05 UTC; it may change."
  `);
  const assumed = prediction('NLRTM', 0.6, tuesday, { etaZone: 'assumed-utc' });
  expect(textOf([assumed])).toMatchInlineSnapshot(`
    "BK-4403: DS CYPRESS is predicted at Rotterdam on Tue 24 Nov, 17:51 local time (given without a time zone, read as UTC).
    This is more likely than not (60%).
    Forecast of Sat 21 Nov, 09:05 UTC; it may change."
  `);
});

test('where it is uncertain, the likeliest ports are named', () => {
  expect(textOf([rotterdam(0.5, tuesday), hamburg(0.47, wednesday)])).toMatchInlineSnapshot(`
    "BK-4403: it is uncertain at which port DS CYPRESS calls next.
    The likeliest ports are Rotterdam (50%, Tue 24 Nov, 17:51 local time) and Hamburg (47%, Wed 25 Nov, 06:00 local time).
    Forecast of Sat 21 Nov, 09:05 UTC; it may change."
  `);
  const four = [rotterdam(0.4, tuesday), hamburg(0.2), prediction('BEANR', 0.15), prediction('FRLEH', 0.1)];
  expect(textOf(four)).toMatchInlineSnapshot(`
    "BK-4403: it is uncertain at which port DS CYPRESS calls next.
    The likeliest ports are Rotterdam (40%, Tue 24 Nov, 17:51 local time), Hamburg (20%) and Antwerp (15%).
    Forecast of Sat 21 Nov, 09:05 UTC; it may change."
  `);
  expect(textOf([rotterdam(0.4, tuesday)])).toMatchInlineSnapshot(`
    "BK-4403: it is uncertain at which port DS CYPRESS calls next.
    The likeliest port is Rotterdam (40%, Tue 24 Nov, 17:51 local time).
    Forecast of Sat 21 Nov, 09:05 UTC; it may change."
  `);
});

test('a port that was asked about', () => {
  const at = port('NLRTM');
  expect(textOf([rotterdam(0.9, tuesday)], { at })).toBe(textOf([rotterdam(0.9, tuesday)]));
  expect(textOf([hamburg(0.75, wednesday), rotterdam(0.2, tuesday)], { at })).toMatchInlineSnapshot(`
    "BK-4403: DS CYPRESS is unlikely to call at Rotterdam next (20%).
    Its next port is more likely to be Hamburg (75%, Wed 25 Nov, 06:00 local time). Only the next port is predicted, so Rotterdam may still follow.
    Forecast of Sat 21 Nov, 09:05 UTC; it may change."
  `);
  expect(textOf([hamburg(0.75)], { at })).toMatchInlineSnapshot(`
    "BK-4403: DS CYPRESS is not predicted at Rotterdam at present.
    Its next port is more likely to be Hamburg (75%). Only the next port is predicted, so Rotterdam may still follow.
    Forecast of Sat 21 Nov, 09:05 UTC; it may change."
  `);
  expect(textOf([hamburg(0.48), rotterdam(0.46)], { at })).toBe(textOf([hamburg(0.48), rotterdam(0.46)]));
});

test('without a prediction, two lines', () => {
  expect(textOf([])).toMatchInlineSnapshot(`
    "BK-4403: there is no forecast for DS CYPRESS at present.
    As of Sat 21 Nov, 09:05 UTC."
  `);
});

test('after an alert, what has changed', () => {
  const was = (code: string, eta: string | null) => ({
    was: { port: code as Locode, eta: eta === null ? null : new Date(eta) },
  });
  const now = [rotterdam(0.86, tuesday)];
  expect(textOf(now, was('GBSOU', wednesday))).toMatchInlineSnapshot(`
    "BK-4403: DS CYPRESS is predicted at Rotterdam on Tue 24 Nov, 17:51 local time.
    This is likely (86%). Our last forecast was Southampton on Wed 25 Nov, 05:00 local time.
    Forecast of Sat 21 Nov, 09:05 UTC; it may change."
  `);
  expect(textOf(now, was('GBSOU', null))).toContain('likely (86%). Our last forecast was Southampton.\n');
  expect(textOf(now, was('NLRTM', wednesday))).toContain(
    'Our last forecast was Wed 25 Nov, 06:00 local time.\n',
  );
  expect(textOf([], was('NLRTM', wednesday))).toBe(textOf([]));
  for (const same of ['2026-11-24T16:30:00Z', null])
    expect(textOf(now, was('NLRTM', same))).toBe(textOf(now));
});

test('invented data is called so', () => {
  const found = { ...asked, vessel: cypress, predictions: [rotterdam(0.9, tuesday)] };
  expect(
    customerText({ found, references: [] }, { ...reader, source: 'sandbox' }).at(-1),
  ).toMatchInlineSnapshot(
    `"Forecast of Sat 21 Nov, 09:05 UTC; it may change. Invented data, only for trying out."`,
  );
});

test('a promised call: when it is needed, and what the forecast says to that', () => {
  const ofDue = (due: Partial<NonNullable<About['due']>>, predictions = [rotterdam(0.9, tuesday)]) =>
    textOf(predictions, { due: { port: port('NLRTM'), at: new Date('2026-11-24T20:00:00Z'), ...due } }).split(
      '\n',
    )[1];
  expect(ofDue({})).toMatchInlineSnapshot(
    `"This is very likely (90%). It is needed at Rotterdam by Tue 24 Nov, 21:00 local time; the forecast is in time."`,
  );
  expect(ofDue({ at: new Date('2026-11-24T12:00:00Z') })).toMatchInlineSnapshot(
    `"This is very likely (90%). It is needed at Rotterdam by Tue 24 Nov, 13:00 local time; the forecast is 4 h later."`,
  );
  expect(ofDue({ earliest: new Date('2026-11-24T18:00:00Z') })).toMatchInlineSnapshot(
    `"This is very likely (90%). It is needed at Rotterdam between Tue 24 Nov, 19:00 local time and Tue 24 Nov, 21:00 local time; the forecast is 1 h 9 min earlier."`,
  );
  expect(ofDue({}, [hamburg(0.9, wednesday)])).toMatchInlineSnapshot(
    `"Its next port is more likely to be Hamburg (90%, Wed 25 Nov, 06:00 local time). Only the next port is predicted, so Rotterdam may still follow. It is needed at Rotterdam by Tue 24 Nov, 21:00 local time."`,
  );
});
