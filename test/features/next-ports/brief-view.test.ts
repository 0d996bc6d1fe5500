import { expect, test } from 'vitest';
import { nextPortsBrief } from '../../../src/features/next-ports/brief-view.ts';
import type { NextPortsAnswer } from '../../../src/features/next-ports/view.ts';
import { asRead } from '../../support/message-text.ts';
import { asked, cypress, nameless, prediction, reader } from '../../support/view-fixtures.ts';

const answer: NextPortsAnswer = {
  kind: 'next-ports',
  line: 'nextport 9461477',
  vessel: cypress,
  endpoint: 'vessel',
  predictions: [
    prediction('NLRTM', 0.6, '2026-11-23T14:05:00Z'),
    prediction('DEHAM', 0.2, '2026-11-25T03:05:00Z'),
    prediction('BEANR', 0.1),
    prediction('FRLEH', 0.06, '2026-11-26T03:05:00Z'),
    prediction('GBSOU', 0.04),
  ],
  ...asked,
};
const read = (more: Partial<NextPortsAnswer> = {}, who = reader) =>
  asRead(nextPortsBrief({ ...answer, ...more }, who));

test('the verdict and up to two more ports, without a table, and no button but Refresh', () => {
  expect(read({}, { ...reader, source: 'sandbox', audience: 'channel' })).toMatchInlineSnapshot(`
    "text: DS CYPRESS → Rotterdam, 60% · Mon 23 Nov 15:05 LT (14:05 UTC) · in 2 d 5 h; or Hamburg 20% · Wed 25 Nov 04:05 LT (03:05 UTC) · in 3 d 18 h; or Antwerp 10% · ETA not given (invented data)

    *DS CYPRESS → Rotterdam, 60%* · Mon 23 Nov 15:05 LT (14:05 UTC) · in 2 d 5 h
    Hamburg 20% · Wed 25 Nov 04:05 LT (03:05 UTC) · in 3 d 18 h
    Antwerp 10% · ETA not given
    2 more · Forecast as of 09:05 UTC · IMO 9461477 · NLRTM · vessel view · invented data
    [Refresh → nextport 9461477]"
  `);
});

test('two ports that are undecided are in the verdict', () => {
  const predictions = [prediction('NLRTM', 0.46), prediction('BEANR', 0.44)];
  expect(read({ predictions })).toMatchInlineSnapshot(`
    "text: DS CYPRESS · Undecided: Rotterdam 46% or Antwerp 44% · ETA not given

    *DS CYPRESS · Undecided: Rotterdam 46% or Antwerp 44%* · ETA not given
    Forecast as of 09:05 UTC · IMO 9461477 · NLRTM · vessel view
    [Refresh → nextport 9461477]"
  `);
});

test('an old answer says so', () => {
  const staleSince = new Date('2026-11-21T08:12:00Z');
  expect(read({ staleSince })).toContain('🟠 The analytics service has not answered since 08:12 UTC');
});

test('nothing predicted', () => {
  expect(read({ vessel: nameless, predictions: [] })).toMatchInlineSnapshot(`
    "text: No prediction for IMO 9811000. Fishing vessels, tugs and pilot boats are not covered

    *No prediction for IMO 9811000*
    The service covers vessels with an IMO number; fishing vessels, tugs and pilot boats are not covered.
    Forecast as of 09:05 UTC · asked: vessel view and ship view
    [Refresh → nextport 9461477]"
  `);
});
