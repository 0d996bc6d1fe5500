import { z } from 'zod';
import { formatPage, joinWords } from '../../grammar/options.ts';
import { formatPeriod } from '../../grammar/period.ts';
import { formatPorts, maxPorts } from '../../grammar/ports.ts';
import type { TimeSpan } from '../../grammar/resolve-period.ts';
import type { Locode } from '../../reference/locode.ts';
import { defineTool } from '../tool.ts';
import { pageField, textField } from '../tool-fields.ts';
import {
  countField,
  dayField,
  pageFields,
  pageFor,
  portFields,
  predictionFields,
  predictionsOutput,
  shareField,
  spanFields,
  toPort,
  toPrediction,
  toPredictions,
  toSpan,
  toVessel,
  vesselFields,
} from '../tool-output.ts';
import type { PortCalls } from './answer.ts';
import type { PortDays } from './by-day/days.ts';
import type { PortDaysAnswer } from './by-day/days-view.ts';
import type { SeveralPortDaysAnswer } from './by-day/several-days-view.ts';
import type { LikelyCalls } from './by-day/spread.ts';
import type { CallAtPort, FailedPort } from './several.ts';
import { callsPerPageOfSeveral, type SeveralPortsAnswer } from './several-view.ts';
import { callsPerPage, type PortCallsAnswer } from './view.ts';
import { defaultMinPercent, type PortcallsArgs } from './words.ts';

type Answer = PortCallsAnswer | SeveralPortsAnswer | PortDaysAnswer | SeveralPortDaysAnswer;

const defaultShare = defaultMinPercent / 100;

/** `29%` for 0.29, although 0.29 × 100 is 28.999…96 in binary fractions; `0.5%` for 0.005. */
const inPercent = (share: number): string =>
  `${(share * 100).toLocaleString('en', { maximumFractionDigits: 10, useGrouping: false })}%`;

const likelyFields = {
  likelyCalls: z.number().min(0).describe('Sum of the probabilities'),
  low: countField.describe('In 8 of 10 cases, at least as many vessels call'),
  high: countField.describe('In 8 of 10 cases, at most as many vessels call'),
  vessels: countField.describe('Vessels that may call'),
};

