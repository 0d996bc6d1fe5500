import { expect, test } from 'vitest';
import { type FleetNextPorts, fleetNextPortsView } from '../../../src/features/next-ports/fleet-view.ts';
import { asRead, blockLines } from '../../support/message-text.ts';
import { asked, cypress, diana, nameless, prediction, reader } from '../../support/view-fixtures.ts';

const answer: FleetNextPorts = {
  kind: 'fleet-next-ports',
  line: 'nextport 9461477, 9755933, 9811000',
  vessels: [
    {
      vessel: cypress,
      endpoint: 'vessel',
      top: [prediction('NLRTM', 0.82, '2026-11-23T14:05:00Z'), prediction('DEHAM', 0.16)],
      failed: false,
    },
    {
      vessel: diana,
      endpoint: 'ship',
      top: [prediction('SGSIN', 0.48, '2026-11-22T01:00:00Z'), prediction('MYPKG', 0.45)],
      failed: false,
    },
    { vessel: nameless, endpoint: 'vessel', top: [], failed: true },
  ],
  ...asked,
};

test('several vessels in one table; a vessel without an answer says so', () => {
  const message = fleetNextPortsView(answer, reader);
  expect(asRead(message)).toMatchInlineSnapshot(`
    "text: Next ports of 3 vessels: DS CYPRESS Rotterdam (NLRTM) 82%, Mon 23 Nov 15:05 LT (14:05 UTC); MSC DIANA undecided: Singapore (SGSIN) or Port Klang (MYPKG) 48%, Sun 22 Nov 09:00 LT (01:00 UTC); IMO 9811000 no answer

    *Next ports of 3 vessels*
    (table: Next ports of 3 vessels)
    | Vessel | Next port | Probability | ETA | In |
    | DS CYPRESS (9461477) | Rotterdam (NLRTM) | 82% | Mon 23 Nov 15:05 LT (14:05 UTC) | in 2 d 5 h |
    | MSC DIANA (9755933) | undecided: Singapore (SGSIN) or Port Klang (MYPKG) | 48% | Sun 22 Nov 09:00 LT (01:00 UTC) | in 15 h |
    | IMO 9811000 | no answer | – | – | – |
    Forecast as of 09:05 UTC · Predicted, not reported · each vessel's most probable port · ship view for 1 (the vessel view has no prediction) · no answer for 1: press Refresh
    [Refresh → nextport 9461477, 9755933, 9811000] [Share → nextport 9461477, 9755933, 9811000] [▾ DS CYPRESS: all ports → nextport 9461477 | MSC DIANA: all ports → nextport 9755933 | IMO 9811000: all ports → nextport 9811000]"
  `);
  expect(message.plain?.slice(0, 1).flatMap(blockLines).join('\n')).toMatchInlineSnapshot(
    `"*Next ports of 3 vessels*"`,
  );
});

test('a list with its name and its pages', () => {
  const row = answer.vessels[0];
  const vessels = row ? Array.from({ length: 45 }, () => row) : [];
  const list = { ...answer, list: 'NORTH EUROPE', vessels, line: 'nextport list:"NORTH EUROPE"' };
  const shown = asRead(fleetNextPortsView(list, reader));
  expect(shown).toContain('*List NORTH EUROPE, 45 vessels by ETA*');
  expect(shown).toContain('[Next 20 → nextport list:"NORTH EUROPE" page 2]');
  expect(shown).toContain('1–20 of 45 shown');
});

test('an unknown or empty list', () => {
  expect(
    asRead(
      fleetNextPortsView({ ...answer, list: '<!channel>', vessels: [], line: 'nextport list:X' }, reader),
    ),
  ).toMatchInlineSnapshot(`
    "text: No list called &lt;!channel&gt;; lists are kept by the provider

    *No list called &lt;!channel&gt;*
    Lists are kept by the provider; they can't be made here. A list without predictions looks the same. Check the spelling with whoever set up the list, or ask for vessels by IMO number: \`/nextport 9461477, 9755933\`
    Forecast as of 09:05 UTC · list view
    [Refresh → nextport list:X] [Share → nextport list:X]"
  `);
});
