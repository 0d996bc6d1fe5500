import { type Choice, UserError } from '../errors.ts';
import { hasValidCheckDigit, type Imo, isImo } from '../reference/imo.ts';
import { type LineHelp, quote } from './line-help.ts';
import type { NamedVessel, VesselDirectory } from './vessel-directory.ts';

export interface VesselHelp extends LineHelp {
  vessels: VesselDirectory;
  /** The maximum for vessels that are added to a fleet, not asked about. */
  maxInFleet?: number;
}

/** For one question, or one watch. */
export const maxVessels = 20;
const whereToFind =
  "The IMO number is painted on the hull; you also find it in the vessel's papers, in the booking and on vessel tracking sites.";

/**
 * One vessel: `9461477`, `IMO 9461477`, `imo:9461477`, `DS CYPRESS (9461477)`, or a name that the directory
 * knows. Throws UserError: missing-argument, bad-imo, bad-check-digit, unknown-vessel,
 * ambiguous-vessel, unexpected-words.
 */
export function parseVessel(text: string, help: VesselHelp): Imo {
  const typed = text.trim().replace(/^"(.*)"$/, '$1');
  if (typed === '') {
    throw new UserError({
      code: 'missing-argument',
      message: 'Which vessel?',
      hint: 'Give a vessel by its IMO number of seven digits, or by a name that is known here.',
      example: help.example,
    });
  }
  const digits = imoDigits(typed);
  return digits === undefined ? byName(typed, help) : byNumber(digits, help);
}

/**
 * One to twenty vessels, or up to a fleet's maximum, with commas between them (numbers also with spaces), in the
 * order typed, each once. Throws what parseVessel throws, and too-many-vessels.
 */
export function parseVessels(text: string, help: VesselHelp): [Imo, ...Imo[]] {
  const pieces = splitVessels(text);
  const max = help.maxInFleet ?? maxVessels;
  if (pieces.length > 5 * max) throw tooMany(pieces.length, help);
  const imos = pieces.map((piece, index) =>
    parseVessel(piece, {
      ...help,
      line: (fixed) => help.line([...new Set(pieces.with(index, fixed))].join(', ')),
    }),
  );
  const [first, ...others] = new Set(imos);
  if (first === undefined) return [parseVessel('', help)];
  if (others.length >= max) throw tooMany(others.length + 1, help, [first, ...others]);
  return [first, ...others];
}

export const formatVessel = (imo: Imo): string => String(imo);

export const formatVessels = (imos: readonly Imo[]): string => imos.map(formatVessel).join(', ');

/** `DS CYPRESS (9461477)`, or `IMO 9461477` where the name is unknown. */
export function vesselLabel(imo: Imo, vessels: VesselDirectory): string {
  const name = vessels.nameOf(imo);
  return name ? `${name} (${imo})` : `IMO ${imo}`;
}

function splitVessels(text: string): string[] {
  if (/^\s*\d{7}(?:\s+\d{7})+\s*$/.test(text)) return text.trim().split(/\s+/);
  return text
    .split(/[,;]/)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');
}

const tooMany = (count: number, help: VesselHelp, imos: readonly Imo[] = []): UserError =>
  help.maxInFleet === undefined
    ? tooManyAsked(count, help, imos)
    : tooManyInFleet(count, help.maxInFleet, help);

const tooManyInFleet = (count: number, max: number, { example }: LineHelp): UserError =>
  new UserError({
    code: 'too-many-vessels',
    message: `${count} vessels are too many at once: a fleet has at most ${max}.`,
    hint: 'Split them into several fleets, or use a list that the provider maintains.',
    example,
  });

const tooManyAsked = (count: number, help: LineHelp, imos: readonly Imo[]): UserError =>
  new UserError({
    code: 'too-many-vessels',
    message: `${count} vessels are too many for one question: at most ${maxVessels}.`,
    hint: 'For more, create a fleet (/vessel fleet NORTH add …) and ask for fleet:NORTH.',
    choices:
      imos.length === 0
        ? []
        : [
            {
              label: `The first ${maxVessels}`,
              line: help.line(formatVessels(imos.slice(0, maxVessels))),
            },
          ],
    example: help.example,
  });

