import { hasValidCheckDigit, type Imo, isImo } from '../reference/imo.ts';
import { unescapeSlack } from './clean.ts';
import type { VesselDirectory } from './vessel-directory.ts';

/**
 * The vessels mentioned in a text, each once: first numbers of seven digits whose check digit is right, also in
 * links and code, then names that the directory knows.
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
