import { attempt, UserError } from '../../errors.ts';
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
import {
  checkDifferent,
  expandPorts,
  formatPort,
  formatPortPair,
  type PortHelp,
  parsePortPair,
  readPort,
} from '../../grammar/port.ts';
import { formatVesselGroup, parseNamedGroup, parseVessels } from '../../grammar/vessel.ts';
import type { VesselHelp } from '../../grammar/vessel-help.ts';
import type { FinishedCall, Lane } from '../../predictions/stability.ts';
import { type Imo, isPortGroup, type PortOrGroup, type VesselGroup } from '../../reference/codes.ts';
import { portName, samePort } from '../../reference/ports.ts';
import { sharedTool, variant } from '../command.ts';
import { type AskCtx, knownVessel, type ParseContext, vesselHelp } from '../ctx.ts';
import { optional, pageInput, portInput, vesselsInput } from '../fields.ts';
import {
  checkScope,
  formatScope,
  noWatches,
  privacyOf,
  readWatched,
  type Scoped,
  scopeOf,
  scopeOption,
} from '../history/index.ts';
import { filterHere, type ScopeFilter } from '../scope.ts';
import {
  callsTable,
  type FoundCalls,
  outcomeOf,
  stabilityAnswer,
  stabilityOutcome,
  stabilityTable,
} from './answer.ts';
import { readFinishedCalls } from './calls.ts';
import { findGroup } from './group.ts';

/** Whose calls are asked about. A lane: those of the watched vessels between two ports. */
type StabilitySubject = VesselGroup | { kind: 'watched' } | ({ kind: 'lane' } & Lane);

/** The scope is that of the watched vessels, also for a lane. Other subjects have the scope `channel`, and no channel. */
interface StabilityValues extends Scoped {
  of: StabilitySubject;
  page: number;
}

const isOfWatched = ({ kind }: StabilitySubject): boolean => kind === 'watched' || kind === 'lane';

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
export function parseStability(words: string, context: ParseContext): StabilityValues {
  const options = { page: pageOption, channel: channelOption, scope: scopeOption };
  const { rest, values, help: lineHelp } = scanOptions(words, options, help);
  const { page = 1, channel: channelId, scope = 'channel' } = values;
  const of = readSubject(rest, { ...lineHelp, ...vesselHelp(context) });
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
  const groups = lineHelp.vessels;
  const lane = attempt(() =>
    betweenPorts(parsePortPair(words, { ...lineHelp, groups }), { ...lineHelp, groups }),
  );
  if (!(lane instanceof UserError)) return { kind: 'lane', ...lane };
  if (vessels.code === 'unknown-vessel' && readPort(words).kind !== 'none') throw isPort(words, lineHelp);
  // Of two ports, a misspelt one has near names to offer; words that are like no port are a vessel that nobody knows.
  const isLikePorts = lane.code === 'same-port' || (lane.choices.length > 0 && vessels.choices.length === 0);
  throw isLikePorts ? lane : vessels;
}

/** Throws UserError for a group of ports. */
function betweenPorts(lane: { origin: PortOrGroup; destination: PortOrGroup }, help: PortHelp): Lane {
  const { origin, destination } = lane;
  if (!isPortGroup(origin) && !isPortGroup(destination)) return { origin, destination };
  const portsOf = (side: PortOrGroup) => expandPorts([side], help).slice(0, maxEnds);
  const lanes = portsOf(origin).flatMap((from) => portsOf(destination).map((to) => [from, to] as const));
  throw wordsError(
    'too-many-ports',
    'Stability is that of one lane, not of groups of ports. Which one?',
    help,
    {
      choices: lanes.map(([from, to]) => ({
        label: `${portName(from)} → ${portName(to)}`,
        line: help.line(formatPortPair({ origin: from, destination: to })),
      })),
    },
  );
}

/** As many lanes as one has time to choose from. */
const maxEnds = 3;

