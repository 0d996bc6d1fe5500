import { UserError } from '../../errors.ts';
import { isPersonal } from '../command.ts';
import type { FeatureSet, WorkspaceServices } from '../feature.ts';

/** Throws UserError for lines that can't be answered to everybody who reads a digest in that channel. */
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
    const prepared = lines.map((line) => parseLine(line, { vessels: known }));
    const personal = prepared.find(isPersonal);
    if (personal) throw dependsOnAsker(personal.line);
    const inside = prepared.find(({ privacy }) => privacy === 'inside');
    if (inside && (await slack.audienceOf(channelId)) === 'outside') throw notForOutsiders(inside.line);
  };
}

const dependsOnAsker = (line: string): UserError =>
  refusal(line, `The answer to “${line}” depends on who asks, so it can't be in a channel's digest.`);

const notForOutsiders = (line: string): UserError =>
  refusal(line, `“${line}” is not shown where people from another organisation can read it.`);

const refusal = (line: string, message: string): UserError =>
  new UserError({
    code: 'not-allowed',
    message: `${message} Nothing was saved.`,
    hint: 'Leave that line out, or send the digest to yourself with “to me” after the time.',
    example: `digest add weekdays 08:00 to me: ${line}`,
  });