/** The digits of an IMO number, valid or not, however it is written; undefined for a name. */
function imoDigits(typed: string): string | undefined {
  const [, alone] = /^(?:imo)?[\s:#.-]*(?:no|nr|number)?[\s:#.-]*(\d+)$/i.exec(typed) ?? [];
  if (alone !== undefined) return alone;
  const [, inBrackets, last] = /^[^\d(]*\((?:imo )?(\d{7})\)$|^.*\bimo[\s:#.-]*(\d{7})$/i.exec(typed) ?? [];
  return inBrackets ?? last;
}

function byNumber(digits: string, help: VesselHelp): Imo {
  const number = Number(digits);
  if (digits.length !== 7 || !isImo(number)) {
    throw new UserError({
      code: 'bad-imo',
      message: `${quote(digits)} isn't a valid IMO number: it must have seven digits, the first not 0.`,
      hint: digits.length === 9 ? "Nine digits may be an MMSI, which the service doesn't know." : whereToFind,
      example: help.example,
    });
  }
  if (hasValidCheckDigit(number)) return number;
  const choices = similarVessels(digits, help.vessels).map((vessel) => choiceOf(vessel, help));
  throw new UserError({
    code: 'bad-check-digit',
    message: `${digits} isn't a valid IMO number: its check digit, the last one, doesn't match.`,
    hint: choices.length > 0 ? 'Perhaps one digit is wrong.' : `A digit is wrong or swapped. ${whereToFind}`,
    choices,
    example: help.example,
  });
}

/** Known vessels whose number differs by one digit, or by two adjacent digits swapped. */
function similarVessels(digits: string, vessels: VesselDirectory): NamedVessel[] {
  const numbers = new Set(
    [...digits].flatMap((digit, index) => {
      const before = digits.slice(0, index);
      const after = digits.slice(index + 1);
      const changed = [...'0123456789'].map((other) => before + other + after);
      return [...changed, before + after.slice(0, 1) + digit + after.slice(1)].map(Number);
    }),
  );
  numbers.delete(Number(digits));
  return vessels.all().filter(({ imo }) => numbers.has(imo));
}

function byName(typed: string, help: VesselHelp): Imo {
  const { vessels, example } = help;
  const name = typed.replace(/^(?:the |m\/?[vst] )/i, '');
  const [match, ...others] = vessels.named(name).length > 0 ? vessels.named(name) : vessels.named(typed);
  if (match && others.length === 0) return match.imo;
  if (match) {
    throw new UserError({
      code: 'ambiguous-vessel',
      message: `${others.length + 1} vessels are named ${match.name}. Which one?`,
      choices: [match, ...others].map((vessel) => choiceOf(vessel, help)),
      example,
    });
  }
  return numberAmongWords(typed, help) ?? unknown(typed, name, help);
}

/** `DS CYPRESS 9461477`: a number with its vessel's name. Other words beside numbers are refused, not ignored. */
function numberAmongWords(typed: string, { vessels, line, example }: VesselHelp): Imo | undefined {
  const imos = (typed.match(/(?<!\d)\d{7}(?!\d)/g) ?? [])
    .map(Number)
    .filter(isImo)
    .filter(hasValidCheckDigit);
  const [first, ...others] = imos;
  if (first === undefined) return undefined;
  const words = imos
    .reduce((rest, imo) => rest.replace(String(imo), ' '), typed)
    .replace(/\s+/g, ' ')
    .trim();
  if (others.length === 0 && vessels.named(words).some(({ imo }) => imo === first)) return first;
  const several = others.length > 0;
  throw new UserError({
    code: 'unexpected-words',
    message: `I can read ${imos.join(' and ')} as ${several ? 'vessels' : 'a vessel'}, but not ${quote(words)} beside ${several ? 'them' : 'it'}.`,
    choices: [
      { label: several ? formatVessels(imos) : vesselLabel(first, vessels), line: line(formatVessels(imos)) },
    ],
    example,
  });
}

function unknown(typed: string, name: string, { vessels, example, line }: VesselHelp): never {
  throw new UserError({
    code: 'unknown-vessel',
    message: `The service knows only IMO numbers, and ${quote(typed)} isn't a known vessel name.`,
    hint: whereToFind,
    choices: vessels.nearest(name).map((vessel) => choiceOf(vessel, { line })),
    example,
  });
}

const choiceOf = ({ imo, name }: NamedVessel, { line }: Pick<LineHelp, 'line'>): Choice => ({
  label: `${name} (${imo})`,
  line: line(formatVessel(imo)),
});
