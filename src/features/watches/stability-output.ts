import { z } from 'zod';
import type { Stability } from '../../predictions/stability.ts';
import { leads } from '../../predictions/stability.ts';
import { countField } from '../tool-output.ts';

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
