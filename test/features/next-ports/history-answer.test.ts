import { expect, test } from 'vitest';
import { historyAnswer, type VesselHistory } from '../../../src/features/next-ports/history.ts';
import { stabilityOf } from '../../../src/predictions/stability.ts';
import { messageOf } from '../../support/answer-message.ts';
import { asRead } from '../../support/message-text.ts';
import { cypress, port, reader } from '../../support/view-fixtures.ts';

const at = (time: string) => new Date(`2026-11-${time}:00Z`);
const point = (time: string, eta: string | null, probability: number) => ({
  at: at(time),
  eta: eta === null ? null : at(eta),
  probability,
});

const history: VesselHistory = {
  vessel: cypress,
  chart: undefined,
  stability: stabilityOf([]),
  isOfChannel: true,
  since: at('16T09:05'),
  until: at('21T09:00'),
  spells: [
    {
      port: port('DEHAM'),
      from: at('16T09:05'),
      until: at('17T09:05'),
      points: [point('16T09:05', '24T03:05', 0.6)],
    },
    { port: null, from: at('17T09:05'), until: at('17T21:05'), points: [] },
    {
      port: port('NLRTM'),
      from: at('17T21:05'),
      until: at('21T09:00'),
      points: [
        point('17T21:05', '23T00:05', 0.7),
        point('19T21:05', '23T14:05', 0.7),
        point('20T21:05', '23T13:35', 0.82),
      ],
    },
  ],
};

const show = (more: Partial<VesselHistory> = {}, { page = 1, now = reader.now } = {}) =>
  messageOf(historyAnswer({ ...history, ...more }, { now, page }), 'nextport 9461477 history');

test('how long each port has been the most probable, and each change, the newest first', () => {
  const message = show();
  expect(asRead(message)).toMatchInlineSnapshot(`
    "text: DS CYPRESS: Rotterdam most probable since Tue 17 Nov 21:05 UTC · ETA 14 h later since then: Mon 23 Nov 14:35 LT (13:35 UTC). Most probable: Rotterdam 70% of the time (3 d 12 h) · Hamburg 20% of the time (1 d) · no prediction 10% of the time (12 h); Fri 20 Nov 21:05 UTC · Rotterdam NLRTM · Mon 23 Nov 14:35 LT · −30 min, +12 points; Thu 19 Nov 21:05 UTC · Rotterdam NLRTM · Mon 23 Nov 15:05 LT · +14 h; Tue 17 Nov 21:05 UTC · Rotterdam NLRTM · Mon 23 Nov 01:05 LT · none before; Tue 17 Nov 09:05 UTC · no prediction · was Hamburg; Mon 16 Nov 09:05 UTC · Hamburg DEHAM · Tue 24 Nov 04:05 LT · 60% · Tue 24 Nov 03:05 UTC

    *DS CYPRESS: Rotterdam most probable since Tue 17 Nov 21:05 UTC* · ETA 14 h later since then: Mon 23 Nov 14:35 LT (13:35 UTC)
    Most probable: Rotterdam 70% of the time (3 d 12 h) · Hamburg 20% of the time (1 d) · no prediction 10% of the time (12 h)
    (table: Changes of the prediction for DS CYPRESS)
    | Since (UTC) | Port, ETA (LT) | Change | % | ETA (UTC) |
    | Fri 20 Nov 21:05 | Rotterdam NLRTM · Mon 23 Nov 14:35 | −30 min, +12 points | 82% | Mon 23 Nov 13:35 |
    | Thu 19 Nov 21:05 | Rotterdam NLRTM · Mon 23 Nov 15:05 | +14 h | 70% | Mon 23 Nov 14:05 |
    | Tue 17 Nov 21:05 | Rotterdam NLRTM · Mon 23 Nov 01:05 | none before | 70% | Mon 23 Nov 00:05 |
    | Tue 17 Nov 09:05 | no prediction | was Hamburg | – | – |
    | Mon 16 Nov 09:05 | Hamburg DEHAM · Tue 24 Nov 04:05 | – | 60% | Tue 24 Nov 03:05 |
    Watched here, of the past 30 days: Mon 16 Nov 09:05 UTC to Sat 21 Nov 09:00 UTC · IMO 9461477
    [Refresh → nextport 9461477 history] [Next ports now → nextport 9461477] [Share → nextport 9461477 history]"
  `);
});

test('after the last poll nothing is claimed', () => {
  const now = at('25T09:05');
  expect(show({}, { now }).text).toContain(
    'DS CYPRESS: Rotterdam most probable Tue 17 Nov 21:05 UTC to Sat 21 Nov 09:00 UTC',
  );
});

test('no prediction at the last poll', () => {
  const spells = history.spells.slice(0, 2);
  expect(show({ spells }).text).toMatchInlineSnapshot(
    `"DS CYPRESS: no prediction Tue 17 Nov 09:05 UTC to Tue 17 Nov 21:05 UTC. Most probable: Hamburg 67% of the time (1 d) · no prediction 33% of the time (12 h); Tue 17 Nov 09:05 UTC · no prediction · was Hamburg; Mon 16 Nov 09:05 UTC · Hamburg DEHAM · Tue 24 Nov 04:05 LT · 60% · Tue 24 Nov 03:05 UTC"`,
  );
});

test('a port on top at the last poll only: how its ETA moves is unknown, and it has no share of the time', () => {
  const since = at('21T09:00');
  const antwerp = {
    port: port('BEANR'),
    from: since,
    until: since,
    points: [point('21T09:00', '25T03:05', 0.5)],
  };
  const text = asRead(show({ spells: [...history.spells, antwerp] }));
  expect(text).toContain(
    '*DS CYPRESS: Antwerp most probable since Sat 21 Nov 09:00 UTC* · ETA Wed 25 Nov 04:05 LT',
  );
  expect(text).not.toMatch(/Antwerp \d+% of the time/);
});
