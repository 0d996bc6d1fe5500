import { expect, test } from 'vitest';
import { shownEstimate } from '../../../src/features/watches/commands/add-watch.ts';
import { chooseRules } from '../../../src/features/watches/rules/registry.ts';
import type { Estimate } from '../../../src/features/watches/service/estimate.ts';
import { type WatchAdded, watchAddedView } from '../../../src/features/watches/views/watch-added.ts';
import { createVesselDirectory } from '../../../src/grammar/vessel-directory.ts';
import type { Locode } from '../../../src/reference/locode.ts';
import { asRead } from '../../support/message-text.ts';
import { reader } from '../../support/view-fixtures.ts';
import { cypress, hour, type Ports, predictions } from '../../support/watch-story.ts';
import { diana } from '../../support/watch-view-fixtures.ts';

const now = hour(0);
const plan = { plannedCalls: 0, dailyCalls: undefined, stretch: 1 };
const vessels = createVesselDirectory([{ imo: cypress, name: 'DS CYPRESS' }]);
const due = [{ port: 'CNSHA' as Locode, at: hour(50) }];

function said(
  answers: Record<number, Ports>,
  { past, count = 1 }: { past?: Estimate['past']; count?: number } = {},
) {
  const rules = chooseRules({ due });
  const estimate: Estimate = {
    callsPerMonth: 100,
    plan,
    past,
    overlaps: [],
    answers: [cypress, diana].flatMap((imo) => {
      const ports = answers[imo];
      if (!ports) return [];
      const answer = {
        predictions: predictions(ports, imo),
        fetchedAt: now,
        cached: false,
        droppedRecords: 0,
      };
      return [
        { subject: { kind: 'vessel' as const, imo }, answer: { ...answer, scale: 'fraction' as const } },
      ];
    }),
  };
  const added: WatchAdded = {
    kind: 'watch-added',
    how: 'added',
    title: 'DS CYPRESS',
    isPort: false,
    vesselCount: count,
    isFleet: false,
    rules,
    estimate: shownEstimate(estimate, rules, { vessels }),
  };
  return asRead(watchAddedView(added, { ...reader, now }));
}

test('reports a due date that is missed from the start, since no alert follows', () => {
  expect(said({ [cypress]: { CNSGH: [0.9, 51] } })).toContain(
    '🟠 Shanghai is later than that already: ETA Mon 23 Nov 11:00 LT (03:00 UTC), 90%.',
  );
  expect(said({ [cypress]: { CNSHA: [0.9, 50] } })).not.toContain('already');
  expect(said({ [cypress]: { NLRTM: [0.9, 51] } })).toContain('Shanghai is not predicted for it now.');
  const both = said({ [cypress]: { CNSHA: [0.9, 51] }, [diana]: { NLRTM: [0.9, 60] } }, { count: 2 });
  expect(both).toContain('🟠 DS CYPRESS: Shanghai is later than that already');
  expect(both).not.toContain('not predicted');
});

test('counts past alerts of the vessels with history, if it covers a day or more', () => {
  const past = { replies: 30, since: hour(-48), coverage: { polled: 5, all: 40 } };
  expect(said({}, { past })).toContain("With these rules you'd have had 30 alerts since");
  expect(said({}, { past })).toContain(', when it was first polled (counting 5 of its 40 vessels).');
  expect(said({}, { past: { replies: 0, since: hour(-1) } })).toContain('There is no history yet');
  expect(said({}, { past: { replies: 0, since: hour(-1) } })).not.toContain("you'd have had");
});
