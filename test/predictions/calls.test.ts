import fc from 'fast-check';
import { expect, test } from 'vitest';
import { followCalls, type OpenCalls, openCalls } from '../../src/predictions/calls.ts';
import type { Answer } from '../../src/predictions/next-port.ts';
import type { Imo } from '../../src/reference/codes.ts';
import { cypress, hour, type Ports, predictions, start } from '../support/watch-story.ts';

const maxPauseMs = 24.5 * 3_600_000;
const diana = 9755933 as Imo;
const answer = (hours: number, ports: Ports, more: Partial<Answer> = {}): Answer => ({
  at: hour(hours),
  scale: 'fraction',
  predictions: predictions(ports),
  ...more,
});

/** The calls that end in these answers; what is remembered goes through JSON each time, as in the store. */
function follow(answers: readonly Answer[]) {
  let open: OpenCalls | null = null;
  return answers.flatMap((next) => {
    const followed = followCalls(open, next, { maxPauseMs });
    open = openCalls.parse(JSON.parse(JSON.stringify(followed.open)));
    return followed.ended.map(({ since, endedAt, lastEta, ...call }) => ({
      ...call,
      since: hoursOf(since),
      endedAt: hoursOf(endedAt),
      lastEta: hoursOf(lastEta),
    }));
  });
}
const hoursOf = (time: Date): number => (time.getTime() - start.getTime()) / 3_600_000;

const rotterdam = { NLRTM: [0.9, 20] } as const;
const end = { imo: cypress, previousPort: null, port: 'NLRTM', since: 0, endedAt: 18, lastEta: 20 };

test.each<[string, Answer[], unknown[]]>([
  ['goes at its ETA', [answer(0, rotterdam), answer(18, { DEHAM: 0.9 })], [end]],
  ['goes after its ETA', [answer(0, rotterdam), answer(23, { DEHAM: 0.9 })], [{ ...end, endedAt: 23 }]],
  ['goes long before its ETA: a diversion', [answer(0, rotterdam), answer(16, { DEHAM: 0.9 })], []],
  [
    'goes long before its ETA, and the new port at its own',
    [answer(0, rotterdam), answer(16, { DEHAM: [0.9, 30] }), answer(29, { GBFXT: 0.9 })],
    [{ ...end, port: 'DEHAM', endedAt: 29, lastEta: 30 }],
  ],
  [
    'is still predicted, but no longer on top',
    [answer(0, rotterdam), answer(18, { DEHAM: 0.9, NLRTM: 0.1 })],
    [],
  ],
  ['has no ETA', [answer(0, { NLRTM: 0.9 }), answer(18, { DEHAM: 0.9 })], []],
  [
    'has an ETA that was left out once',
    [answer(0, rotterdam), answer(10, { NLRTM: 0.9 }), answer(18, { DEHAM: 0.9 })],
    [end],
  ],
  [
    'has another code of its group of aliases',
    [answer(0, { CNSHA: [0.9, 20] }), answer(18, { CNSGH: [0.9, 20] })],
    [],
  ],
  [
    'goes while nothing is predicted',
    [answer(0, rotterdam), answer(17, {}), answer(18, { DEHAM: 0.9 })],
    [end],
  ],
  [
    'comes back after nothing was predicted',
    [answer(0, rotterdam), answer(17, {}), answer(18, rotterdam)],
    [],
  ],
  ['goes in a pause of more than a day', [answer(0, rotterdam), answer(25, { DEHAM: 0.9 })], []],
  [
    'goes when the scale changes',
    [answer(0, rotterdam), answer(18, { DEHAM: 0.9 }, { scale: 'percent' })],
    [],
  ],
  ['goes in an answer that is no newer', [answer(18, rotterdam), answer(18, { DEHAM: 0.9 })], []],
])('the port on top %s', (_, answers, expected) => {
  expect(follow(answers)).toEqual(expected);
});

test('knows the port of the call before, until polls pause for more than a day', () => {
  const answers = [
    answer(0, { NLRTM: [0.9, 20] }),
    answer(20, { DEHAM: [0.9, 40] }),
    answer(40, { GBFXT: [0.9, 60] }),
    answer(65, { BEANR: [0.9, 80] }),
    answer(80, { FRLEH: [0.9, 99] }),
  ];
  expect(follow(answers).map(({ previousPort, port, since }) => [previousPort, port, since])).toEqual([
    [null, 'NLRTM', 0],
    ['NLRTM', 'DEHAM', 20],
    // Felixstowe went while nobody asked.
    [null, 'BEANR', 65],
  ]);
});

test('polls that are once a day, and a little late, are no pause', () => {
  const answers = [answer(0, { NLRTM: [0.9, 20] }), answer(24.1, { DEHAM: [0.9, 40] })];
  expect(follow(answers)).toMatchObject([{ port: 'NLRTM' }]);
});

test('follows each vessel of a list, also one that the list leaves out for a while', () => {
  const both = (hours: number, own: Ports, others: Ports) =>
    answer(hours, {}, { predictions: [...predictions(own), ...predictions(others, diana)] });
  const answers = [
    both(0, rotterdam, { SGSIN: [0.8, 10] }),
    both(9, rotterdam, {}),
    both(12, rotterdam, { CNXAM: [0.8, 90] }),
    both(20, { DEHAM: 0.7 }, { CNXAM: [0.8, 90] }),
  ];
  expect(follow(answers).map(({ imo, port, endedAt }) => [imo, port, endedAt])).toEqual([
    [diana, 'SGSIN', 12],
    [cypress, 'NLRTM', 20],
  ]);
});

const ports = ['NLRTM', 'DEHAM', 'GBFXT', 'BEANR'] as const;
const anyPorts = fc.dictionary(
  fc.constantFrom(...ports),
  fc.tuple(fc.double({ min: 0.01, max: 1, noNaN: true }), fc.integer({ min: -10, max: 120 })),
  { noNullPrototype: true },
);

test('answers that come twice, or too late, end no other calls', () => {
  const stories = fc.array(fc.tuple(fc.integer({ min: 1, max: 30 }), anyPorts), { maxLength: 30 });
  fc.assert(
    fc.property(stories, fc.array(fc.nat()), (story, picks) => {
      const waits = story.map(([wait]) => wait);
      const answers = story.map(([, predicted], index) =>
        answer(
          waits.slice(0, index + 1).reduce((sum, wait) => sum + wait),
          predicted,
        ),
      );
      const disturbed = answers.flatMap((next, index) => {
        const repeated = answers[(picks[index] ?? 0) % (index + 1)];
        return repeated ? [next, repeated] : [next];
      });
      const ended = follow(answers);
      expect(follow(disturbed)).toEqual(ended);
      // A call ends once, and the next one begins there.
      for (const [index, call] of ended.entries()) {
        expect(call.endedAt).toBeGreaterThan(call.since);
        expect(call.since).toBeGreaterThanOrEqual(ended[index - 1]?.endedAt ?? 0);
      }
    }),
  );
});
