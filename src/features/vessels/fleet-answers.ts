import { type Answer, nextPortsOf, watchThese } from '../../answers/answer.ts';
import { counted, type KnownVessel, vesselShort } from '../../answers/formatting/words.ts';
import { count, field, imoShown, text, vessel } from '../../answers/kinds.ts';
import { clip, joinWithin, paged } from '../../answers/message.ts';
import { table } from '../../answers/table.ts';
import { present } from '../../answers/text.ts';
import { UserError } from '../../errors.ts';
import { fleetKey } from '../../grammar/vessel.ts';
import type { Imo } from '../../reference/codes.ts';
import { type AskCtx, changeBy, example, knownVessel, type WorkCtx } from '../ctx.ts';
import {
  addToFleet,
  type Fleet,
  type FleetChanged,
  findFleet,
  fleetsHere,
  getFleet,
  removeFromFleet,
} from '../fleets/index.ts';
import { countListed } from '../scope.ts';
import { namesButton, undoButton } from './name-answers.ts';
import { type FleetChange, fleetExample, formatFleetChange, formatList } from './words.ts';

export const fleetsTable = table<Fleet>({
  name: 'fleets',
  about: 'A fleet of this workspace',
  columns: {
    fleet: text('Fleet', 'its name', ({ name }) => name, { words: ({ name }) => clip(name, 100) }),
    vessels: count('Vessels', 'the number of its vessels', ({ imos }) => imos.length, {
      words: ({ imos }) => ({ inTable: String(imos.length), inLine: counted(imos.length, 'vessel') }),
      isLabelled: false,
    }),
  },
});

const fleetsPerPage = 20;
const exampleFleet = { kind: 'fleet', name: 'NAME' } as const;

export async function listFleets({ page: asked }: { page: number }, ctx: AskCtx): Promise<Answer> {
  const rows = await fleetsHere(ctx);
  if (rows.length === 0) {
    const lines = [['For example: ', { code: `/${fleetExample}` }]];
    return { isOwn: true, verdict: { strong: 'No fleets yet', lines } };
  }
  const { items, ...page } = paged(rows, asked, fleetsPerPage);
  const strong = counted(rows.length, 'fleet');
  return {
    isOwn: 'list',
    verdict: { strong },
    sections: [fleetsTable.of({ caption: 'Fleets', rows, shown: items })],
    notes: [
      [
        ...['Ask for one with ', { code: `/${example(nextPortsOf(exampleFleet), ctx.registry)}` }],
        ...['; watch it with ', { code: `/${example(watchThese(exampleFleet), ctx.registry)}` }],
      ],
    ],
    page: { ...page, size: fleetsPerPage },
  };
}

export const fleetTable = table<{ fleet: string; vessel: KnownVessel }>({
  name: 'fleet',
  about: 'A vessel of the fleet',
  columns: {
    fleet: field('text', 'name of the fleet', ({ fleet }) => fleet),
    vessel: vessel('Vessel', (row) => row.vessel),
    imo_shown: imoShown('IMO', (row) => row.vessel),
  },
});

/** `change`: what was changed, in words. */
export async function showFleet(typed: string, ctx: AskCtx, change = ''): Promise<Answer> {
  const { name, imos } = await getFleet(typed, fleetLine, ctx);
  const title = `Fleet ${clip(name, 100)}`;
  return {
    isOwn: true,
    verdict: {
      strong: `${title}, ${counted(imos.length, 'vessel')}`,
      lines: change === '' ? [] : [change],
    },
    sections: [
      fleetTable.of({
        caption: 'Vessels of the fleet',
        rows: imos.map((imo) => ({ fleet: name, vessel: knownVessel(imo, ctx.vessels) })),
        subject: [name],
      }),
    ],
    actions: {
      about: title,
      watch: watchThese({ kind: 'fleet', name }),
      runs: [
        { label: 'Next ports', intent: nextPortsOf({ kind: 'fleet', name }) },
        { label: 'All fleets', line: formatList('fleets') },
      ],
    },
  };
}

/** `fleet:NORTH` → `vessel fleet NORTH`. */
const fleetLine = (words: string): string => words.replace(/^fleet:/, 'vessel fleet ');

/** A fleet without vessels is gone. */
export async function changeFleet(change: FleetChange, ctx: AskCtx): Promise<Answer> {
  if (change.change === 'add') {
    await checkFleetCount([change.name], ctx);
    const before = (await findFleet(change.name, ctx))?.imos ?? [];
    const added = await addToFleet(change, changeBy(ctx), ctx);
    const already = named(
      change.imos.filter((imo) => before.includes(imo)),
      ['is in it already', 'are in it already'],
      ctx,
    );
    return await showFleet(change.name, ctx, await inWords('added', 'to', added, already, ctx));
  }
  const fleet = await getFleet(change.name, fleetLine, ctx);
  const removed = await removeFromFleet(change, changeBy(ctx), ctx);
  if (await findFleet(fleet.name, ctx)) {
    const others = (change.imos ?? []).filter((imo) => !fleet.imos.includes(imo));
    const missing = named(others, ["isn't in it", "aren't in it"], ctx);
    return await showFleet(fleet.name, ctx, await inWords('removed', 'from', removed, missing, ctx));
  }
  const watches = await countListed(removed.watches, ctx);
  const [keep, are] =
    watches === 1 ? ['Its watch keeps', 'it is'] : [`Its ${watches} watches keep`, 'they are'];
  return {
    isOwn: true,
    verdict: {
      strong: `The fleet ${clip(fleet.name, 100)} is gone`,
      rest: `. Its vessels keep their names.${watches === 0 ? '' : ` ${keep} the last vessels until ${are} stopped.`}`,
    },
    actions: { runs: [...undoButton(formatFleetChange({ ...fleet, change: 'add' })), namesButton] },
  };
}

/** `MSC DIANA isn't in it`; false for none. */
function named(imos: readonly Imo[], [is, are]: readonly [string, string], { vessels }: AskCtx) {
  const names = imos.map((imo) => vesselShort(knownVessel(imo, vessels)));
  return names.length > 0 && `${joinWithin(names, ', ', 300)} ${names.length === 1 ? is : are}`;
}

/** `2 added, also to its watch; MSC DIANA is in it already`. */
async function inWords(
  done: string,
  to: string,
  changed: FleetChanged,
  unchanged: string | false,
  ctx: AskCtx,
): Promise<string> {
  const watches = await countListed(changed.watches, ctx);
  const its = watches === 1 ? 'its watch' : `its ${watches} watches`;
  const also = watches > 0 ? `, also ${to} ${its}` : '';
  return present(changed.vessels > 0 && `${changed.vessels} ${done}${also}`, unchanged).join('; ');
}

/** Every request about a fleet reads all fleets of the workspace. */
const maxFleets = 200;

/** Throws UserError if some of these fleets are new and there would be too many in the workspace. */
export async function checkFleetCount(names: readonly string[], ctx: WorkCtx): Promise<void> {
  const keys = (await fleetsHere(ctx)).map(({ name }) => fleetKey(name));
  const total = new Set([...keys, ...names.map(fleetKey)]).size;
  if (total <= maxFleets || total === keys.length) return;
  throw new UserError({
    code: 'too-many-fleets',
    message: `A workspace can have at most ${maxFleets} fleets; this would make ${total.toLocaleString('en')}. Nothing was changed.`,
    hint: 'Forget fleets that nobody uses.',
    example: 'vessel fleets',
  });
}
