import { type DateWords, formatDue } from '../../grammar/due.ts';
import { formatPage, joinWords, type LineHelp, quote, takeExport, wordsError } from '../../grammar/line.ts';
import { findNumbers, formatFleetName, formatVessels } from '../../grammar/vessel.ts';
import { type NamedVessel, nameFault } from '../../grammar/vessel-directory.ts';
import type { VesselDue } from '../../predictions/promises.ts';
import type { Imo } from '../../reference/codes.ts';
import { dueText } from '../rules/index.ts';

/** At least one. */
export type Imos = readonly [Imo, ...Imo[]];

export type FleetChange = { name: string } & (
  | { change: 'add' | 'remove'; imos: Imos }
  | { change: 'forget'; imos?: undefined }
);

export interface ReferencesChange {
  imo: Imo;
  change: 'add' | 'remove' | 'forget';
  /** Empty for all. */
  references: readonly string[];
  /** What is promised of each of them, or no longer promised; without a port, at that of its only promise. */
  dates?: readonly DateWords[];
}

/** Changes of one vessel's references that have dates of their own. */
export interface SeveralReferencesChange {
  imo: Imo;
  parts: readonly Omit<ReferencesChange, 'imo'>[];
}

export const vesselExample = 'vessel name 9461477 DS CYPRESS';
export const fleetExample = 'vessel fleet NORTH add 9461477, 9755933';
export const referenceExample = 'vessel ref 9461477 BK123';
export const promiseExample = 'vessel ref 9461477 BK123 due NLRTM friday 18:00';

/** Puts the name into quotes if it would otherwise be parsed as something else. */
export function formatName({ imo, name }: NamedVessel): string {
  const isPlain =
    /^[A-Z0-9](?:[A-Z0-9 '&-]*[A-Z0-9])?$/.test(name) &&
    !/^AS |(?:^| )(?:PUBLIC|PRIVATE)$/.test(name) &&
    takeExport(name).format === undefined;
  return `vessel name ${imo} ${isPlain ? name : `"${name}"`}`;
}

/** A typed name, with or without quotes. `whose`: the vessel, for the question if there is none. Throws UserError. */
export function readName(typed: string, whose: string, help: LineHelp): string {
  const name = typed
    .replace(/^(["'])(.*)\1$/, '$2')
    .trim()
    // `M/V EMMA MAERSK`, as documents write it.
    .replace(/^m(?:\/v|\.v\.)\s+(?=\S)/i, '');
  const [other] = findNumbers(name);
  const fault =
    other === undefined ? nameFault(name) : `it has the IMO number ${other}. Name one vessel at a time`;
  if (fault === undefined) return name.toUpperCase();
  if (name === '') throw wordsError('missing-argument', `What should ${whose} be called?`, help);
  throw wordsError('unexpected-words', `${quote(name)} can't be a name: ${fault}.`, help);
}

export const formatForget = (imos: Imos): string => `vessel forget ${formatVessels(imos)}`;

export const formatList = (kind: 'list' | 'export' | 'fleets', page = 1): string =>
  joinWords('vessel', kind, formatPage(page));

export const formatFleet = (name: string): string =>
  `vessel fleet ${formatFleetName(name).replace(/^fleet:/, '')}`;

export const formatFleetChange = ({ name, change, imos }: FleetChange): string =>
  joinWords(formatFleet(name), change, imos && formatVessels(imos));

export const formatReferences = (imo: Imo): string => `vessel ref ${imo}`;

/** The line that removes a promise, or makes it again. */
export const formatPromise = (change: 'add' | 'remove', { imo, due }: VesselDue, now: Date): string =>
  joinWords(formatReferences(imo), change, due.reference, 'due', dueText(due, now));

export const formatReferencesChange = ({ imo, ...change }: ReferencesChange): string =>
  formatSeveralReferences({ imo, parts: [change] });

/** `vessel ref 9461477 add BK-1 due NLRTM 7 dec; add BK-2`. */
export const formatSeveralReferences = ({ imo, parts }: SeveralReferencesChange): string =>
  joinWords(
    formatReferences(imo),
    parts
      .map(({ change, references, dates = [] }) =>
        joinWords(change, references.join(', '), ...dates.map(formatDue)),
      )
      .join('; '),
  );
