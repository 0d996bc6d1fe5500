import type { Choice, Correction, UserError } from '../errors.ts';
import type { Locode } from '../reference/codes.ts';
import { fold, foldTight, isMisspelt } from '../reference/nearest.ts';
import { portOf } from '../reference/ports.ts';
import { carriersIn } from './carriers.ts';
import { quote, shortened, wordsError } from './line.ts';
import { readPort } from './port.ts';
import { referenceWords } from './vessel-directory.ts';
import { choiceOf, type VesselHelp } from './vessel-help.ts';
import { containersIn, withoutVoyage } from './vessel-words.ts';

/** Says what the words are instead. Asks for an IMO number only if they can be the name of a vessel. */
export function unknownVessel(words: string, help: VesselHelp): UserError {
  const [container] = containersIn(words);
  if (container) return containerNotVessel(container, help);
  if (isReference(words)) return unknownReference(words.replace(referenceWords, ''), help);
  const name = withoutVoyage(words);
  const portName = name.replace(period, '');
  const ports = portsIn(portName);
  if (ports.length > 0) return notVessel('port', portName, ports, help);
  if (carriersIn(name).length > 0) return notVessel('carrier', name, [], help);
  if (!isName(name)) return notAName(name, help);
  return wordsError('unknown-vessel', `I don't know ${shortened(name)}. What's its IMO number?`, help, {
    choices: nearby(name, help),
    correction: correctedName(name, help),
    form: nameForm(name),
  });
}

export const initialsOf = (words: readonly string[]): string => words.map((word) => word[0]).join('');

function correctedName(name: string, { vessels, line }: VesselHelp): Correction | undefined {
  const [meant, ...others] = vessels.nearest(name).filter((vessel) => isMisspeltName(name, vessel.name));
  return meant && others.length === 0
    ? { typed: name, meant: meant.name, line: line(String(meant.imo)) }
    : undefined;
}

/**
 * Whether a name is a known one with at most two wrong letters. Sister ships differ in a whole word, and people rarely mistype
 * the first letter of one: EVER LIVEN isn't EVER GIVEN.
 */
export function isMisspeltName(typed: string, known: string): boolean {
  const [words, knownWords] = [fold(typed).split(' '), fold(known).split(' ')];
  const [tight, knownTight] = [foldTight(typed), foldTight(known)];
  const isCut = knownTight.startsWith(tight) && knownTight.length > tight.length + 2;
  return (
    !isCut &&
    initialsOf(words) === initialsOf(knownWords) &&
    isMisspelt(tight, knownTight, knownWords.length > 1 ? knownTight.length : tight.length)
  );
}

const nameForm = (name: string) => ({
  label: 'Name a vessel …',
  name: 'name',
  target: { name: shortened(name) },
});

const nearby = (words: string, help: VesselHelp): Choice[] =>
  help.vessels.nearest(words).map((vessel) => choiceOf(vessel, help));

const unknownReference = (reference: string, help: VesselHelp): UserError =>
  wordsError(
    'unknown-reference',
    `No vessel here has the reference ${shortened(reference)}.`,
    storing(reference, help),
    { hint: 'Store it for its vessel, and it finds that vessel.' },
  );

const storing = (reference: string, help: VesselHelp): VesselHelp => ({
  ...help,
  example: help.newReference?.(shortened(reference)) ?? help.example,
});

function containerNotVessel(
  { typed, valid, isValid }: ReturnType<typeof containersIn>[number],
  help: VesselHelp,
): UserError {
  if (isValid) {
    const message = `${typed} is a container number, and the service knows vessels, not containers.`;
    return wordsError('unknown-reference', message, storing(valid, help), {
      hint: 'Ask for the vessel of its booking, or store the number for that vessel.',
    });
  }
  const message = `No vessel here has the reference ${typed}.`;
  return wordsError('unknown-reference', message, storing(typed, help), {
    hint: `If it's a container number, its check digit doesn't match: ${valid} would be right. The service knows vessels, not containers: ask for the vessel of its booking.`,
  });
}

function portsIn(words: string): readonly Locode[] {
  const read = readPort(words);
  if (read.kind === 'several') return read.ports.map(({ locode }) => locode);
  return read.kind === 'one' && portOf(read.port) ? [read.port] : [];
}

/** What follows the port in `Rotterdam tomorrow`. */
const period = / (?:today|tomorrow|tonight|(?:this|next|on|until|by|from|within) .*)$/i;

function notVessel(
  kind: 'port' | 'carrier',
  words: string,
  ports: readonly Locode[],
  help: VesselHelp,
): UserError {
  const aboutPorts = ports.slice(0, 3).flatMap((port) => help.aboutPort?.(port) ?? []);
  return wordsError('unknown-vessel', `${quote(words)} is a ${kind}, not a vessel that I know.`, help, {
    hint: 'If a vessel has that name too, type its IMO number.',
    choices: [...aboutPorts, ...nearby(words, help)],
    form: nameForm(words),
  });
}

/** `X-123`, `BK 4403`, `booking 4403`: a word with at least three figures; not `nov 2026`. */
const isReference = (words: string): boolean =>
  /^(?!(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec|in|by|at|on|to|min|next|last|past|page|week|year) )(?:(?:[a-z]{1,4}|flight|shipment|order) |(?=\S*[a-z]))(?:[^\s\d]*\d){3}\S*$/i.test(
    words,
  ) ||
  (referenceWords.test(words) && /\d/.test(words) && words.split(' ').length <= maxWordsInName);

const maxWordsInName = 6;

const isName = (words: string): boolean =>
  /\p{L}{2}/u.test(words) && words.split(' ').length <= maxWordsInName && !ofSentence.test(words);

/** Rare in names of vessels. */
const ofSentence =
  /\b(?:is|are|was|were|been|does|do|did|has|have|had|can|could|will|would|should|what|where|when|who|why|how|which|you|we|they|please|not|with|about|everything|anything|something|all|list|fleet)\b/i;

/** Offers the vessels that a sentence mentions. */
function notAName(words: string, help: VesselHelp): UserError {
  const named = help.vessels.vesselsIn(words).slice(0, 5);
  return wordsError('unknown-vessel', `${quote(words)} isn't the name of a vessel that I know.`, help, {
    hint:
      named.length > 0 ? 'Which vessel do you mean?' : 'Type a name that is known here, or an IMO number.',
    choices: named.length > 0 ? named.map((vessel) => choiceOf(vessel, help)) : nearby(words, help),
  });
}
