import { expect, test } from 'vitest';
import {
  type NextPortsComparison,
  nextPortsCompareView,
} from '../../../src/features/next-ports/compare-view.ts';
import { asRead, blockLines } from '../../support/message-text.ts';
import { asked, cypress, port, prediction, reader } from '../../support/view-fixtures.ts';

const answer: NextPortsComparison = {
  kind: 'next-ports-comparison',
  line: 'nextport 9461477 compare',
  vessel: cypress,
  ports: [],
  ...asked,
};
const inShip = { etaZone: 'assumed-utc' } as const;

test('the text names the differences, and a table shows both views side by side', () => {
  const message = nextPortsCompareView(
    {
      ...answer,
      ports: [
        {
          port: port('NLRTM'),
          vesselView: prediction('NLRTM', 0.82, '2026-11-23T14:05:00Z'),
          shipView: prediction('NLRTM', 0.4, '2026-11-23T17:05:00Z', inShip),
        },
        { port: port('DEHAM'), shipView: prediction('DEHAM', 0.5, undefined, inShip) },
        { port: port('BEANR'), vesselView: prediction('BEANR', 0.1, '2026-11-24T10:00:00Z') },
      ],
    },
    reader,
  );
  expect(asRead(message)).toMatchInlineSnapshot(`
    "text: DS CYPRESS: vessel view Rotterdam 82%, ship view Hamburg 50% · 3 ports differ; Rotterdam NLRTM: vessel view 82%, Mon 23 Nov 15:05 LT (14:05 UTC) · ship view 40%, Mon 23 Nov 18:05 LT (17:05 UTC); Hamburg DEHAM: only ship view 50%, ETA not given; Antwerp BEANR: only vessel view 10%, Tue 24 Nov 11:00 LT (10:00 UTC)

    *DS CYPRESS: vessel view Rotterdam 82%, ship view Hamburg 50%* · 3 ports differ
    (table: Both views of DS CYPRESS)
    | Port | Vessel and ship view | ETA, vessel view | ETA, ship view |
    | Rotterdam NLRTM | 82% and 40%, ETAs 3 h apart | Mon 23 Nov 15:05 LT (14:05 UTC) | Mon 23 Nov 18:05 LT (17:05 UTC) |
    | Hamburg DEHAM | 50%, only in the ship view | – | ETA not given |
    | Antwerp BEANR | 10%, only in the vessel view | Tue 24 Nov 11:00 LT (10:00 UTC) | – |
    Forecast as of 09:05 UTC · IMO 9461477 · ship view: zone assumed UTC
    [Watch → watch 9461477] [Refresh → nextport 9461477 compare] [Vessel view only → nextport 9461477] [Share → nextport 9461477 compare] [History → nextport 9461477 history]"
  `);
  expect(message.plain?.flatMap(blockLines).join('\n')).toMatchInlineSnapshot(`
    "*DS CYPRESS: vessel view Rotterdam 82%, ship view Hamburg 50%* · 3 ports differ
    • Rotterdam NLRTM: vessel view 82%, Mon 23 Nov 15:05 LT (14:05 UTC) · ship view 40%, Mon 23 Nov 18:05 LT (17:05 UTC)
    • Hamburg DEHAM: only ship view 50%, ETA not given
    • Antwerp BEANR: only vessel view 10%, Tue 24 Nov 11:00 LT (10:00 UTC)
    Forecast as of 09:05 UTC · IMO 9461477 · ship view: zone assumed UTC
    [Watch → watch 9461477] [Refresh → nextport 9461477 compare] [Vessel view only → nextport 9461477] [Share → nextport 9461477 compare] [History → nextport 9461477 history]"
  `);
});

test('two views that agree', () => {
  const both = prediction('NLRTM', 0.82, '2026-11-23T14:05:00Z');
  const ports = [{ port: port('NLRTM'), vesselView: both, shipView: { ...both, probability: 0.825 } }];
  expect(nextPortsCompareView({ ...answer, ports }, reader).text).toBe(
    'DS CYPRESS → Rotterdam, 82%: vessel view and ship view agree; Rotterdam NLRTM: vessel view 82%, ship view 83%, Mon 23 Nov 15:05 LT (14:05 UTC)',
  );
});

test('no predictions from either endpoint', () => {
  expect(nextPortsCompareView(answer, reader).text).toBe(
    'No prediction for IMO 9461477 · neither in the vessel view nor in the ship view',
  );
});
