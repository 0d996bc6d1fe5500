import { z } from 'zod';
import { UserError } from '../../errors.ts';
import { formatPage, joinWords } from '../../grammar/options.ts';
import { formatPort } from '../../grammar/port.ts';
import {
  calibrationOf,
  hasStayed,
  leads,
  type Stability,
  type StabilityRow,
  stabilityOf,
  stabilityRows,
} from '../../predictions/stability.ts';
import { defineTool } from '../tool.ts';
import { pageField, textField } from '../tool-fields.ts';
import {
  countField,
  pageFields,
  pageFor,
  portFields,
  prospectFields,
  shareField,
  sourceFields,
  timeField,
  toPort,
  toProspect,
  toSource,
  toTime,
  toVessel,
  vesselFields,
} from '../tool-output.ts';
import type { WatchArgs } from './commands/parse-watch-line.ts';
import { rowsPerPage, type StabilityCall } from './views/stability-view.ts';
import type { WatchAnswer } from './views/watch-tables.ts';
import { formatStabilitySubject } from '../stability/index.ts';

/** How often the port on top stayed on top, as JSON. */
export const stabilityFields = {
  calls: countField.describe('Calls that ended while watched; from few calls, chance plays a large part'),
  stayedOnTop: z
    .array(z.object({ hoursBefore: z.int(), stayed: countField, of: countField }))
    .describe(
      'In how many calls the likeliest port, so many hours before the last ETA, was still the likeliest at the end; `of`: those with a prediction from then',
    ),
  etaMovedMinutes: z
    .object({ median: countField, lowerQuartile: countField, upperQuartile: countField, of: countField })
    .nullable()
    .describe('Earlier or later, from 48 hours before to the end, where the port stayed'),
};

const note = 'how long predictions held, not whether vessels called';

const lane = z.object({ origin: portFields, destination: portFields });

interface SubjectFields {
  vessel?: string | undefined;
  origin?: string | undefined;
  destination?: string | undefined;
}

/** Throws UserError. The figures of vessels that are named come from all watches that the person may list. */
function subjectWords({ vessel, origin, destination }: SubjectFields): string {
  if (
    (origin === undefined) !== (destination === undefined) ||
    (vessel !== undefined && origin !== undefined)
  ) {
    throw new UserError({
      code: 'missing-argument',
      message: 'Stability is that of vessels, or of a lane between two ports.',
      hint: 'Give either `vessel`, or `origin` and `destination`, or none of them for all vessels that the person watches.',
    });
  }
  return vessel ?? joinWords(origin && `${origin} to ${destination}`, 'mine');
}

