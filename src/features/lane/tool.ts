import { z } from 'zod';
import type { CarrierStatistics } from '../../analytics/journey-statistics.ts';
import { formatCarriers } from '../../grammar/carriers.ts';
import { formatPage, joinWords } from '../../grammar/options.ts';
import { formatPeriod, type Period } from '../../grammar/period.ts';
import { formatPort } from '../../grammar/port.ts';
import { formatVersus, type Versus } from '../../grammar/versus.ts';
import { wilsonInterval } from '../../messages/formatting/wilson-interval.ts';
import { carrierName, type Scac } from '../../reference/carriers.ts';
import type { Locode } from '../../reference/locode.ts';
import { defineTool } from '../tool.ts';
import { pageField, textField } from '../tool-fields.ts';
import {
  answerOutput,
  countField,
  pageFields,
  pageFor,
  portFields,
  shareField,
  spanFields,
  toAnswer,
  toPort,
  toSpan,
} from '../tool-output.ts';
import { minJourneys } from './answer.ts';
import { departuresWithin } from './departure-days.ts';
import type { LaneVersusAnswer } from './versus-view.ts';
import { carriersPerPage, type LaneAnswer } from './view.ts';

/** What the fields of the tool become in the line. */
interface Said {
  origin: Locode;
  destination: Locode;
  carriers: readonly Scac[];
  period?: Period;
  versus?: Versus;
  page: number;
}

const note = 'counted in the past, not predicted';

const carrierFields = {
  scac: z.string().describe('SCAC'),
  name: z.string().describe('Trade name').nullable(),
};

const statisticsFields = {
  departures: spanFields.describe('The period, in UTC; its end is not included'),
  journeys: countField,
  isRanked: z.boolean().describe(`False under ${minJourneys} journeys, too few to rank`),
  destinationDelayed: countField.describe(
    'Journeys delayed at the destination, against the original service schedule, per the provider',
  ),
  destinationDelayedShare: shareField.nullable().describe('Of the journeys'),
  destinationDelayedLow: shareField.describe('Lower end of the 95% Wilson interval of that share'),
  destinationDelayedHigh: shareField.describe('Upper end of that interval'),
  originDelayed: countField,
  originOmittedCalls: countField.describe('Scheduled calls at the origin that were not made'),
  destinationOmittedCalls: countField.describe('Scheduled calls at the destination that were not made'),
};

const statistics = z.object(statisticsFields);

export const laneTool = defineTool<Said, LaneAnswer | LaneVersusAnswer>()({
  name: 'lane',
  title: 'Performance of a trade lane',
  description:
    'How the carriers of a trade lane performed (beta): journeys, delays and omitted calls in a past period, per carrier, the lowest delayed share at the destination first. With `versus`, two periods compared. These are counts of the past, not a prediction; where the intervals of two carriers overlap, their order may be chance.',
  input: z.object({
    origin: textField({ description: 'Port by UN/LOCODE or name', examples: ['SGSIN', 'Singapore'] }),
    destination: textField({ description: 'Port by UN/LOCODE or name', examples: ['CNXAM', 'Xiamen'] }),
    carriers: textField({
      description: 'Only these carriers, by name or SCAC, separated by commas',
      examples: ['Maersk', 'MAEU, MSCU'],
    }).optional(),
    period: textField({
      description: 'Past days, in words or as ISO dates; left out: the last 90 days',
      examples: ['last 30 days', 'last quarter', '2026-01-01..2026-03-31'],
    }).optional(),
    versus: textField({
      description: 'Compares with another period; `previous` is the one before',
      examples: ['previous', 'q2 2026'],
    }).optional(),
    page: pageField,
  }),
  output: answerOutput({
    note: z.literal(note),
    origin: portFields,
    destination: portFields,
    carriers: z.array(z.object({ ...carrierFields, ...statisticsFields })).describe('Empty with `versus`'),
    compared: z
      .array(
        z.object({
          ...carrierFields,
          earlier: statistics.nullable(),
          later: statistics.nullable(),
          change: z
            .enum(['more', 'fewer', 'unclear'])
            .nullable()
            .describe(
              'Of the delayed share at the destination; `unclear`: chance can explain it; null: too few journeys',
            ),
        }),
      )
      .optional()
      .describe('With `versus`; clear changes first'),
    unanswered: z
      .enum(['earlier', 'later'])
      .nullable()
      .describe('With `versus`: the period for which the service did not answer'),
    withoutJourneys: z.array(z.object(carrierFields)).describe('Carriers asked for, but without journeys'),
    ...pageFields,
  }),
  toLine: ({ origin, destination, carriers, period, versus, page }) =>
    joinWords(
      'lane',
      `${origin} to ${destination}`,
      carriers,
      period,
      versus && `versus ${versus}`,
      formatPage(page),
    ),
  toFields: ({ origin, destination, carriers, period, versus, page }) => ({
    origin: formatPort(origin),
    destination: formatPort(destination),
    carriers: carriers.length > 0 ? formatCarriers(carriers) : undefined,
    period: period && formatPeriod(period),
    versus: versus && formatVersus(versus).replace(/^versus /, ''),
    page,
  }),
  toOutput(answer, reader) {
    const shared = {
      ...{ note: note as typeof note, ...toAnswer(answer, reader) },
      origin: toPort(answer.origin),
      destination: toPort(answer.destination),
      withoutJourneys: answer.missing.map(toCarrier),
    };
    if (answer.kind === 'lane-statistics') {
      const all = [...answer.ranked, ...answer.unranked];
      const { items, of } = pageFor(all, answer.page, carriersPerPage);
      const carriers = items.map((each) => ({
        ...toCarrier(each.carrier),
        ...toStatistics(each, answer.fetchedAt),
      }));
      return { ...shared, carriers, unanswered: null, ...of };
    }
    const unclear = answer.uncompared.map((each) => ({ ...each, change: null }));
    const { items, of } = pageFor([...answer.compared, ...unclear], answer.page, carriersPerPage);
    const compared = items.map(({ carrier, earlier, later, change }) => ({
      ...toCarrier(carrier),
      earlier: earlier ? toStatistics(earlier, answer.fetchedAt) : null,
      later: later ? toStatistics(later, answer.fetchedAt) : null,
      change,
    }));
    return { ...shared, carriers: [], compared, unanswered: answer.unanswered ?? null, ...of };
  },
});

const toCarrier = (scac: Scac) => ({ scac, name: carrierName(scac) ?? null });

function toStatistics(carrier: CarrierStatistics, fetchedAt: Date) {
  const { journeys, destinationDelayed, originDelayed } = carrier;
  const { low, high } = wilsonInterval(destinationDelayed, journeys);
  return {
    departures: toSpan(departuresWithin({ begin: carrier.beginsAt, end: carrier.endsAt }, fetchedAt)),
    journeys,
    isRanked: journeys >= minJourneys,
    destinationDelayed,
    destinationDelayedShare: journeys > 0 ? rounded(destinationDelayed / journeys) : null,
    destinationDelayedLow: rounded(low),
    destinationDelayedHigh: rounded(high),
    originDelayed,
    originOmittedCalls: carrier.originOmissions,
    destinationOmittedCalls: carrier.destinationOmissions,
  };
}

/** A faulty report may count more delays than journeys. */
const rounded = (share: number): number => Math.min(1, Math.round(share * 10_000) / 10_000);
