import { callsAt, type Intent, nextPortsOf } from '../../answers/answer.ts';
import { vesselShort } from '../../answers/formatting/words.ts';
import type { Imo, PortOrGroup } from '../../reference/codes.ts';
import { portName } from '../../reference/ports.ts';
import { listedVessels } from '../cards/index.ts';
import { type AskCtx, knownVessel, offer } from '../ctx.ts';
import type { Prompt } from '../feature.ts';
import { findInScope, targetOf, type WatchWithSubjects, watchedPort } from '../polling/index.ts';

/** More than one person's watches, in all likelihood. */
const maxRead = 500;
const maxVessels = 2;

/** Questions about what the person watches: the vessels that are due next, a port, and what changed. */
export async function watchPrompts(ctx: AskCtx): Promise<Prompt[]> {
  const { watches } = await findInScope('mine', ctx, { limit: maxRead, withLatest: true });
  return promptsOf(watches, ctx);
}

interface PromptCtx extends Pick<AskCtx, 'vessels' | 'now'> {
  registry: Pick<AskCtx['registry'], 'lineOf'>;
}

export function promptsOf(watches: readonly WatchWithSubjects[], ctx: PromptCtx): Prompt[] {
  const current = watches.filter(({ status }) => status !== 'ended');
  if (current.length === 0) return [];
  return [
    ...vesselsByEta(current, ctx.now())
      .slice(0, maxVessels)
      .flatMap((imo) =>
        prompt(`Where is ${vesselShort(knownVessel(imo, ctx.vessels))}?`, nextPortsOf(imo), ctx),
      ),
    ...portsOf(current)
      .slice(0, 1)
      .flatMap((port) => prompt(`Who is coming to ${portName(port)}?`, callsAt(port), ctx)),
    { title: 'What changed today?', line: 'watch changes' },
  ];
}

const prompt = (title: string, intent: Intent, { registry }: PromptCtx): Prompt[] =>
  offer(title, intent, registry).map(({ line }) => ({ title, line }));

/** First those that are yet to come, the earliest first; then those whose ETA has passed or isn't known. */
function vesselsByEta(watches: readonly WatchWithSubjects[], now: Date): Imo[] {
  const waitOf = (eta: Date | null | undefined): number =>
    eta && eta >= now ? eta.getTime() - now.getTime() : Number.MAX_SAFE_INTEGER;
  const vessels = watches
    .flatMap(vesselsOf)
    .map(({ imo, eta }) => ({ imo, wait: waitOf(eta) }))
    .sort((one, other) => one.wait - other.wait);
  return [...new Set(vessels.map(({ imo }) => imo))];
}

/** Of a watch of some vessels at a port, without their ETAs at other ports. */
const vesselsOf = (watch: WatchWithSubjects): { imo: Imo; eta?: Date | null | undefined }[] =>
  watch.condition?.imos?.map((imo) => ({ imo })) ?? listedVessels(watch);

const portsOf = (watches: readonly WatchWithSubjects[]): PortOrGroup[] => [
  ...new Set(watches.flatMap((watch) => (watch.condition?.imos ? [] : (watchedPort(targetOf(watch)) ?? [])))),
];
