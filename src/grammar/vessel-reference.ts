import { hasValidCheckDigit, type Imo, isImo } from '../reference/imo.ts';
import { portOf } from '../reference/ports.ts';
import { quote } from './line-help.ts';
import { readPort } from './port.ts';
import { referenceKey, runsOf } from './reference-index.ts';
import type { VesselDirectory } from './vessel-directory.ts';

/** Of one vessel. */
export const maxReferences = 20;
export const maxReferenceLength = 40;
const minReferenceLength = 3;

/** `BK123, MEDU 4711; ACME` → the references as typed, without duplicates. */
export function splitReferences(text: string): string[] {
  const pieces = text.split(/[,;]/).map((piece) => piece.trim().replace(/\s+/g, ' '));
  const byKey = new Map<string, string>();
  for (const piece of pieces)
    if (piece !== '' && !byKey.has(referenceKey(piece))) byKey.set(referenceKey(piece), piece);
  return [...byKey.values()];
}

/** Words that mean something else where a vessel is typed alone. */
const commandWords: ReadonlySet<string> = new Set(
  'ALL WATCHED LIST STOP SNOOZE WAKE RESUME CHANGES HELP COMPARE HISTORY MAP ACKNOWLEDGE ACK STATUS SETTINGS AUDIT ACCOUNT'.split(
    ' ',
  ),
);

/**
 * Why a text can't be a reference of this vessel, as a clause after the text; undefined for a good one. A reference must
 * never be read as another vessel, a port or a word of a command.
 */
export const referenceFault = (text: string, imo: Imo, vessels: VesselDirectory): string | undefined =>
  meaningFault(text, imo, vessels) ?? overlapFault(text, imo, vessels);

/** The faults that other references have no part in. */
export function meaningFault(
  text: string,
  imo: Imo,
  vessels: Pick<VesselDirectory, 'named' | 'vesselsIn'>,
): string | undefined {
  const key = referenceKey(text);
  const words = text.toUpperCase().split(/[\s\p{Pd}]+/u);
  if (text.length > maxReferenceLength) return `has more than ${maxReferenceLength} characters`;
  if (!/^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}\s\p{Pd}./]*[\p{L}\p{M}\p{N}])?$/u.test(text))
    return 'may have only letters, figures, spaces and - / . between them';
  if (key.length < minReferenceLength)
    return `is too short: a reference has at least ${minReferenceLength} letters or figures`;
  if (/^(?:IMO)?\d{7}$/.test(key) || /\bIMO[\s\p{Pd}]*\d/iu.test(text)) return 'looks like an IMO number';
  const number = words.find(
    (word) => /^\d{7}$/.test(word) && isImo(Number(word)) && hasValidCheckDigit(Number(word) as Imo),
  );
  if (number !== undefined) return `contains the IMO number ${number}`;
  if (isKnownPort(text) || isKnownPort(key)) return 'is the name or the UN/LOCODE of a port';
  if (/^(?:(?:ship)?list|fleet|port)\b/i.test(text)) return 'looks like a list, a fleet or a port';
  if (commandWords.has(key) || /^(?:PUBLIC|PRIVATE)$/.test(words.at(-1) ?? ''))
    return 'is a word of a command';
  const [named] = vessels.named(text);
  if (named) return `is the name of a vessel (IMO ${named.imo})`;
  const inside = vessels.vesselsIn(text).find((vessel) => vessel.imo !== imo);
  return inside && `contains the name ${inside.name}, which is another vessel (IMO ${inside.imo})`;
}

/** A code that no known port has may be a customer's name or a booking: SMITH, BK234. */
function isKnownPort(text: string): boolean {
  const read = readPort(text);
  return read.kind === 'several' || (read.kind === 'one' && portOf(read.port) !== undefined);
}

/** `BK1 MAP` beside the `BK1` of another vessel: `nextport BK1 map` would be about that one. */
export function overlapFault(
  text: string,
  imo: Imo,
  vessels: Pick<VesselDirectory, 'referenced' | 'referencesWith'>,
): string | undefined {
  const shorter = runsOf(text).find((run) => vessels.referenced(run).some((vessel) => vessel.imo !== imo));
  if (shorter !== undefined) return `contains ${quote(shorter)}, a reference of another vessel`;
  const longer = vessels.referencesWith(text).find((vessel) => vessel.imo !== imo);
  return longer && `is part of ${quote(longer.reference)}, a reference of another vessel (IMO ${longer.imo})`;
}
