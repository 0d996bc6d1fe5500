import { UserError } from '../../errors.ts';
import { quote } from '../../grammar/line-help.ts';
import { isPersonal, type Prepared } from '../command.ts';
import type { FeatureSet, WorkspaceServices } from '../feature.ts';

/** Parses a command line. It throws UserError. */
export type ReadLine = (line: string) => Pick<Prepared, 'line' | 'repeatable' | 'privacy'>;

/** The canonical form of one line that is to be in a digest. Throws UserError if it can't be in one. */
export function readDigestLine(typed: string, readLine: ReadLine): string {
  const { line, repeatable, privacy } = readLine(typed);
  if (repeatable && privacy !== 'closed') return line;
  throw new UserError({
    code: 'not-allowed',
    message:
      privacy === 'closed'
        ? `Only you can see the answer to ${quote(line)}, so it can't be in a digest.`
        : `${quote(line)} changes something: a digest can only contain lines that ask.`,
    example,
  });
}

/** An error of one line for people who plan a digest: it leaves out the button for help, which no digest needs. */
export function lineError({ code, message, hint, choices }: UserError) {
  const useful = choices.filter(({ line }) => line !== 'landfall');
  return { code, message, choices: useful, ...(hint !== undefined && { hint }) };
}

export const semicolonInName = (): UserError =>
  new UserError({
    code: 'unclosed-quote',
    message: 'A semicolon inside a name would end its line.',
    example,
  });

const example = 'digest add weekdays 08:00: portcalls NLRTM next 3 days; usage';

/** Throws UserError for lines whose answers not everybody in that channel may see. */
export function createLinesCheck({
  slack,
  parseLine,
  vessels,
}: Pick<WorkspaceServices, 'slack'> & Pick<FeatureSet, 'parseLine' | 'vessels'>) {
  return async ({ channelId, lines }: { channelId: string; lines: readonly string[] }): Promise<void> => {
    const context = { vessels: await vessels() };
    const prepared = lines.map((line) => parseLine(line, context));
    const personal = prepared.find(isPersonal);
    if (personal)
      throw refusal(
        personal.line,
        `The answer to “${personal.line}” depends on who asks, so it can't be in a channel's digest.`,
      );
    const inside = prepared.find(({ privacy }) => privacy === 'inside');
    if (inside && (await slack.audienceOf(channelId)) === 'outside')
      throw refusal(
        inside.line,
        `“${inside.line}” is not shown where people from another organisation can read it.`,
      );
  };
}

const refusal = (line: string, message: string): UserError =>
  new UserError({
    code: 'not-allowed',
    message: `${message} Nothing was saved.`,
    hint: 'Leave that line out, or send the digest to yourself with “to me” after the time.',
    example: `digest add weekdays 08:00 to me: ${line}`,
  });
