import { capitalised } from '../../messages/formatting/words.ts';
import { clip } from '../../messages/limits.ts';
import { isLocode } from '../../reference/locode.ts';
import { portName } from '../../reference/ports.ts';

const maxNamed = 3;
const maxCharacters = 50;

/** The title of a digest that nobody has named: `List FEEDERS, Rotterdam tomorrow, changes`. */
export function defaultTitle(lines: readonly string[]): string {
  const parts = lines.map(subjectOf);
  let named = Math.min(maxNamed, parts.length);
  while (named > 1 && parts.slice(0, named).join(', ').length > maxCharacters) named -= 1;
  const rest = parts.length - named;
  const title = capitalised(clip(parts.slice(0, named).join(', '), 60));
  return rest > 0 ? `${title} and ${rest} more` : title;
}

/** What a line asks about, in words. */
function subjectOf(line: string): string {
  const [, command = '', rest = ''] =
    /^(nextport|portcalls|lane|watch(?= changes| stability)) (.+)$/.exec(line) ?? [];
  if (command === '') return withoutQuotes(line);
  if (line === 'nextport watched') return 'watched vessels';
  const isOfPorts = command === 'portcalls' || command === 'lane';
  const words = isOfPorts
    ? rest.replace(/\b[A-Z]{2}[A-Z2-9]{3}\b/g, (code) => (isLocode(code) ? portName(code) : code))
    : rest;
  return withoutQuotes(words.replace(/\b(list|fleet):/g, '$1 '));
}

/** A title that can be typed has no quotation marks. */
const withoutQuotes = (words: string): string => words.replaceAll('"', '');
