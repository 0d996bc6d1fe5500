import { expect, test } from 'vitest';
import {
  etaChart,
  etaChartNotes,
  etaChartSection,
  type PolledPredictions,
} from '../../../src/features/next-ports/eta-chart.ts';
import { messageOf } from '../../support/answer-message.ts';
import { asRead } from '../../support/message-text.ts';
import { hour, type Ports, predictions } from '../../support/watch-story.ts';

const polls = (answers: Record<number, Ports>): PolledPredictions[] =>
  Object.entries(answers).map(([at, ports]) => ({ at: hour(Number(at)), predictions: predictions(ports) }));

const now = hour(48);
const slipping = polls({
  0: { NLRTM: [0.6, 60], BEANR: [0.3, 70] },
  12: { NLRTM: [0.7, 64], BEANR: [0.2, 74], DEHAM: [0.15, 90] },
  24: { NLRTM: [0.8, 74], BEANR: [0.1, 84] },
  36: { NLRTM: [0.9, 74], BEANR: [0.05, 84], GBFXT: [0.04, 240] },
});
const shiftsOf = (chart: ReturnType<typeof etaChart>) =>
  chart?.lines.map(({ port, shiftsMs }) => [port, shiftsMs.map((shiftMs) => shiftMs / 3_600_000)]);

test('a line for each port that was predicted all the time, and likely once', () => {
  const chart = etaChart(slipping);
  expect(shiftsOf(chart)).toEqual([
    ['NLRTM', [-14, -10, 0, 0]],
    ['BEANR', [-4, 0, 10, 10]],
  ]);
  if (!chart) throw new Error('no chart');
  expect(etaChartNotes(chart, now).map((note) => note.replaceAll('\u00a0', ' '))).toEqual([
    'chart: 0 is the latest ETA of Rotterdam, above it is later; times in UTC',
    'Hamburg (up to 15%) was predicted Sat 21 Nov 12:00',
  ]);
  const message = messageOf({ verdict: { strong: 'Chart' }, sections: [etaChartSection(chart, now)] }, '');
  expect(asRead(message)).toMatchInlineSnapshot(`
    "text: Chart

    *Chart*
    (line chart: ETA at Rotterdam: hours from the latest)
      Rotterdam: Sat 21 Nov 00:00 -14, Sat 21 Nov 12:00 -10, Sun 22 Nov 00:00 0, Sun 22 Nov 12:00 0
      Antwerp: Sat 21 Nov 00:00 -4, Sat 21 Nov 12:00 0, Sun 22 Nov 00:00 10, Sun 22 Nov 12:00 10
    [Refresh → ] [Share → ]"
  `);
});

test('begins with the first poll that predicted the port that is now on top', () => {
  const diverted = polls({
    0: { NLRTM: [0.9, 60] },
    12: { NLRTM: [0.5, 60], BEANR: [0.4, 70] },
    24: { BEANR: [0.8, 72] },
    36: { BEANR: [0.9, 73] },
  });
  const chart = etaChart(diverted);
  expect(chart?.times).toEqual([hour(12), hour(24), hour(36)]);
  expect(shiftsOf(chart)).toEqual([['BEANR', [-3, -1, 0]]]);
  expect(chart?.others).toEqual([{ port: 'NLRTM', from: hour(0), until: hour(12), peak: 0.9 }]);
});

test('two codes of one port are one line', () => {
  const chart = etaChart(polls({ 0: { CNSHA: [0.9, 60] }, 12: { CNSGH: [0.9, 61] } }));
  expect(shiftsOf(chart)).toEqual([['CNSHA', [-1, 0]]]);
});

test('many polls are sampled evenly, the last one of each part', () => {
  const hourly = Object.fromEntries(
    Array.from({ length: 241 }, (_, at) => [at, { NLRTM: [0.9, 400 + at] }] as const),
  );
  const chart = etaChart(polls(hourly));
  expect(chart?.times).toHaveLength(12);
  expect(chart?.times[0]).toEqual(hour(19));
  expect(chart?.times.at(-1)).toEqual(hour(240));
});

test('moves of many days are in days', () => {
  const chart = etaChart(polls({ 0: { NLRTM: [0.9, 300] }, 12: { NLRTM: [0.9, 60] } }));
  if (!chart) throw new Error('no chart');
  expect(etaChartSection(chart, now).title).toContain(': days from the latest');
});

test.each<[string, Record<number, Ports>]>([
  ['nothing', {}],
  ['one poll', { 0: { NLRTM: [0.9, 60] } }],
  ['no ETA', { 0: { NLRTM: 0.9 }, 12: { NLRTM: 0.9 } }],
  ['no predictions', { 0: {}, 12: {} }],
])('no chart of %s', (_, answers) => {
  expect(etaChart(polls(answers))).toBeUndefined();
});