/** How much the predictions for watched vessels changed until each call ended. */
export const watchStabilityTool = defineTool<WatchArgs, WatchAnswer>()({
  name: 'watch_stability',
  title: 'How long predictions held',
  description:
    'For vessels that are watched: in how many of their past calls the likeliest port, 72, 48 and 24 hours before, was still the likeliest at the end, and how far the ETA moved. Of vessels, of a lane, or of all vessels that the person watches. It is no statement about accuracy, arrivals or the future.',
  needsSlack: true,
  input: z.object({
    vessel: textField({
      description:
        'Vessels by IMO number, name or reference, separated by commas; or a fleet as fleet:NAME, or a watched list as list:NAME. Left out: all vessels that the person watches',
      examples: ['9461477', 'MSC DIANA', 'fleet:NORTH'],
    }).optional(),
    origin: textField({
      description:
        'In place of vessels, with `destination`: a lane that watched vessels sailed; a port by UN/LOCODE or name',
      examples: ['NLRTM', 'Rotterdam'],
    }).optional(),
    destination: textField({
      description: 'The other end of the lane',
      examples: ['DEHAM', 'Hamburg'],
    }).optional(),
    page: pageField,
  }),
  output: z.object({
    note: z.literal(note),
    vessels: countField.describe('Vessels that were looked at'),
    ...stabilityFields,
    calibration: z
      .array(z.object({ from: shareField, to: shareField, stayed: countField, of: countField }))
      .describe(
        'By the probability that the likeliest port had 48 hours before, from `from` up to `to`: in how many calls it stayed; empty for few calls',
      ),
    rows: z
      .array(z.object({ vessel: vesselFields.nullable(), lane: lane.nullable(), ...stabilityFields }))
      .describe('A row for each vessel, then for each lane with several calls; empty for one vessel or lane'),
    endedCalls: z
      .array(
        z.object({
          vessel: vesselFields,
          previousPort: portFields.nullable().describe('Null: not known'),
          port: portFields.describe('The likeliest port at the end'),
          lastEta: timeField,
          endedAt: timeField.describe('When it was first no longer predicted'),
          before: z
            .array(z.object({ hoursBefore: z.int(), prediction: prospectFields, stayed: z.boolean() }))
            .describe('The likeliest port so many hours before the last ETA, where that is known'),
        }),
      )
      .describe('Of one vessel or lane, the newest first'),
    ...pageFields,
    ...sourceFields,
  }),
  toLine: ({ page, ...subject }) => joinWords('watch stability', subjectWords(subject), formatPage(page)),
  toFields(args) {
    if (args.kind !== 'stability' || args.scope === 'all' || args.channelId !== undefined) return undefined;
    const { of, page } = args;
    if (of.kind === 'watched') return { page };
    if (of.kind !== 'lane') return { vessel: formatStabilitySubject(of), page };
    return { origin: formatPort(of.origin), destination: formatPort(of.destination), page };
  },
  toOutput(answer, reader) {
    if (answer.kind !== 'watch-stability')
      throw new Error(`the fields of the tool never ask for ${answer.kind}`);
    const { about, calls, vessels, page } = answer;
    const isOfOne = about.kind === 'vessel' || about.kind === 'lane';
    const names = new Map(calls.map((call) => [call.imo, call]));
    const rows = pageFor(isOfOne ? [] : stabilityRows(calls), page, rowsPerPage);
    const ended = pageFor(isOfOne ? calls : [], page, rowsPerPage);
    return {
      note: note as typeof note,
      vessels,
      ...toStability(stabilityOf(calls)),
      calibration: calibrationOf(calls).map(({ from, to, count, of }) => ({ from, to, stayed: count, of })),
      rows: rows.items.map((row) => toRow(row, names)),
      endedCalls: ended.items.map(toEndedCall),
      ...(isOfOne ? ended : rows).of,
      ...toSource(reader),
    };
  },
});

function toRow(row: StabilityRow, names: ReadonlyMap<number, StabilityCall>) {
  const isVessel = row.kind === 'vessel';
  return {
    vessel: isVessel ? toVessel(names.get(row.imo) ?? row) : null,
    lane: isVessel ? null : { origin: toPort(row.origin), destination: toPort(row.destination) },
    ...toStability(row),
  };
}

const toEndedCall = (call: StabilityCall) => ({
  vessel: toVessel(call),
  previousPort: call.previousPort && toPort(call.previousPort),
  port: toPort(call.port),
  lastEta: toTime(call.lastEta),
  endedAt: toTime(call.endedAt),
  before: leads.flatMap((lead) => {
    const prediction = call.readings[lead];
    if (!prediction) return [];
    return [{ hoursBefore: lead, prediction: toProspect(prediction), stayed: hasStayed(call, lead) }];
  }),
});

export function toStability({ calls, onTop, etaMoved }: Stability) {
  return {
    calls,
    stayedOnTop: leads.map((lead) => ({ hoursBefore: lead, stayed: onTop[lead].count, of: onTop[lead].of })),
    etaMovedMinutes: etaMoved && {
      ...{ median: etaMoved.median, of: etaMoved.of },
      ...{ lowerQuartile: etaMoved.lower, upperQuartile: etaMoved.upper },
    },
  };
}
