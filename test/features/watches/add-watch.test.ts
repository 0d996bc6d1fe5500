import { describe, expect, test } from 'vitest';
import { toReply } from '../../../src/answers/slack/render.ts';
import type { Estimate } from '../../../src/features/polling/estimate.ts';
import { chooseRules } from '../../../src/features/rules/registry.ts';
import type { WatchRequest } from '../../../src/features/watches/add-watch.ts';
import { addedAnswer } from '../../../src/features/watches/added-answer.ts';
import { createVesselDirectory } from '../../../src/grammar/vessel-directory.ts';
import type { Locode } from '../../../src/reference/codes.ts';
import { lineOf } from '../../support/answer-message.ts';
import { asRead } from '../../support/message-text.ts';
import { runContext } from '../../support/run-command.ts';
import { reader } from '../../support/view-fixtures.ts';
import { cypress, diana, hour, type Ports, predictions } from '../../support/watch-story.ts';

const now = hour(0);
const plan = { plannedCalls: 0, dailyCalls: undefined, stretch: 1 };
const vessels = createVesselDirectory([{ imo: cypress, name: 'DS CYPRESS' }]);
const due = [{ port: 'CNSHA' as Locode, at: hour(50) }];

function said(answers: Record<number, Ports>, { past }: { past?: Estimate['past'] } = {}) {
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
  const subjects = [{ kind: 'vessel' as const, imo: cypress }];
  const request: WatchRequest = {
    ...{ channelId: 'C1', destination: 'channel', title: 'DS CYPRESS' },
    ...{ subjects, fleet: null, portGroup: null, condition: null, rules },
  };
  const ctx = {
    ...runContext(),
    vessels,
    now: () => now,
    place: { channelId: 'C1', destination: 'channel' },
  } as const;
  const answer = addedAnswer({ how: past ? 'would-be-added' : 'added', request, rules, estimate }, ctx);
  return asRead(toReply(answer, { reader: { ...reader, now }, lineOf }));
}

describe('how a due date stands from the start, since no alert follows', () => {
  const by = 'Shanghai by Mon 23 Nov 10:00 LT (02:00 UTC): ';

  test.each<[string, Ports]>([
    ['🟠 1 h late, ETA Mon 23 Nov 11:00, 90%.', { CNSGH: [0.9, 51] }],
    ['in time, 90%.', { CNSHA: [0.9, 50] }],
    ['in time, 1 d 7 h to spare, 88%.', { CNSHA: [0.88, 19] }],
    ['ETA not given, 90%.', { CNSHA: 0.9 }],
    ['🔴 at risk, Rotterdam is likelier (77%).', { CNSHA: [0.23, 49], NLRTM: [0.77, 40] }],
    ['🔴 at risk, Rotterdam is about as likely (48%).', { CNSHA: [0.46, 60], NLRTM: [0.48, 40] }],
    ['🔴 at risk, only 49.6%.', { CNSHA: [0.496, 40], NLRTM: [0.3, 40] }],
    ['🔴 at risk, not predicted: Rotterdam is likelier (90%).', { NLRTM: [0.9, 51] }],
  ])('%s', (words, ports) => {
    expect(said({ [cypress]: ports })).toContain(`${by}${words}`);
  });
});

test('counts past alerts of the vessels with history, if it covers a day or more', () => {
  const past = { replies: 30, since: hour(-48), coverage: { polled: 5, all: 40 } };
  expect(said({}, { past })).toContain("With these rules you'd have had 30 alerts since");
  expect(said({}, { past })).toContain(', when it was first polled (counting 5 of its 40 vessels)');
  expect(said({}, { past: { replies: 0, since: hour(-1) } })).toContain('There is no history yet');
  expect(said({}, { past: { replies: 0, since: hour(-1) } })).not.toContain("you'd have had");
});