export const portcallsTool = defineTool<PortcallsArgs, Answer>()({
  name: 'portcalls',
  title: 'Vessels that may call at a port',
  description:
    'Predicts which vessels may call at a port, when and how probably, or with `by: "day"` how many calls each day is likely to have. These are predictions: no arrival, berth or departure is reported. A vessel appears only with its next call.',
  input: z.object({
    port: textField({
      description: `UN/LOCODE or name; up to ${maxPorts} separated by commas`,
      examples: ['NLRTM', 'Rotterdam', 'Rotterdam, Antwerp, Hamburg'],
    }),
    period: textField({
      description:
        "Days of the port's own calendar, in words or as ISO dates; left out: all predicted calls, or ten days by day",
      examples: ['tomorrow', 'next 3 days', 'next week', '2026-11-24', '2026-11-24..2026-11-30'],
    }).optional(),
    minProbability: shareField
      .default(defaultShare)
      .describe(
        'From 0 to 1 in steps of 0.01: calls below it are only counted, not listed. Not with `by: "day"`',
      ),
    by: z
      .enum(['eta', 'probability', 'day'])
      .default('eta')
      .describe('The order of the calls, or `day` for the likely calls of each day'),
    page: pageField,
  }),
  output: predictionsOutput({
    ports: z.array(
      z.object({
        port: portFields,
        insteadOf: z
          .string()
          .describe('The code in the question, if the service knows the port by another')
          .nullable(),
        isAnswered: z.boolean().describe('False if the service did not answer for this port'),
        isUnknown: z
          .boolean()
          .describe('The service has no predictions: none expected, or it does not know the port'),
        period: spanFields.nullable().describe('In UTC; its end is not included'),
        hidden: countField.describe('Calls in the period below the minimum probability').optional(),
        overdueBefore: countField
          .describe('Vessels whose ETA has passed, if the period begins later than now')
          .optional(),
        withoutEta: countField.describe('Vessels without an ETA').optional(),
        days: z
          .array(
            z.object({
              day: dayField.describe("Of the port's own calendar"),
              ...likelyFields,
              norm: z.number().describe('Median of past days at the same notice; null if unknown').nullable(),
              isAboveNorm: z.boolean().describe('Null if the norm is unknown').nullable(),
            }),
          )
          .optional()
          .describe('With `by: "day"`'),
        overdue: z.object(likelyFields).describe('By day: vessels past their ETA').optional(),
        undated: z.object(likelyFields).describe('By day: vessels without an ETA').optional(),
      }),
    ),
    calls: z
      .array(
        predictionFields.extend({
          port: portFields,
          vessel: vesselFields,
          alsoAt: z.array(z.string()).describe('Other ports of the question at which it is predicted'),
        }),
      )
      .describe('Empty with `by: "day"`'),
    minProbability: shareField.nullable(),
    ...pageFields,
  }),
  toLine: ({ port, period, minProbability, by, page }) =>
    joinWords(
      'portcalls',
      port,
      period,
      minProbability === defaultShare ? '' : `min ${inPercent(minProbability)}`,
      `by ${by}`,
      formatPage(page),
    ),
  toFields: ({ ports, period, minPercent, by, page }) => ({
    port: formatPorts(ports),
    period: period && formatPeriod(period),
    minProbability: minPercent / 100,
    by,
    page,
  }),
  toOutput(answer, reader) {
    const shared = toPredictions(answer, reader);
    switch (answer.kind) {
      case 'port-calls': {
        const { port, minProbability } = answer;
        const { items, of } = pageFor(answer.calls, answer.page, callsPerPage);
        const calls = items.map((call) => toCall({ ...call, port }));
        return { ...shared, ports: [withCalls(answer)], calls, minProbability, ...of };
      }
      case 'several-port-calls': {
        const { items, of } = pageFor(answer.calls, answer.page, callsPerPageOfSeveral);
        const ports = [...answer.ports.map(withCalls), ...answer.failed.map(unanswered)];
        const minProbability = answer.ports[0]?.minProbability ?? null;
        return { ...shared, ports, calls: items.map(toCall), minProbability, ...of };
      }
      case 'port-days':
        return { ...shared, ports: [withDays(answer)], calls: [], minProbability: null, ...allDays(answer) };
      case 'several-port-days': {
        const ports = [...answer.ports.map(withDays), ...answer.failed.map(unanswered)];
        return { ...shared, ports, calls: [], minProbability: null, ...allDays(...answer.ports) };
      }
    }
  },
});

const toCall = ({ port, vessel, alsoAt = [], ...call }: CallAtPort & { alsoAt?: readonly string[] }) => ({
  port: toPort(port),
  vessel: toVessel(vessel),
  ...toPrediction(call, port),
  alsoAt: [...alsoAt],
});

type Counted = Pick<PortCalls, 'port' | 'isUnknown' | 'hidden' | 'overdueBefore' | 'withoutEta'> & {
  insteadOf?: Locode;
  period?: TimeSpan;
};

const withCalls = ({ isUnknown, period, hidden, overdueBefore, withoutEta, ...of }: Counted) => ({
  ...{ ...toCode(of), isAnswered: true, isUnknown, period: period ? toSpan(period) : null },
  ...{ hidden, overdueBefore, withoutEta },
});

const toCode = ({ port, insteadOf }: { port: Locode; insteadOf?: Locode }) => ({
  port: toPort(port),
  insteadOf: insteadOf ?? null,
});

const unanswered = (of: FailedPort) => ({
  ...toCode(of),
  isAnswered: false,
  isUnknown: false,
  period: null,
});

const withDays = ({ isUnknown, days, overdue, undated, ...of }: PortDays) => ({
  ...{ ...toCode(of), isAnswered: true, isUnknown, period: null },
  days: days.map(({ day, norm, isAbove, ...likely }) => ({
    ...{ day, ...toLikely(likely), norm: norm?.median ?? null, isAboveNorm: norm ? isAbove : null },
  })),
  overdue: toLikely(overdue),
  undated: toLikely(undated),
});

const toLikely = ({ likely, low, high, vessels }: LikelyCalls) => ({
  likelyCalls: Math.round(likely * 100) / 100,
  ...{ low, high, vessels },
});

const allDays = (...ports: readonly Pick<PortDays, 'days'>[]) => ({
  ...{ page: 1, pages: 1 },
  total: ports.reduce((sum, { days }) => sum + days.length, 0),
});
