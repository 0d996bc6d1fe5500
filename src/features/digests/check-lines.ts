import { UserError } from '../../errors.ts';
import { quote } from '../../grammar/line-help.ts';
import { type ExportFormat, formatExport } from '../../grammar/options.ts';
import type { PreparedLine } from '../command.ts';
import type { FeatureSet } from '../feature.ts';
import { isPersonal } from '../line.ts';
import type { WorkspaceServices } from '../services.ts';
import { digestError } from './words.ts';

export type ReadLine = (
  line: string,
) => Pick<PreparedLine, 'line' | 'repeatable' | 'privacy' | 'exportFormat'>;

/** Returns the parsed line. Throws UserError if it can't be in any digest. */
export function checkDigestLine<Line extends ReturnType<ReadLine>>(prepared: Line): Line {
  const { line, repeatable, privacy, exportFormat } = prepared;
  if (exportFormat) throw noFiles(line, exportFormat);
  if (repeatable && privacy !== 'never-shared') return prepared;
  throw digestError(
    'not-allowed',
    privacy === 'never-shared'
      ? `Only you can see the answer to ${quote(line)}, so it can't be in a digest.`
      : `${quote(line)} changes something: a digest can only contain lines that ask.`,
  );
}

function noFiles(line: string, format: ExportFormat): UserError {
  const asked = line.slice(0, -formatExport('', format).length);
  return digestError('not-allowed', `${quote(line)} sends a file, and a digest can't do that.`, {
    hint: `Leave out “as ${format}”.`,
    choices: [{ label: asked, line: asked }],
  });
}

/** The details of a line's error, without the suggestion `landfall` (help), which can't be a line of a digest. */
export function errorWithoutHelp({ code, message, hint, choices }: UserError) {
  const useful = choices.filter(({ line }) => line !== 'landfall');
  return { code, message, choices: useful, ...(hint !== undefined && { hint }) };
}

/** A line that is cut at the semicolon has a name whose quotation mark is never closed. */
export const semicolonInName = (): UserError =>
  digestError('unclosed-quote', 'A semicolon inside a name would end its line.');

/** Returns a function that throws UserError for lines with answers that some people in the channel may not see. */
export function createLinesCheck({
  slack,
  parseLine,
  vessels,
}: Pick<WorkspaceServices, 'slack'> & Pick<FeatureSet, 'parseLine' | 'vessels'>) {
  return async ({ channelId, lines }: { channelId: string; lines: readonly string[] }): Promise<void> => {
    const context = { vessels: await vessels() };
    const prepared = lines.map((line) => parseLine(line, context));
    const personal = prepared.find(isPersonal);
    if (personal) throw notSaved(personal.line, dependsOnAsker(`The answer to “${personal.line}”`).message);
    const internal = prepared.find(({ privacy }) => privacy === 'internal');
    if (internal && (await slack.audienceOf({ channelId, destination: 'channel' })) === 'outside')
      throw notSaved(
        internal.line,
        `“${internal.line}” is not shown where people from another organisation can read it.`,
      );
  };
}

export const dependsOnAsker = (answer = 'The answer'): UserError =>
  new UserError({
    code: 'not-allowed',
    message: `${answer} depends on who asks, so it can't be in a channel's digest.`,
  });

const notSaved = (line: string, reason: string): UserError =>
  new UserError({
    code: 'not-allowed',
    message: `${reason} Nothing was saved.`,
    hint: 'Leave that line out, or send the digest to yourself with “to me” after the time.',
    example: `digest add weekdays 08:00 to me: ${line}`,
  });
