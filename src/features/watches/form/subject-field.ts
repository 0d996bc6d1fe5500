import { UserError } from '../../../errors.ts';
import { cleanLine } from '../../../grammar/clean.ts';
import { maxVessels } from '../../../grammar/vessel.ts';
import type { VesselDirectory } from '../../../grammar/vessel-directory.ts';
import { fieldText } from '../../../messages/field-errors.ts';
import type { Imo } from '../../../reference/imo.ts';
import { portLabel } from '../../../reference/ports.ts';
import type { WatchesContext } from '../services.ts';
import { parseWatchSubject, type WatchSubject } from '../words/subject.ts';

/** As after `/watch`, which may be typed here too. Throws UserError. */
export function readSubject(typed: string, { vessels }: Pick<WatchesContext, 'vessels'>): WatchSubject {
  return parseWatchSubject(cleanLine(typed).replace(/^watch\s+/i, ''), {
    line: (fixed) => `watch ${fixed}`,
    example: 'watch 9461477',
    vessels,
  });
}

/** How it is read, or what is wrong with it and the nearest right thing; '' for nothing. */
export async function parseSubject(
  typed: string,
  context: WatchesContext,
): Promise<{ text: string; isPort: boolean }> {
  if (typed.trim() === '') return { text: '', isPort: false };
  try {
    const subject = readSubject(typed, context);
    return { text: `✓ ${await inWords(subject, context)}`, isPort: subject.kind === 'port' };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { text: `⚠ ${fieldText(error)}`, isPort: false };
  }
}

/** What a message names, and what had no room. */
export function parsedOfMessage(text: string, found: number): string {
  if (found === 0) return 'No IMO number and no known name stands in that message.';
  const left = found - maxVessels;
  return left > 0 ? `${text}. ${left} more in that message have no room in one watch.` : text;
}

async function inWords(subject: WatchSubject, context: WatchesContext): Promise<string> {
  switch (subject.kind) {
    case 'vessels':
      return subject.imos.map((imo) => vesselInWords(imo, context.vessels)).join(', ');
    case 'fleet': {
      const { name, imos } = await context.getFleet(subject.name);
      return `Fleet ${name}, ${imos.length} ${imos.length === 1 ? 'vessel' : 'vessels'} now`;
    }
    case 'list':
      return `List ${subject.name}, which the provider keeps`;
    case 'port':
      return `Port ${portLabel(subject.port)}: who is coming`;
  }
}

function vesselInWords(imo: Imo, vessels: VesselDirectory): string {
  const name = vessels.nameOf(imo);
  return name === undefined ? `IMO ${imo}, which has no name here yet` : `${name} (IMO ${imo})`;
}
