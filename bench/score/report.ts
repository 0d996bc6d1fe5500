import { table } from '../table.ts';
import type { Bound } from './bounds.ts';
import type { Score, Spread } from './score.ts';
import type { ViewComparison } from './views.ts';

/** The tables that docs/sandbox.md shows too. */
export const tablesOf = (score: Score): string[] => [
  topPortTable(score),
  etaTable(score),
  reliabilityTable(score),
  changeTable(score),
];

const topPortTable = ({ leads }: Score): string =>
  table(
    [
      'before the arrival',
      'calls',
      'likeliest port was right',
      'as scheduled',
      'Brier score',
      'port not listed',
      'no prediction',
    ],
    leads.map(({ leadHours, calls, onTop, onSchedule, brier, unlisted, withoutPrediction }) => [
      `${leadHours} h`,
      whole(calls),
      percent(onTop),
      percent(onSchedule),
      figure(brier, 3),
      whole(unlisted),
      whole(withoutPrediction),
    ]),
  );

const etaTable = ({ leads }: Score): string =>
  table(
    [
      'before the arrival',
      'hours later than its ETA, mean',
      ...percentileHeads,
      'hours off, mean',
      ...percentileHeads,
    ],
    leads.map(({ leadHours, etaHours, absoluteEtaHours }) => [
      `${leadHours} h`,
      ...spreadCells(etaHours),
      ...spreadCells(absoluteEtaHours),
    ]),
  );

const percentileHeads = ['10%', '50%', '90%'];
const spreadCells = ({ mean, p10, p50, p90 }: Spread): string[] => [mean, p10, p50, p90].map(hours);

const reliabilityTable = ({ reliability }: Score): string =>
  table(
    ['said', 'mean', 'came true', 'of answers', 'about calls'],
    reliability.map(({ from, to, said, cameTrue, polls, calls }) => [
      `${Math.round(from * 100)}–${percent(to)}`,
      percent(said),
      percent(cameTrue),
      whole(polls),
      whole(calls),
    ]),
  );

const changeTable = ({ changes }: Score): string =>
  table(
    [
      'call',
      'calls',
      'of all',
      'likeliest port changed',
      'right at the end',
      'hours right by then, 10%',
      '50%',
      '90%',
    ],
    changes.map(({ change, calls, share, changedMind, onTopAtEnd, onTopHours: { p10, p50, p90 } }) => [
      change,
      whole(calls),
      percent(share, 1),
      percent(changedMind),
      percent(onTopAtEnd),
      ...[p10, p50, p90].map(hours),
    ]),
  );

/** How far the views of one prediction agree, as one sentence a line. */
export function viewText({
  records,
  different,
  ships,
  otherTop,
  shipRecords,
  withoutEta,
}: ViewComparison): string {
  return [
    `Vessel view and port view: ${whole(different)} of ${whole(records)} records differ.`,
    `Ship view: another likeliest port for ${whole(otherTop)} of ${whole(ships)} vessels, no ETA in ${whole(withoutEta)} of ${whole(shipRecords)} records.`,
  ].join('\n');
}

export const boundText = ({ what, value, min, max }: Bound): string =>
  `Out of bounds: ${what} is ${figure(value, 3)}, and should be from ${min} to ${max}.`;

const none = '–';
const figure = (value: number, digits: number): string =>
  Number.isNaN(value) ? none : value.toFixed(digits).replace(/^-(0\.?0*)$/, '$1');
const hours = (value: number): string => figure(value, 1);
const percent = (share: number, digits = 0): string =>
  Number.isNaN(share) ? none : `${figure(share * 100, digits)}%`;
const whole = (value: number): string => value.toLocaleString('en');
