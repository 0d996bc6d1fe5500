import { UserError } from '../../errors.ts';
import { checkDifferent, formatPort } from '../../grammar/port.ts';
import { formatVesselGroup, type VesselGroup } from '../../grammar/vessel.ts';
import type { FinishedCall } from '../../predictions/stability.ts';
import type { Imo, Locode } from '../../reference/codes.ts';
import { foldTight } from '../../reference/nearest.ts';
import { samePort } from '../../reference/ports.ts';
import { sharedTool, variant } from '../command.ts';
import { type AskCtx, knownVessel } from '../ctx.ts';
import { optional, pageInput, portInput, vesselsInput } from '../fields.ts';
import { noWatches, privacyOf, readWatched, scopeOf } from '../history/index.ts';
import { filterHere, type ScopeFilter } from '../owned/scope.ts';
import { fleetsHere } from '../vessels/index.ts';
import { callsTable, type FoundCalls, stabilityAnswer, stabilityTable } from './answer.ts';
import { readFinishedCalls } from './finished-calls.ts';
import { formatStability, isOfWatched, type StabilitySubject, type StabilityValues } from './words.ts';

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
    if (about.kind === 'watched' && imos.length === 0) return noWatches(of);
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
  switch (of.kind) {
    case 'watched':
    case 'lane': {
      const all = await readWatched(ctx.services.store, filter);
      return { about: of, imos: [...new Set(all.flatMap(({ imos }) => imos))] };
    }
    case 'fleet': {
      const { name, imos } = await fleetsHere(ctx).get(of.name, (words) => `watch stability ${words}`);
      return { about: { kind: 'group', title: `Fleet ${name}` }, imos };
    }
    case 'list':
      return await findList(of.name, filter, ctx);
    case 'vessels': {
      const [imo, ...others] = of.imos;
      return others.length === 0
        ? { about: { kind: 'vessel', vessel: knownVessel(imo, ctx.vessels) }, imos: of.imos }
        : { about: { kind: 'group', title: `${of.imos.length} vessels` }, imos: of.imos };
    }
  }
}

/** A watched list, by its name as it is typed, or as the provider spells it. */
async function findList(typed: string, filter: ScopeFilter, { services }: AskCtx) {
  const lists = (await readWatched(services.store, filter)).flatMap(({ subject, imos }) =>
    subject.kind === 'shiplist' ? [{ name: subject.name, imos }] : [],
  );
  const list =
    lists.find(({ name }) => name === typed) ??
    lists.find(({ name }) => foldTight(name) === foldTight(typed));
  if (list) return { about: { kind: 'group' as const, title: `List ${list.name}` }, imos: list.imos };
  throw new UserError({
    code: 'unknown-list',
    message: `No list called ${typed} is watched here, so its calls aren't known.`,
    hint: 'Predictions are stored while a list or its vessels are watched.',
    choices: [
      { label: 'Watched vessels', line: lineHere },
      { label: 'List the watches', line: 'watch list' },
    ],
  });
}

interface Asked {
  vessel: VesselGroup | undefined;
  origin: Locode | undefined;
  destination: Locode | undefined;
  page: number;
}

export const stabilityTool = sharedTool<Asked>({
  name: 'watch_stability',
  title: 'How long predictions held',
  description:
    'For vessels that are watched: in how many of their past calls the likeliest port, 72, 48 and 24 hours before, was still the likeliest at the end, and how far the ETA moved. Of vessels, of a lane, or of all vessels that the person watches. It is no statement about accuracy, arrivals or the future.',
  needsSlack: true,
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
  checkDifferent({ origin, destination }, { line: (fixed) => fixed, example: 'NLRTM' });
  return { kind: 'lane', origin, destination };
}
