import { UserError } from '../../errors.ts';
import {
  channelOption,
  formatChannel,
  formatPage,
  joinWords,
  pageOption,
  quote,
  scanOptions,
  wordsError,
} from '../../grammar/line.ts';
import { formatPortPair, parsePortPair, readPort } from '../../grammar/port.ts';
import {
  formatVesselGroup,
  parseNamedGroup,
  parseVessels,
  type VesselGroup,
  type VesselHelp,
} from '../../grammar/vessel.ts';
import type { Lane } from '../../predictions/stability.ts';
import type { ParseContext } from '../ctx.ts';
import { checkScope, formatScope, type Scoped, scopeOption } from '../history/index.ts';

/** Whose calls are asked about. A lane: those of the watched vessels between two ports. */
export type StabilitySubject = VesselGroup | { kind: 'watched' } | ({ kind: 'lane' } & Lane);

/** The scope is that of the watched vessels, also for a lane. Other subjects have the scope `channel`, and no channel. */
export interface StabilityValues extends Scoped {
  of: StabilitySubject;
  page: number;
}

export const isOfWatched = ({ kind }: StabilitySubject): boolean => kind === 'watched' || kind === 'lane';

export const stabilityHelp = [
  {
    typed: 'stability',
    help: 'of the vessels watched here: in how many calls the top port, 72, 48 and 24 h before, stayed on top to the end',
  },
  { typed: 'stability 9461477', help: 'of a vessel, call by call; also of “fleet:NORTH” or “list:FEEDERS”' },
  { typed: 'stability Rotterdam Hamburg', help: 'of the calls that the watched vessels made on this lane' },
] as const;

const help = { command: 'watch stability', example: 'watch stability 9461477' };

/** The words after `watch stability`: `Rotterdam Hamburg mine`, `9461477 page 2`. Throws UserError. */
export function parseStability(words: string, { vessels }: ParseContext): StabilityValues {
  const options = { page: pageOption, channel: channelOption, scope: scopeOption };
  const { rest, values, help: lineHelp } = scanOptions(words, options, help);
  const { page = 1, channel: channelId, scope = 'channel' } = values;
  const of = readSubject(rest, { ...lineHelp, vessels });
  const asked: StabilityValues = { of, scope, page, channelId };
  checkScope(asked, lineHelp, formatStability);
  if (isOfWatched(of) || (scope === 'channel' && channelId === undefined)) return asked;
  const line = formatStability({ ...asked, scope: 'channel', channelId: undefined });
  const message = 'The figures of vessels that you name are those of the watches here.';
  throw wordsError('unexpected-words', message, lineHelp, { choices: [{ label: line, line }] });
}

/** `` (the watched vessels), vessels, `fleet:NORTH`, `list:FEEDERS` or two ports. Throws UserError. */
function readSubject(typed: string, lineHelp: VesselHelp): StabilitySubject {
  const words = typed.replace(/^(?:of|for|on)\s+/i, '').trim();
  if (words === '') return { kind: 'watched' };
  const group = parseNamedGroup(words, lineHelp);
  if (group) return group;
  const vessels = attempt(() => parseVessels(words, lineHelp));
  if (!(vessels instanceof UserError)) return { kind: 'vessels', imos: vessels };
  const lane = attempt(() => parsePortPair(words, lineHelp));
  if (!(lane instanceof UserError)) return { kind: 'lane', ...lane };
  if (vessels.code === 'unknown-vessel' && readPort(words).kind !== 'none') throw isPort(words, lineHelp);
  // Of two ports, a misspelt one has near names to offer; words that are like no port are a vessel that nobody knows.
  const isLikePorts = lane.code === 'same-port' || (lane.choices.length > 0 && vessels.choices.length === 0);
  throw isLikePorts ? lane : vessels;
}

function isPort(words: string, lineHelp: VesselHelp): UserError {
  const message = `${quote(words)} is a port. Stability is that of vessels, or of a lane between two ports.`;
  return wordsError('unexpected-words', message, lineHelp, {
    hint: 'For example: `/watch stability Rotterdam Hamburg`',
    choices: [{ label: 'All watched here', line: lineHelp.line('') }],
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

function formatSubject(subject: StabilitySubject): string {
  switch (subject.kind) {
    case 'watched':
      return '';
    case 'lane':
      return formatPortPair(subject);
    default:
      return formatVesselGroup(subject);
  }
}

export const formatStability = ({ of, scope, channelId, page }: StabilityValues): string =>
  joinWords(
    'watch stability',
    formatSubject(of),
    formatScope(scope),
    formatChannel(channelId),
    formatPage(page),
  );