function isPort(words: string, lineHelp: VesselHelp): UserError {
  const message = `${quote(words)} is a port. Stability is that of vessels, or of a lane between two ports.`;
  return wordsError('unexpected-words', message, lineHelp, {
    hint: 'For example: `/watch stability Rotterdam Hamburg`',
    choices: [{ label: 'All watched here', line: lineHelp.line('') }],
  });
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

const formatStability = ({ of, scope, channelId, page }: StabilityValues): string =>
  joinWords(
    'watch stability',
    formatSubject(of),
    formatScope(scope),
    formatChannel(channelId),
    formatPage(page),
  );

/** How much the predictions for watched vessels changed until each call ended. */
export const stability = variant<StabilityValues>({
  format: formatStability,
  title: (values) => formatStability(values).replace('watch ', ''),
  fields({ of, scope, channelId, page }) {
    if (scope === 'all' || channelId !== undefined) return undefined;
    const onPage = page > 1 && { page };
    if (of.kind === 'watched') return { ...onPage };
    if (of.kind !== 'lane') return { vessel: formatVesselGroup(of), ...onPage };
    return { origin: formatPort(of.origin), destination: formatPort(of.destination), ...onPage };
  },
  effect: 'reads',
  privacy: privacyOf,
  of: 'place',
  tables: [callsTable, stabilityTable],
  async run(values, ctx) {
    const { scope, filter } = isOfWatched(values.of)
      ? await scopeOf(values, ctx)
      : { scope: values.scope, filter: await filterHere(ctx) };
    const of = { scope, channelId: values.channelId };
    const { about, imos } = await find(values.of, filter, ctx);
    if (about.kind === 'watched' && imos.length === 0)
      return { ...noWatches(of, ctx.registry), outcome: outcomeOf([]) };
    const calls = await readFinishedCalls(ctx.services.store, { imos, filter });
    const found = {
      ...of,
      about,
      calls: calls
        .filter(isAbout(about))
        .map((call) => ({ ...call, vessel: knownVessel(call.imo, ctx.vessels) })),
    };
    return stabilityAnswer(found, { now: ctx.now(), page: values.page, here: lineHere });
  },
});

const watched: StabilityValues = { of: { kind: 'watched' }, scope: 'channel', page: 1 };
const lineHere = formatStability(watched);

const isAbout =
  (about: FoundCalls['about']) =>
  ({ previousPort, port }: FinishedCall): boolean =>
    about.kind !== 'lane' ||
    (previousPort !== null && samePort(previousPort, about.origin) && samePort(port, about.destination));

async function find(
  of: StabilitySubject,
  filter: ScopeFilter,
  ctx: AskCtx,
): Promise<Pick<FoundCalls, 'about'> & { imos: readonly Imo[] }> {
  if (of.kind === 'watched' || of.kind === 'lane') {
    const all = await readWatched(ctx.services.store, filter);
    return { about: of, imos: [...new Set(all.flatMap(({ imos }) => imos))] };
  }
  const { title, imos } = await findGroup(
    of,
    { filter, lineOf: (words) => joinWords('watch stability', words) },
    ctx,
  );
  const [imo, ...others] = imos;
  return of.kind === 'vessels' && imo !== undefined && others.length === 0
    ? { about: { kind: 'vessel', vessel: knownVessel(imo, ctx.vessels) }, imos }
    : { about: { kind: 'group', title }, imos };
}

interface Asked {
  vessel: VesselGroup | undefined;
  origin: PortOrGroup | undefined;
  destination: PortOrGroup | undefined;
  page: number;
}

export const stabilityTool = sharedTool<Asked>({
  name: 'watch_stability',
  title: 'How long predictions held',
  description:
    'For vessels that are watched: in how many of their past calls the likeliest port, 72, 48 and 24 hours before, was still the likeliest at the end, and how far the ETA moved. Of vessels, of a lane, or of all vessels that the person watches. It is no statement about accuracy, arrivals or the future.',
  needsSlack: true,
  outcome: stabilityOutcome,
  input: {
    vessel: optional(
      vesselsInput(
        'Vessels by IMO number, name or reference, separated by commas; or a fleet as fleet:NAME, or a watched list as list:NAME. Left out: all vessels that the person watches',
        ['9461477', 'MSC DIANA', 'fleet:NORTH'],
      ),
    ),
    origin: optional(
      portInput(
        ['NLRTM', 'Rotterdam'],
        'In place of vessels, with `destination`: a lane that watched vessels sailed; a port by UN/LOCODE or name',
      ),
    ),
    destination: optional(portInput(['DEHAM', 'Hamburg'], 'The other end of the lane')),
    page: pageInput,
  },
  variants: [stability],
  // The figures of vessels that are named come from all watches that the person may list.
  lineOf: ({ page, ...asked }) =>
    stability.of({ of: subjectOf(asked), scope: asked.vessel ? 'channel' : 'mine', page }),
});

/** Throws UserError. */
function subjectOf({ vessel, origin, destination }: Omit<Asked, 'page'>): StabilitySubject {
  if (vessel ? origin || destination : !origin !== !destination)
    throw new UserError({
      code: 'missing-argument',
      message: 'Stability is that of vessels, or of a lane between two ports.',
      hint: 'Give either `vessel`, or `origin` and `destination`, or none of them for all vessels that the person watches.',
    });
  if (!origin || !destination) return vessel ?? { kind: 'watched' };
  const noLine = { line: (fixed: string) => fixed, example: 'NLRTM' };
  checkDifferent({ origin, destination }, noLine);
  return { kind: 'lane', ...betweenPorts({ origin, destination }, noLine) };
}
