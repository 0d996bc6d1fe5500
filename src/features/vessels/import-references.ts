import { createYieldToEventLoop } from '../../database/batches.ts';
import {
  meaningFault,
  type NamedVessel,
  overlapFault,
  type ReferenceOf,
  referenceKey,
  runsOf,
  type VesselDirectory,
} from '../../grammar/vessel-directory.ts';
import type { Imo } from '../../reference/codes.ts';
import type { AskCtx } from '../ctx.ts';
import type { VesselRow } from './vessel-csv.ts';
import { type ReferenceChange, referenceLimits } from './vessel-references.ts';

/** A workspace can't have more, so no more are looked at. */
const maxRead = referenceLimits.references;

/**
 * The new references of each vessel; names of the file count already. `refused` can't be references: `fault` is a clause
 * after them; `unread` is the number of those past the limit. Lets other work run in between, and ends with the command's
 * deadline.
 */
export async function groupReferences(
  rows: readonly VesselRow[],
  named: readonly NamedVessel[],
  { vessels: stored, signal }: Pick<AskCtx, 'vessels' | 'signal'>,
) {
  const turn = createYieldToEventLoop();
  const pause = async () => {
    await turn();
    signal.throwIfAborted();
  };
  const typed = await newReferences(rows, stored, pause);
  const directory = named.length > 0 ? stored.withChanges({ named }) : stored;
  const refused: (ReferenceOf & { fault: string })[] = [];
  const candidates: ReferenceOf[] = [];
  for (const { imo, reference } of typed.slice(0, maxRead)) {
    await pause();
    const fault = meaningFault(reference, imo, directory);
    if (fault === undefined) candidates.push({ imo, reference });
    else refused.push({ imo, reference, fault });
  }
  const others = await withOthers(candidates, directory, pause);
  const added = new Map<Imo, string[]>();
  for (const { imo, reference } of candidates) {
    await pause();
    const fault = overlapFault(reference, imo, others);
    const list = added.get(imo) ?? [];
    if (fault !== undefined) refused.push({ imo, reference, fault });
    else list.push(reference);
    if (list.length > 0) added.set(imo, list);
  }
  const references = [...added].map(([imo, texts]): ReferenceChange => ({ imo, added: texts }));
  return { references, refused, unread: Math.max(0, typed.length - maxRead) };
}

type Pause = () => Promise<void>;

/** Those that the vessel doesn't have yet, each once. */
async function newReferences(
  rows: readonly VesselRow[],
  stored: VesselDirectory,
  pause: Pause,
): Promise<ReferenceOf[]> {
  const keysOf = new Map<Imo, Set<string>>();
  const found: ReferenceOf[] = [];
  for (const { imo, references } of rows) {
    await pause();
    const keys = keysOf.get(imo) ?? new Set(stored.referencesOf(imo).map(referenceKey));
    keysOf.set(imo, keys);
    for (const reference of references) {
      const key = referenceKey(reference);
      if (!keys.has(key)) found.push({ imo, reference });
      keys.add(key);
    }
  }
  return found;
}

/** The stored references and the new ones. To find the longer ones of each, all are read once, not once for each. */
async function withOthers(
  candidates: readonly ReferenceOf[],
  directory: VesselDirectory,
  pause: Pause,
): Promise<Pick<VesselDirectory, 'referenced' | 'referencesWith'>> {
  const byVessel = Map.groupBy(candidates, ({ imo }) => imo);
  const changes = [...byVessel].map(([imo, list]) => {
    const texts = list.map(({ reference }) => reference);
    return [imo, [...texts, ...directory.referencesOf(imo)]] as const;
  });
  const all = directory.withChanges({ references: new Map(changes) });
  const wanted = new Set(candidates.map(({ reference }) => referenceKey(reference)));
  const longer = new Map<string, ReferenceOf[]>();
  for (const imo of all.withReferences()) {
    for (const reference of all.referencesOf(imo)) {
      await pause();
      for (const key of runsOf(reference).map(referenceKey)) {
        const known = longer.get(key) ?? [];
        // Two vessels are enough: one of them is another than the one that is asked about.
        if (wanted.has(key) && known.length < 2 && known[0]?.imo !== imo)
          longer.set(key, [...known, { imo, reference }]);
      }
    }
  }
  return { referenced: all.referenced, referencesWith: (text) => longer.get(referenceKey(text)) ?? [] };
}
