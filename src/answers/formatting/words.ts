import { hasValidCheckDigit, type Imo, type Locode } from '../../reference/codes.ts';
import { portName } from '../../reference/ports.ts';
import { clip, joinWithin } from '../message.ts';

/** `1,200`. */
export const figure = (value: number): string => value.toLocaleString('en');

/** `1 vessel`, `1,200 vessels`. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${figure(count)} ${count === 1 ? noun : plural}`;

/** `Rotterdam, Antwerp and Amsterdam`. */
export const listed = (
  names: readonly string[],
  type: 'conjunction' | 'disjunction' = 'conjunction',
): string => new Intl.ListFormat('en-GB', { type }).format(names);

/** Begins with a capital letter; the other letters stay as they are. */
export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `Now Antwerp` → `now Antwerp`; words in capitals, such as ETA, stay. */
export const uncapitalised = (text: string): string =>
  /^[A-Z](?![A-Z])/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;

/** `82%`. Only certainty is shown as 100%, and only impossibility as 0%. */
export function percent(probability: number): string {
  if (probability > 0 && probability < 0.005) return 'under\u00a01%';
  if (probability >= 1) return '100%';
  return `${Math.min(99, Math.round(probability * 100))}%`;
}

/** A probability under a threshold never reads like the threshold: `49.6%` under 50%. */
export const percentUnder = (probability: number, threshold: number): string =>
  isHidden(probability, threshold) ? tenths(probability, threshold) : percent(probability);

/**
 * Two probabilities that stand side by side. They have a decimal where whole percents would hide that they differ, or
 * that one is under the threshold (a whole percentage): `50.2%` and `49.6%`.
 */
export function percentPair(was: number, now: number, threshold = 0): { was: string; now: string } {
  const whole = { was: percentUnder(was, threshold), now: percentUnder(now, threshold) };
  if (was === now || percent(was) !== percent(now)) return whole;
  const precise = { was: tenths(was, threshold), now: tenths(now, threshold) };
  return precise.was === precise.now ? whole : precise;
}

/** Whole percents show it at or above the threshold, although it is below. */
const isHidden = (probability: number, threshold: number): boolean =>
  probability < threshold && Math.max(1, Math.round(probability * 100)) >= Math.round(threshold * 100);

/** Rounded down, so that it stays under the threshold. */
function tenths(probability: number, threshold: number): string {
  if (probability <= 0 || probability >= 1) return percent(probability);
  // In floating point, 0.57 * 1000 is a hair less than 570.
  const floor = Math.floor(probability * 1000 + 1e-9);
  const shown = probability < threshold ? Math.min(floor, Math.round(threshold * 1000) - 1) : floor;
  return shown < 1 ? 'under\u00a00.1%' : `${(shown / 10).toFixed(1)}%`;
}

/** `14% (5 of 37)`. */
export const share = (count: number, of: number): string =>
  of > 0 ? `${percent(count / of)} (${count} of ${of})` : `${count} of ${of}`;

/** Marks a row of a list: 🟠 from 30 to 69%, ⚪ below; empty from 70% on. */
export function likelihoodMarker(probability: number): '' | '🟠' | '⚪' {
  const shown = Math.round(probability * 100);
  if (shown >= 70) return '';
  return shown >= 30 ? '🟠' : '⚪';
}

/** For people who don't work with probabilities; from 50%. Below that it is uncertain, and the likeliest ports are named. */
export function likelihoodInWords(probability: number): string | undefined {
  const shown = Math.round(probability * 100);
  if (shown < 50) return undefined;
  if (shown < 70) return 'more likely than not';
  return shown < 90 ? 'likely' : 'very likely';
}

interface Candidate {
  port: Locode;
  probability: number;
}

/** `Norfolk or New York`. */
export const portNames = (next: readonly Candidate[]): string =>
  next.map(({ port }) => portName(port)).join(' or ');

/** `Rotterdam 82%`, `Undecided: Norfolk 51% or New York 47%`; not escaped. */
export function portsInWords(next: readonly Candidate[]): string {
  const ports = next.map(({ port, probability }) => `${portName(port)} ${percent(probability)}`).join(' or ');
  return next.length > 1 ? `Undecided: ${ports}` : ports;
}

