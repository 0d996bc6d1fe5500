import { UserError } from '../../errors.ts';
import { quote } from '../../grammar/line-help.ts';
import { referenceKey } from '../../grammar/reference-index.ts';
import { maxReferences, referenceFault } from '../../grammar/vessel-reference.ts';
import type { Imo } from '../../reference/imo.ts';
import { knownVessel } from '../run-context.ts';
import { formatReferenceLine, type ReferenceArgs } from './reference-words.ts';
import type { VesselReferencesAnswer } from './references-view.ts';
import { changeBy, type VesselsContext } from './vessels-context.ts';

export async function answerReferenceLine(
  args: ReferenceArgs,
  context: VesselsContext,
): Promise<VesselReferencesAnswer> {
  const { imo } = args;
  const stored = (await context.names.directory()).referencesOf(imo);
  switch (args.change) {
    case 'show':
      return await shown(imo, {}, context);
    case 'add': {
      checkReferences(args.references, imo, context);
      const keys = stored.map(referenceKey);
      const added = args.references.filter((reference) => !keys.includes(referenceKey(reference)));
      await context.names.changeReferences({ imo, added }, changeBy(context));
      return await shown(imo, { added }, context);
    }
    case 'remove': {
      const removed = args.references.map((typed) => storedReference(typed, imo, stored));
      await context.names.changeReferences({ imo, removed }, changeBy(context));
      return await shown(imo, { removed }, context);
    }
    case 'forget': {
      await context.names.changeReferences({ imo, removed: stored }, changeBy(context));
      return await shown(imo, { removed: stored }, context);
    }
  }
}

/** Throws UserError bad-reference, too-many-references. */
export function checkReferences(references: readonly string[], imo: Imo, { vessels }: VesselsContext): void {
  for (const reference of references) {
    const fault = referenceFault(reference, imo, vessels);
    if (fault === undefined) continue;
    throw new UserError({
      code: 'bad-reference',
      message: `${quote(reference)} can't be a reference: it ${fault}. Nothing was saved.`,
      hint: 'A reference is a booking, customer or B/L number.',
      example: `vessel ref ${imo} BK123`,
    });
  }
  if (references.length <= maxReferences) return;
  throw new UserError({
    code: 'too-many-references',
    message: `A vessel can have at most ${maxReferences} references; these are ${references.length}. Nothing was saved.`,
    example: `vessel ref ${imo} BK123`,
  });
}

function storedReference(typed: string, imo: Imo, stored: readonly string[]): string {
  const found = stored.find((reference) => referenceKey(reference) === referenceKey(typed));
  if (found !== undefined) return found;
  throw new UserError({
    code: 'unknown-reference',
    message: `IMO ${imo} has no reference ${quote(typed)}.`,
    choices: stored.slice(0, 5).map((reference) => ({
      label: `Remove ${reference}`,
      line: formatReferenceLine({ kind: 'ref', imo, change: 'remove', references: [reference] }),
    })),
    example: `vessel ref ${imo}`,
  });
}

async function shown(
  imo: Imo,
  { added = [], removed = [] }: { added?: readonly string[]; removed?: readonly string[] },
  context: VesselsContext,
): Promise<VesselReferencesAnswer> {
  const directory = await context.names.directory();
  const references = directory.referencesOf(imo);
  const shared = references.flatMap((reference) => {
    const others = directory.referenced(reference).filter((vessel) => vessel.imo !== imo);
    return others.length > 0
      ? [{ reference, vessels: others.map((other) => knownVessel(other.imo, directory)) }]
      : [];
  });
  const undo = (change: 'add' | 'remove', texts: readonly string[]) =>
    texts.length > 0 ? { undo: formatReferenceLine({ kind: 'ref', imo, change, references: texts }) } : {};
  return {
    kind: 'vessel-references',
    vessel: knownVessel(imo, directory),
    ...{ references, added, removed, shared },
    ...undo('remove', added),
    ...undo('add', removed),
  };
}
