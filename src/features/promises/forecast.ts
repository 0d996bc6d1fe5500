import { NoAccountError, ServiceTrouble } from '../../errors.ts';
import { rankProspects } from '../../predictions/next-port.ts';
import type { Imo } from '../../reference/codes.ts';
import type { Prospect } from '../../reference/prediction.ts';
import { type AskCtx, requestOptions } from '../ctx.ts';

/** What the service predicts for the vessel, likeliest first. Undefined if it does not answer. */
export async function forecastOf(imo: Imo, ctx: AskCtx): Promise<readonly Prospect[] | undefined> {
  try {
    const { predictions } = await ctx.services.analytics.vesselPredictions(imo, requestOptions(ctx));
    return rankProspects(predictions);
  } catch (error) {
    if (error instanceof ServiceTrouble || error instanceof NoAccountError) return undefined;
    throw error;
  }
}
