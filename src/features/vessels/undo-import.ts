import type { Answer } from '../../answers/answer.ts';
import { clip } from '../../answers/message.ts';
import { present } from '../../answers/text.ts';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import { fleetKey } from '../../grammar/vessel.ts';
import { referenceKey } from '../../grammar/vessel-directory.ts';
import type { VesselDue } from '../../predictions/promises.ts';
import type { Imo } from '../../reference/codes.ts';
import type { Change } from '../../workspaces/audit.ts';
import { replyTo } from '../command.ts';
import { type AskCtx, changeBy } from '../ctx.ts';
import type { Action } from '../feature.ts';
import { removeMembers } from '../fleets/index.ts';
import { type AddedPromise, addPromises, callOf, readPromises, removePromises } from '../promises/index.ts';
import { undoImportId } from './import-answer.ts';
import { firstFew, importedInWords, promiseInWords } from './import-words.ts';
import { namesButton } from './name-answers.ts';
import { type ImportUndo, takeUndo } from './pending-imports.ts';
import { changeNames, readDirectory, revertNames } from './vessel-names.ts';
import { changeReferences, type ReferenceChange } from './vessel-references.ts';

/** Removes what an import has added, and restores what it replaced. What was changed since stays. */
export const undoImport: Action = {
  id: undoImportId,
  replacesMessage: true,
  async run(id, ctx) {
    const undone = await undo(id, ctx);
    const words = { vessels: await readDirectory(ctx), now: ctx.now() };
    const promises = undone.promises.map((promise) => promiseInWords(promise, words));
    return replyTo(undoneAnswer({ ...undone, promises }), ctx);
  },
};

interface Counts {
  names: number;
  references: number;
  fleets: number;
  promises: number;
}

interface Undone {
  source: string;
  removed: Counts;
  restored: Pick<Counts, 'names' | 'promises'>;
  /** The promises that are back. */
  promises: readonly VesselDue[];
  /** What was changed since. */
  left: Pick<Counts, 'names' | 'references'>;
}

async function undo(id: string, ctx: AskCtx): Promise<Undone> {
  const by = changeBy(ctx);
  const { undone } = await changeNames(by, ctx, async (transaction, record, note) => {
    const { source, names, references, fleets, promises } = await takeUndo(transaction, id, by);
    const { saved, forgotten } = await revertNames(transaction, names, by);
    const ofPromises = await revertPromises(transaction, promises, { by, ctx });
    const removals = await withoutPromised(transaction, references);
    const { changed } = await changeReferences(transaction, removals, { by, storesWhatFits: true });
    const gone = changed.reduce((sum, { removed }) => sum + removed.length, 0);
    await note([{ action: 'vessel.undo', subject: source }]);
    let emptied = 0;
    for (const { name, added } of fleets.toSorted(byKey)) {
      const { vessels } = await removeMembers(transaction, { name, imos: added }, { by, record }, ctx);
      emptied += Math.sign(vessels);
    }
    const counts: Undone = {
      source,
      removed: {
        names: forgotten.length,
        references: gone,
        fleets: emptied,
        promises: ofPromises.removed,
      },
      restored: { names: saved.length, promises: ofPromises.restored.length },
      promises: ofPromises.restored,
      left: {
        names: names.length - forgotten.length - saved.length,
        references: references.reduce((sum, { added }) => sum + added.length, 0) - gone,
      },
    };
    return { saved, forgotten, references: changed, undone: counts };
  });
  return undone;
}

const byKey = (one: { name: string }, other: { name: string }): number =>
  fleetKey(one.name) < fleetKey(other.name) ? -1 : 1;

/** Removes those that are still there, and restores what they replaced. */
async function revertPromises(
  transaction: WorkspaceStore,
  { added, replaced }: ImportUndo['promises'],
  { by, ctx }: { by: Change; ctx: AskCtx },
): Promise<{ removed: number; restored: AddedPromise[] }> {
  const ids = new Set(added.map(({ id }) => id));
  const stored = await readPromises(transaction, { imos: added.map(({ imo }) => imo) });
  const still = stored.filter(({ id }) => ids.has(id));
  await removePromises(
    transaction,
    still.map(({ id }) => id),
  );
  const calls = new Set(still.map(callOf));
  const before = Map.groupBy(
    replaced.filter((promise) => calls.has(callOf(promise))),
    ({ ownerId }) => ownerId,
  );
  const restored: AddedPromise[] = [];
  for (const [ownerId, own] of before) {
    restored.push(...(await addPromises(transaction, own, { by, newId: ctx.services.newId, ownerId })));
  }
  // Those that the old ones take the place of aren't gone.
  return { removed: Math.max(0, still.length - restored.length), restored };
}

/** A reference that has got another promise since stays: nobody would see whose that is. */
async function withoutPromised(
  store: WorkspaceStore,
  references: ImportUndo['references'],
): Promise<ReferenceChange[]> {
  const imos = references.map(({ imo }) => imo);
  const promised = await readPromises(store, { imos });
  const keyOf = (imo: Imo, reference: string) => `${imo} ${referenceKey(reference)}`;
  const keys = new Set(promised.map(({ imo, due }) => keyOf(imo, due.reference ?? '')));
  return references.map(({ imo, added }) => ({
    imo,
    removed: added.filter((reference) => !keys.has(keyOf(imo, reference))),
  }));
}

/** `promises`: those that are back, in words. */
function undoneAnswer({
  source,
  removed,
  restored,
  promises,
  left,
}: Omit<Undone, 'promises'> & { promises: readonly string[] }): Answer {
  const [gone, back, stays] = [importedInWords(removed), importedInWords(restored), importedInWords(left)];
  return {
    isOwn: true,
    verdict: {
      strong: `Undone: the import from ${clip(source, 100)}`,
      lines: present(
        gone !== '' && `Removed: ${gone}.`,
        back !== '' && `Restored: ${back}.`,
        promises.length > 0 && `Promised again: ${firstFew(promises, { separator: '; ', and: 'and ' })}.`,
        stays !== '' && `Changed since, so left as they are: ${stays}.`,
      ),
    },
    actions: { runs: [namesButton] },
  };
}
