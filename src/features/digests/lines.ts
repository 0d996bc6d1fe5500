import { capitalised } from '../../answers/formatting/words.ts';
import { clip } from '../../answers/message.ts';
import { ownLines, UserError } from '../../errors.ts';
import { type ExportFormat, formatExport, quote } from '../../grammar/line.ts';
import type { VesselDirectory } from '../../grammar/vessel-directory.ts';
import { isPersonal, type LineCost, type ReadLine, type WorkCtx } from '../ctx.ts';
import { digestError } from './words.ts';

/** Returns the line. Throws UserError if it can't be in any digest. */
export function checkDigestLine(read: ReadLine): ReadLine {
  const { line, repeatable, privacy, exportFormat } = read;
  if (exportFormat) throw noFiles(line, exportFormat);
  if (repeatable && privacy !== 'never-shared') return read;
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
  const useful = choices.filter(({ line }) => line !== ownLines.all);
  return { code, message, choices: useful, ...(hint !== undefined && { hint }) };
}

/** A line that is cut at the semicolon has a name whose quotation mark is never closed. */
export const semicolonInName = (): UserError =>
  digestError('unclosed-quote', 'A semicolon inside a name would end its line.');

/** Throws UserError for lines with answers that some people in the channel may not see. */
export async function checkLines(
  { channelId, lines }: { channelId: string; lines: readonly string[] },
  ctx: WorkCtx,
): Promise<void> {
  const vessels = await ctx.registry.vessels(ctx);
  const read = lines.map((line) => ctx.registry.parseLine(line, { vessels }));
  const personal = read.find(isPersonal);
  if (personal) throw notSaved(personal.line, dependsOnAsker(`The answer to “${personal.line}”`).message);
  const internal = read.find(({ privacy }) => privacy === 'internal');
  const place = { channelId, destination: 'channel' } as const;
  if (internal && (await ctx.services.slack.audienceOf(place)) === 'outside')
    throw notSaved(
      internal.line,
      `“${internal.line}” is not shown where people from another organisation can read it.`,
    );
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

/** What reads saved lines: their context, with the names that the person sees. */
type LinesCtx = Pick<WorkCtx, 'registry'> & { vessels: VesselDirectory };

/** Saved lines as they are read today. One that can't be read any more has neither a title nor a cost. */
const readSaved = (lines: readonly string[], { registry, vessels }: LinesCtx) =>
  lines.map((line): Pick<ReadLine, 'line' | 'title' | 'cost'> => {
    try {
      return registry.parseLine(line, { vessels });
    } catch (error) {
      if (error instanceof UserError) return { line };
      throw error;
    }
  });

/** What one run asks of the service. */
export function costOf(lines: readonly string[], ctx: LinesCtx): Required<LineCost> {
  const costs = readSaved(lines, ctx).flatMap(({ cost }) => cost ?? []);
  return {
    calls: costs.reduce((sum, { calls }) => sum + calls, 0),
    isOfGroup: costs.some(({ isOfGroup = false }) => isOfGroup),
    isOfPortGroup: costs.some(({ isOfPortGroup = false }) => isOfPortGroup),
  };
}

const maxNamed = 3;
const maxCharacters = 50;

/** The title of a digest that nobody has named: `List FEEDERS, Rotterdam tomorrow, changes`. */
export function defaultTitle(lines: readonly string[], ctx: LinesCtx): string {
  // A title that can be typed has no quotation marks.
  const parts = readSaved(lines, ctx).map(({ line, title = line }) => title.replaceAll('"', ''));
  let named = Math.min(maxNamed, parts.length);
  while (named > 1 && parts.slice(0, named).join(', ').length > maxCharacters) named -= 1;
  const rest = parts.length - named;
  const title = capitalised(clip(parts.slice(0, named).join(', '), 60));
  return rest > 0 ? `${title} and ${rest} more` : title;
}
