import { attempt, UserError } from '../../errors.ts';
import { joinWords, type LineHelp, quote, wordsError } from '../../grammar/line.ts';
import { formatPorts, parsePorts, portWords, readPort } from '../../grammar/port.ts';
import { formatVesselGroup, parseVesselGroup } from '../../grammar/vessel.ts';
import type { VesselHelp } from '../../grammar/vessel-help.ts';
import type { PortOrGroup, VesselGroup } from '../../reference/codes.ts';
import { isKnownPort } from '../../reference/ports.ts';
import { parseSince, readSince, type Since } from './since.ts';

/** Whose changes are asked about. */
export type About = { kind: 'all' } | VesselGroup | AtPorts;

interface AtPorts {
  kind: 'ports';
  ports: readonly [PortOrGroup, ...PortOrGroup[]];
}

export const everything: About = { kind: 'all' };

export function formatAbout(about: About): string {
  switch (about.kind) {
    case 'all':
      return '';
    case 'ports':
      return `at ${formatPorts(about.ports)}`;
    default:
      return `of ${formatVesselGroup(about)}`;
  }
}

/** `at Antwerp since yesterday`, `overnight EVER GIVEN`, `since monday`; without a time: since midnight. Throws UserError. */
export function parseAboutSince(words: string, help: VesselHelp): { about: About; since: Since } {
  const typed = words.trim();
  const since = readSince(typed, help);
  if (since) return { about: everything, since };
  const whole = readAbout(typed, help);
  // The name of a group may end in any words.
  if (whole && !isNamedGroup(whole)) return { about: whole, since: parseSince('', help) };
  for (const { subject, time } of splitsOf(typed, help)) {
    const about = readAbout(subject, help);
    const lineHelp = {
      ...help,
      line: (fixed: string) => help.line(joinWords(about && formatAbout(about), fixed)),
    };
    if (about) return { about, since: parseSince(time, lineHelp) };
  }
  if (whole) return { about: whole, since: parseSince('', help) };
  throw unreadable(typed, help);
}

const isNamedGroup = ({ kind }: About): boolean => kind === 'fleet' || kind === 'list';

const maxTimeWords = 8;

/** A time at the end or at the beginning, and the other words; the longest times first. */
function splitsOf(typed: string, help: LineHelp): { subject: string; time: string }[] {
  const words = typed.split(' ');
  const counts = Array.from(
    { length: Math.min(maxTimeWords, words.length - 1) },
    (_, at) => at + 1,
  ).reverse();
  const splits = counts.flatMap((count) => [
    { subject: words.slice(0, -count).join(' '), time: words.slice(-count).join(' ') },
    { subject: words.slice(count).join(' '), time: words.slice(0, count).join(' ') },
  ]);
  return splits.filter(({ time }) => attempt(() => readSince(time, help)) !== undefined);
}

const preposition =
  /^(?:(?:of|for|on|with|to|about|regarding)|(at|in|around|near|(?:at |in |of |for )?(?:the )?port(?: of)?))(?: |$)/i;

/** `all our vessels`, `the watched ports`. */
const allWatched =
  /^(?:(?:all|any)(?: of)? )?(?:(?:our|my|the|these|those) )?(?:watched )?(?:ships|vessels|boats|ports|watches|fleet)$/i;

/** `the LA/LB line-up`, which isn't one of the provider's lists. */
const lineUp = /^(?:(?:the|our) )?(.+?) (?:line-?up|list|schedule|arrivals|calls)$/i;

/** Vessels win over a port of the same name, unless the words say that it is a port. */
function readAbout(typed: string, help: VesselHelp): About | undefined {
  const [, place] = preposition.exec(typed) ?? [];
  const words = typed.replace(preposition, '');
  const [, port = words] = lineUp.exec(words) ?? [];
  const ports = readKnownPorts(port, place, help);
  if (ports && (place !== undefined || port !== words)) return ports;
  const vessels = attempt(() => parseVesselGroup(words, help));
  if (!(vessels instanceof UserError)) return vessels;
  return allWatched.test(words) ? everything : ports;
}

/** Any word of five letters has the shape of a UN/LOCODE: in `changes stuff`, stuff isn't a port. */
function readKnownPorts(words: string, place: string | undefined, help: VesselHelp): AtPorts | undefined {
  const groups = help.vessels;
  const isMeant = (piece: string): boolean => {
    const read = readPort(piece, groups);
    if (!('port' in read)) return false;
    return isKnownPort(read.port) || place !== undefined || piece === piece.toUpperCase();
  };
  const pieces = portWords(words);
  if (pieces.length === 0 || !pieces.every(isMeant)) return undefined;
  const ports = attempt(() => parsePorts(words, { ...help, groups }));
  return ports instanceof UserError ? undefined : { kind: 'ports', ports };
}

/** The error about what is nearest: a time, ports or vessels. */
function unreadable(typed: string, help: VesselHelp): UserError {
  if (/^(?:since|from|last|past)\b/i.test(typed))
    return refusal(() => parseSince(typed, help)) ?? unknown(typed, help);
  const { subject, time = '' } = splitsOf(typed, help)[0] ?? { subject: typed };
  const [, place] = preposition.exec(subject) ?? [];
  const words = subject.replace(preposition, '');
  const helpFor = (before: string) => ({
    ...help,
    line: (fixed: string) => help.line(joinWords(before, fixed, time)),
  });
  const both = vesselsOrPort(subject, { ...help, line: helpFor('').line });
  if (both) return both;
  const ofPort = refusal(() => parsePorts(words, { ...helpFor('at'), groups: help.vessels }));
  const ofVessels = refusal(() => parseVesselGroup(words, helpFor('of')));
  // Whatever is called a port or a vessel is one, misspelt or not.
  if (place !== undefined && ofPort) return ofPort;
  if (/^of\b/i.test(subject) && ofVessels) return ofVessels;
  const isDecisive = ({ code, choices }: UserError) => code !== 'unknown-vessel' || choices.length > 0;
  const ofMisspeltPort = ofPort && (ofPort.correction ?? ofPort.code !== 'unknown-port') ? ofPort : undefined;
  return [ofVessels, ofMisspeltPort].find((error) => error && isDecisive(error)) ?? unknown(words, help);
}

/** For `EVER GIVEN at Antwerp`. */
function vesselsOrPort(subject: string, help: VesselHelp): UserError | undefined {
  const [, before = '', place = ''] = /^(.+?) (?:at|in) (.+)$/i.exec(subject) ?? [];
  const [vessels, ports] = [readAbout(before, help), readAbout(`at ${place}`, help)];
  if (!vessels || vessels.kind === 'all' || ports?.kind !== 'ports') return undefined;
  const message = 'You can ask for the changes of vessels, or at ports.';
  return wordsError('unexpected-words', message, help, { fixes: [vessels, ports].map(formatAbout) });
}

const unknown = (words: string, help: LineHelp): UserError =>
  wordsError('unexpected-words', `${quote(words)} isn't a vessel, a port or a time that I know.`, help, {
    hint: 'Write it like “of 9461477”, “at Rotterdam”, “since monday” or “12h”.',
    fixes: ['since yesterday', 'last 3 days'],
  });

function refusal(parse: () => unknown): UserError | undefined {
  const result = attempt(parse);
  return result instanceof UserError ? result : undefined;
}