/** `DS CYPRESS → Rotterdam 82%`, `DS CYPRESS · Undecided: Norfolk 51% or New York 47%`; not escaped. */
export const nextInWords = (name: string, next: readonly Candidate[]): string =>
  `${name} ${next.length > 1 ? '·' : '→'} ${portsInWords(next)}`;

/** The port that may be next instead: `Le Havre is likelier (77%)`, or `about as likely` if undecided; not escaped. */
export const rivalInWords = ({ rival, isLikelier }: { rival: Candidate; isLikelier: boolean }): string =>
  `${portName(rival.port)} is ${isLikelier ? 'likelier' : 'about as likely'} (${percent(rival.probability)})`;

/** The standard normal quantile for 95%. */
const z = 1.959963984540054;

/**
 * The 95% Wilson score interval of a share (Wilson 1927, without continuity correction), 0 to 1 each. Unlike the normal
 * approximation it holds for few cases, and for none or all of them. Of 0: from 0 to 1.
 */
export function wilsonInterval(count: number, of: number): { low: number; high: number } {
  if (of <= 0) return { low: 0, high: 1 };
  // A faulty report may count more than all.
  const share = Math.min(1, count / of);
  const scale = 1 + z ** 2 / of;
  const centre = (share + z ** 2 / (2 * of)) / scale;
  const half = (z / scale) * Math.sqrt((share * (1 - share)) / of + z ** 2 / (4 * of ** 2));
  // Rounding may leave 1e-17 where the bound is exactly 0 or 1.
  return {
    low: count <= 0 ? 0 : Math.max(0, centre - half),
    high: count >= of ? 1 : Math.min(1, centre + half),
  };
}

/** A vessel, with its name and its references if the workspace knows any. */
export interface KnownVessel {
  imo: Imo;
  name?: string;
  /** The newest first. They say whose cargo is on board, so only members see them. */
  references?: readonly string[];
}

/** For running text, not escaped: `DS CYPRESS`, else `IMO 9461477`. */
export const vesselShort = (vessel: KnownVessel): string => vesselName(vessel) ?? `IMO ${vessel.imo}`;

/** For a list, not escaped: `MSC DIANA (9755933)`. The service's numbers may have a wrong check digit. */
export function vesselListed(vessel: KnownVessel): string {
  const isValid = hasValidCheckDigit(vessel.imo);
  const name = vesselName(vessel);
  if (name === undefined) return `IMO ${vessel.imo}${isValid ? '' : ' (check digit wrong)'}`;
  return `${name} (${vessel.imo}${isValid ? '' : ', check digit wrong'})`;
}

const vesselName = ({ name }: KnownVessel): string | undefined =>
  name === undefined ? undefined : clip(name.toUpperCase(), 40);

/** Old references would drown an alert. */
const maxShown = 3;

/** The newest references of a vessel, not escaped: `BK123, MEDU4711, ACME and 2 more`. Empty without references. */
export function newestReferences(references: readonly string[]): string {
  const shown = references.slice(0, maxShown);
  const rest = references.length - shown.length;
  return `${joinWithin(shown, ', ', 130)}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** `Ref BK123, MEDU4711`, or nothing. Not escaped. */
export const referenceNote = (references: readonly string[]): string[] =>
  references.length === 0 ? [] : [`Ref ${newestReferences(references)}`];

/** What a cell has room for: three short ones, or the beginning of a long one. */
const maxInCell = 32;

/** For a column of references: `BK123, MEDU4711 +3`; in a line `Ref BK123, MEDU4711 and 3 more`. */
export function referencesInCell(
  references: readonly string[] = [],
): { inTable: string; inLine: string } | '' {
  const [first, ...others] = references.slice(0, maxShown);
  if (first === undefined) return '';
  let shown = clip(first, maxInCell);
  let rest = references.length - 1;
  for (const other of others) {
    if (`${shown}, ${other}`.length > maxInCell) break;
    shown = `${shown}, ${other}`;
    rest -= 1;
  }
  if (rest === 0) return { inTable: shown, inLine: `Ref ${shown}` };
  return { inTable: `${shown} +${rest}`, inLine: `Ref ${shown} and ${rest} more` };
}

/** All of them in a cell of a file, as the file for `vessel import` has them; undefined without any. */
export const referencesInFile = (references: readonly string[] = []): string | undefined =>
  references.join(' | ') || undefined;
