import { hasValidCheckDigit, type Imo, isImo } from '../reference/imo.ts';
import { unescapeSlack } from './clean.ts';
import type { VesselDirectory } from './vessel-directory.ts';

/**
 * The vessels that a text mentions, each once: first numbers of seven digits with a valid check digit, also in
 * links and code, then names from the directory, as whole words. Where one name contains another, the longer counts.
 */
export function findVessels(text: string, vessels: VesselDirectory): Imo[] {
  const named = vessels.namesIn(unescapeSlack(text)).map(({ imo }) => imo);
  return [...new Set([...numbersIn(text), ...named])];
}

function numbersIn(text: string): Imo[] {
  const found = text.matchAll(/(?<![\p{L}\p{N}])(?:imo[\s:#.-]*)?(\d{7})(?![\p{L}\p{N}])/giu);
  return [...found]
    .map(([, digits]) => Number(digits))
    .filter(isImo)
    .filter(hasValidCheckDigit);
}
