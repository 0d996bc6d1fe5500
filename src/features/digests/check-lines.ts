import { UserError } from '../../errors.ts';
import type { FeatureSet, WorkspaceServices } from '../feature.ts';

/** Throws UserError for lines that a digest would never answer there, since people of another organisation read it. */
export function createLinesCheck({
  slack,
  parseLine,
  vessels,
}: Pick<WorkspaceServices, 'slack'> & Pick<FeatureSet, 'parseLine' | 'vessels'>): (digest: {
  channelId: string;
  lines: readonly string[];
}) => Promise<void> {
  return async ({ channelId, lines }) => {
    const known = await vessels();
    const inside = lines.find((line) => parseLine(line, { vessels: known }).privacy === 'inside');
    if (inside === undefined || (await slack.audienceOf(channelId)) !== 'outside') return;
    throw new UserError({
      code: 'not-allowed',
      message: `“${inside}” is not shown where people of another organisation may read. Nothing is saved.`,
      hint: 'Leave that line out; or have it sent to yourself alone, with “to me” behind the time.',
      example: `digest add weekdays 08:00 to me: ${inside}`,
    });
  };
}
