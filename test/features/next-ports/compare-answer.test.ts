import { expect, test } from 'vitest';
import { compareAnswer } from '../../../src/features/next-ports/compare-answer.ts';
import type { NextPortsComparison } from '../../../src/features/next-ports/predictions.ts';
import { messageOf } from '../../support/answer-message.ts';
import { asRead } from '../../support/message-text.ts';
import { asked, cypress, port, prediction } from '../../support/view-fixtures.ts';

const show = (ports: NextPortsComparison['ports']) =>
  messageOf(compareAnswer({ vessel: cypress, ports, ...asked }, { page: 1 }), 'nextport 9461477 compare');
const inShip = { etaZone: 'assumed-utc' } as const;

test('the text names the differences, and a table shows both views side by side', () => {
  const message = show([
    {
      port: port('NLRTM'),
      vesselView: prediction('NLRTM', 0.82, '2026-11-23T14:05:00Z'),
      shipView: prediction('NLRTM', 0.4, '2026-11-23T17:05:00Z', inShip),
    },
    { port: port('DEHAM'), shipView: prediction('DEHAM', 0.5, undefined, inShip) },
    { port: port('BEANR'), vesselView: prediction('BEANR', 0.1, '2026-11-24T10:00:00Z') },
  ]);
  expect(asRead(message)).toMatchInlineSnapshot(`
    "text: DS CYPRESS: vessel view Rotterdam 82%, ship view Hamburg 50% · 3 ports differ; Rotterdam NLRTM · 82% and 40%, ETAs 3 h apart · vessel view: Mon 23 Nov 15:05 LT (14:05 UTC) · ship view: Mon 23 Nov 18:05 LT (17:05 UTC); Hamburg DEHAM · 50%, only in the ship view · ship view: ETA not given; Antwerp BEANR · 10%, only in the vessel view · vessel view: Tue 24 Nov 11:00 LT (10:00 UTC)

    *DS CYPRESS: vessel view Rotterdam 82%, ship view Hamburg 50%* · 3 ports differ
    (table: Both views of DS CYPRESS)
    | Port | Vessel and ship view | ETA, vessel view | ETA, ship view |
    | Rotterdam NLRTM | 82% and 40%, ETAs 3 h apart | Mon 23 Nov 15:05 LT (14:05 UTC) | Mon 23 Nov 18:05 LT (17:05 UTC) |
    | Hamburg DEHAM | 50%, only in the ship view | – | ETA not given |
    | Antwerp BEANR | 10%, only in the vessel view | Tue 24 Nov 11:00 LT (10:00 UTC) | – |
    Forecast as of 09:05 UTC · IMO 9461477 · ship view: zone assumed UTC
    [Watch → watch 9461477] [Refresh → nextport 9461477 compare] [Vessel view only → nextport 9461477] [Share → nextport 9461477 compare] [History → nextport 9461477 history]"
  `);
});

test('two views that agree', () => {
  const both = prediction('NLRTM', 0.82, '2026-11-23T14:05:00Z');
  const ports = [{ port: port('NLRTM'), vesselView: both, shipView: { ...both, probability: 0.825 } }];
  expect(show(ports).text).toMatchInlineSnapshot(
    `"DS CYPRESS → Rotterdam, 82%: vessel view and ship view agree; Rotterdam NLRTM · 82% and 83% · vessel view: Mon 23 Nov 15:05 LT (14:05 UTC) · ship view: Mon 23 Nov 15:05 LT (14:05 UTC)"`,
  );
});

test('no predictions from either endpoint', () => {
  expect(show([]).text).toBe(
    'No prediction for IMO 9461477 · neither in the vessel view nor in the ship view',
  );
});
