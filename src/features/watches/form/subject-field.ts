import { fieldText } from '../../../answers/fields.ts';
import { counted } from '../../../answers/formatting/words.ts';
import { UserError } from '../../../errors.ts';
import { cleanLine } from '../../../grammar/line.ts';
import { maxVessels } from '../../../grammar/vessel.ts';
import { portLabel } from '../../../reference/ports.ts';
import type { AskCtx } from '../../ctx.ts';
import { fleetsHere } from '../../vessels/index.ts';
import { isAboutPort, isOneVessel, parseWatchSubject, type WatchSubject } from '../words/subject.ts';

/** Reads what could be typed after `/watch`, with or without that word. Throws UserError. */
export function readSubject(typed: string, { vessels }: Pick<AskCtx, 'vessels'>): WatchSubject {
  return parseWatchSubject(cleanLine(typed).replace(/^watch\s+/i, ''), {
    line: (fixed) => `watch ${fixed}`,
    example: 'watch 9461477',
    vessels,
  });
}

/** Says which subject the text means, or what is wrong with the text. Empty for an empty field. */
export async function describeSubject(
  typed: string,
  ctx: AskCtx,
): Promise<{ text: string; isPort: boolean; isOneVessel: boolean }> {
  if (typed.trim() === '') return { text: '', isPort: false, isOneVessel: true };
  try {
    const subject = readSubject(typed, ctx);
    const text = `✓ ${await inWords(subject, ctx)}${whereInWords(subject)}`;
    return { text, isPort: isAboutPort(subject), isOneVessel: isOneVessel(subject) };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { text: `⚠ ${fieldText(error)}`, isPort: false, isOneVessel: true };
  }
}

/** Describes the vessels that a message names. `found` counts also those that don't fit into one watch. */
export function describeFound(text: string, found: number): string {
  if (found === 0) return 'No IMO number and no known vessel name was found in that message.';
  const leftOut = found - maxVessels;
  return leftOut > 0 ? `${text}. ${leftOut} more in that message don't fit into one watch.` : text;
}

const whereInWords = (subject: WatchSubject): string =>
  subject.kind === 'port' || subject.at === undefined ? '' : `: who is expected at ${portLabel(subject.at)}`;

async function inWords(subject: WatchSubject, ctx: AskCtx): Promise<string> {
  switch (subject.kind) {
    case 'vessels': {
      const { nameOf } = ctx.vessels;
      const words = subject.imos.map((imo) => {
        const name = nameOf(imo);
        return name === undefined ? `IMO ${imo}, which has no name here yet` : `${name} (IMO ${imo})`;
      });
      return words.join(', ');
    }
    case 'fleet': {
      const { name, imos } = await fleetsHere(ctx).get(subject.name);
      return `Fleet ${name}, ${counted(imos.length, 'vessel')} now`;
    }
    case 'list':
      return `List ${subject.name}, which the provider keeps`;
    case 'port':
      return `Port ${portLabel(subject.port)}: who is coming`;
  }
}
