import { z } from 'zod';
import type { Prediction } from '../../analytics/answers.ts';
import { formatPage, joinWords } from '../../grammar/options.ts';
import { formatPort } from '../../grammar/port.ts';
import { samePort } from '../../reference/ports.ts';
import { defineTool } from '../tool.ts';
import { flagField, pageField, textField } from '../tool-fields.ts';
import {
  pageFields,
  pageFor,
  portFields,
  predictionFields,
  predictionsOutput,
  toPort,
  toPrediction,
  toPredictions,
  toVessel,
  vesselFields,
} from '../tool-output.ts';
import type { NextportAnswer } from './answer-view.ts';
import { vesselsPerPage } from './fleet-view.ts';
import { type NextportArgs, vesselsOf } from './words.ts';

const candidate = predictionFields.extend({ port: portFields });

export const nextportTool = defineTool<NextportArgs, NextportAnswer>()({
  name: 'nextport',
  title: 'Next ports of a vessel',
  description:
    'Predicts where a vessel will call next and when: candidate ports with probability and ETA, the likeliest first. With `at`, whether it is predicted at that port. Also for several vessels. These are predictions of the next call only; they say neither where a vessel is nor that it has arrived.',
  input: z.object({
    vessel: textField({
      description:
        'IMO number, or the name of a vessel that this workspace knows; several separated by commas; or a list of the provider as list:NAME; in Slack also a booking or customer reference, a fleet as fleet:NAME, or watched for those that the person watches',
      examples: ['9461477', 'MSC DIANA', '9461477, 9755933', 'list:FEEDERS'],
    }),
    at: textField({
      description: 'A port by UN/LOCODE or name: whether this one vessel is predicted there',
      examples: ['NLRTM', 'Rotterdam'],
    }).optional(),
    compare: flagField.describe(
      "For one vessel: the service's two views of it side by side, which may disagree",
    ),
    page: pageField,
  }),
  output: predictionsOutput({
    vessels: z
      .array(
        vesselFields.extend({
          view: z.enum(['vessel', 'ship', 'list']).describe('The view of the service that was asked'),
          isAnswered: z.boolean().describe('False if the service did not answer for this vessel'),
          candidates: z
            .array(candidate)
            .describe('The likeliest first; the first two of each vessel if there are several vessels'),
        }),
      )
      .describe('By ETA; empty for a list that the service does not know'),
    similarLists: z
      .array(z.string())
      .optional()
      .describe('Lists that may have been meant, if the service does not know the list'),
    at: z
      .object({ port: portFields, prediction: candidate.nullable().describe('Null: not predicted there') })
      .optional(),
    compared: z
      .array(
        z.object({
          port: portFields,
          vesselView: predictionFields.nullable(),
          shipView: predictionFields.nullable(),
        }),
      )
      .optional()
      .describe('With `compare`'),
    ...pageFields,
  }),
  toLine: ({ vessel, at, compare, page }) =>
    joinWords('nextport', vessel, at && `at ${at}`, compare ? 'compare' : '', formatPage(page)),
  toFields(args) {
    const { kind, page } = args;
    if (kind === 'history' || kind === 'map' || kind === 'all') return undefined;
    const at = kind === 'at' ? formatPort(args.at) : undefined;
    return { vessel: vesselsOf(args), at, compare: kind === 'compare', page };
  },
  toOutput(answer, reader) {
    switch (answer.kind) {
      case 'next-ports': {
        const { vessel, endpoint, predictions, at } = answer;
        const candidates = predictions.map(toCandidate);
        const there = predictions.find(({ port }) => at !== undefined && samePort(port, at));
        return {
          ...toPredictions(answer, reader),
          vessels: [{ ...toVessel(vessel), view: endpoint, isAnswered: true, candidates }],
          ...(at !== undefined && {
            at: { port: toPort(at), prediction: there ? toCandidate(there) : null },
          }),
          ...onePage,
        };
      }
      case 'fleet-next-ports': {
        const { items, of } = pageFor(answer.vessels, answer.page, vesselsPerPage);
        return {
          ...toPredictions(answer, reader),
          vessels: items.map(({ vessel, endpoint, top, failed }) => ({
            ...toVessel(vessel),
            view: answer.list === undefined ? endpoint : ('list' as const),
            isAnswered: !failed,
            candidates: top.map(toCandidate),
          })),
          ...(answer.offered && { similarLists: [...answer.offered] }),
          ...of,
        };
      }
      case 'next-ports-comparison':
        return {
          ...toPredictions(answer, reader),
          vessels: [
            {
              ...{ ...toVessel(answer.vessel), view: 'vessel' as const, isAnswered: true },
              candidates: answer.ports.flatMap(({ vesselView }) =>
                vesselView ? toCandidate(vesselView) : [],
              ),
            },
          ],
          compared: answer.ports.map(({ port, vesselView, shipView }) => ({
            port: toPort(port),
            vesselView: vesselView ? toPrediction(vesselView, port) : null,
            shipView: shipView ? toPrediction(shipView, port) : null,
          })),
          ...onePage,
        };
      default:
        throw new Error(`the fields of a tool never ask for ${answer.kind}`);
    }
  },
});

const toCandidate = (prediction: Prediction) => ({
  port: toPort(prediction.port),
  ...toPrediction(prediction, prediction.port),
});

const onePage = { page: 1, pages: 1, total: 1 };
