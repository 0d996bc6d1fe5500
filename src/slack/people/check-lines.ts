import { UserError } from '../../errors.ts';
import { parseLine } from '../../features/parse-line.ts';
import type { VesselDirectory } from '../../grammar/vessel-directory.ts';
import type { Audiences } from './audiences.ts';

export interface LinesCheckOptions {
  audiences: Audiences;
  vessels: () => Promise<VesselDirectory>;
}

/** Throws UserError for lines that a digest would never answer there, since people of another organisation read it. */
export function createLinesCheck(
  options: LinesCheckOptions,
): (digest: { channelId: string; lines: readonly string[] }) => Promise<void> {
  const { audiences, vessels } = options;
  return async ({ channelId, lines }) => {
    const known = await vessels();
    const inside = lines.find((line) => parseLine(line, { vessels: known }).privacy === 'inside');
    if (inside === undefined || (await audiences.of(channelId)) !== 'outside') return;
    throw new UserError({
      code: 'not-allowed',
      message: `“${inside}” is not shown where people of another organisation may read. Nothing is saved.`,
      hint: 'Leave that line out; or have it sent to yourself alone, with “to me” behind the time.',
      example: `digest add weekdays 08:00 to me: ${inside}`,
    });
  };
}
