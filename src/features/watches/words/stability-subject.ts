import { UserError } from '../../../errors.ts';
import { quote, wordsError } from '../../../grammar/line-help.ts';
import {
  formatFleetName,
  formatListName,
  parseFleetName,
  parseListName,
} from '../../../grammar/list-name.ts';
import { readPort } from '../../../grammar/port.ts';
import { formatPortPair, parsePortPair } from '../../../grammar/port-pair.ts';
import { formatVessels, parseVessels, type VesselHelp } from '../../../grammar/vessel.ts';
import type { Imo } from '../../../reference/imo.ts';
import type { Locode } from '../../../reference/locode.ts';

/** Whose calls are asked about. A lane: those of the watched vessels between two ports. */
export type StabilitySubject =
  | { kind: 'watched' }
  | { kind: 'vessels'; imos: readonly [Imo, ...Imo[]] }
  | { kind: 'fleet'; name: string }
  | { kind: 'list'; name: string }
  | { kind: 'lane'; origin: Locode; destination: Locode };

export const stabilityHelp = [
  {
    typed: 'stability',
    help: 'of the vessels watched here: in how many calls the top port, 72, 48 and 24 h before, stayed on top to the end',
  },
  { typed: 'stability 9461477', help: 'of a vessel, call by call; also of `fleet:NORTH` or `list:FEEDERS`' },
  { typed: 'stability Rotterdam Hamburg', help: 'of the calls that the watched vessels made on this lane' },
] as const;

/** `` (the watched vessels), vessels, `fleet:NORTH`, `list:FEEDERS` or two ports. Throws UserError. */
export function parseStabilitySubject(typed: string, help: VesselHelp): StabilitySubject {
  const words = typed.replace(/^(?:of|for|on)\s+/i, '').trim();
  if (words === '') return { kind: 'watched' };
  const list = parseListName(words, help);
  if (list !== undefined) return { kind: 'list', name: list };
  const fleet = parseFleetName(words, help);
  if (fleet !== undefined) return { kind: 'fleet', name: fleet };
  const vessels = attempt(() => parseVessels(words, help));
  if (!(vessels instanceof UserError)) return { kind: 'vessels', imos: vessels };
  const lane = attempt(() => parsePortPair(words, help));
  if (!(lane instanceof UserError)) return { kind: 'lane', ...lane };
  if (vessels.code === 'unknown-vessel' && readPort(words).kind !== 'none') throw isPort(words, help);
  // Of two ports, a misspelt one has near names to offer; words that are like no port are a vessel that nobody knows.
  const isLikePorts = lane.code === 'same-port' || (lane.choices.length > 0 && vessels.choices.length === 0);
  throw isLikePorts ? lane : vessels;
}

function isPort(words: string, help: VesselHelp): UserError {
  const message = `${quote(words)} is a port. Stability is that of vessels, or of a lane between two ports.`;
  return wordsError('unexpected-words', message, help, {
    hint: 'For example: `/watch stability Rotterdam Hamburg`',
    choices: [{ label: 'All watched here', line: help.line('') }],
  });
}

function attempt<Value>(parse: () => Value): Value | UserError {
  try {
    return parse();
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
}

export function formatStabilitySubject(subject: StabilitySubject): string {
  switch (subject.kind) {
    case 'watched':
      return '';
    case 'vessels':
      return formatVessels(subject.imos);
    case 'fleet':
      return formatFleetName(subject.name);
    case 'list':
      return formatListName(subject.name);
    case 'lane':
      return formatPortPair(subject);
  }
}
