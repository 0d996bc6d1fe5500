import { z } from 'zod';
import { UserError } from '../../errors.ts';
import { cleanLine } from '../../grammar/clean.ts';
import { parseFleetName } from '../../grammar/list-name.ts';
import { parseVessel } from '../../grammar/vessel.ts';
import { nameFault } from '../../grammar/vessel-name.ts';
import { FieldErrors, fieldText, readFields } from '../../messages/field-errors.ts';
import type { Imo } from '../../reference/imo.ts';
import { defineForm } from '../form.ts';
import { maxVesselsInFleet, refuseMoreFleets } from './change-fleet.ts';
import { nameVessel } from './change-names.ts';
import { type NameForm, nameForm, vesselNamedView } from './form-view.ts';
import type { VesselsContext, VesselsServices } from './services.ts';

const Target = z.object({ imo: z.number().optional() });
type Target = z.infer<typeof Target>;

/** «Name a vessel»: of any, or of the one whose answer held the button. */
export const name = defineForm<Target, NameForm, VesselsServices>({
  name: 'name',
  target: Target,
  async open({ imo }, context) {
    const known = await context.fleets.list(context.workspaceId);
    const typed = imo === undefined ? '' : String(imo);
    return {
      imo: typed,
      parsed: describeVessel(typed, context),
      name: '',
      namesakes: [],
      fleets: '',
      // As many as the hint shows, so that they have room in the memo.
      known: known.slice(0, 10).map((fleet) => fleet.name),
    };
  },
  view: nameForm,
  memo: ({ known }) => known,
  read: ({ text }, { memo }) => ({
    imo: text('imo'),
    parsed: '',
    name: text('name'),
    namesakes: [],
    fleets: text('fleets'),
    known: z.array(z.string()).parse(memo),
  }),
  async act(_, state, context) {
    const namesakes = namesakesOf(state, context);
    return { kind: 'state', state: { ...state, parsed: describeVessel(state.imo, context), namesakes } };
  },
  async submit(state, context) {
    const { imo, name, fleets } = readFields({
      imo: () => readVessel(state.imo, context),
      name: () => readName(state.name),
      fleets: () => readFleets(state.fleets),
    });
    await refuseFull(fleets, imo, context);
    await refuseMoreFleets(fleets, context);
    const named = await nameVessel({ imo, name, fleets }, context);
    return { view: () => vesselNamedView(named, fleets) };
  },
  instead: ({ imo }) => `vessel name ${imo ?? 9461477} DS CYPRESS`,
});

const readVessel = (typed: string, { vessels }: Pick<VesselsContext, 'vessels'>): Imo =>
  parseVessel(cleanLine(typed), {
    line: (fixed) => `vessel name ${fixed}`,
    example: 'vessel name 9461477 DS CYPRESS',
    vessels,
  });

function describeVessel(typed: string, context: VesselsContext): string {
  if (typed.trim() === '') return '';
  try {
    const imo = readVessel(typed, context);
    const known = context.vessels.nameOf(imo);
    return known === undefined
      ? `✓ IMO ${imo} has no name here yet.`
      : `✓ IMO ${imo} is now called ${known}.`;
  } catch (error) {
    if (error instanceof UserError) return `⚠ ${fieldText(error)}`;
    throw error;
  }
}

function namesakesOf({ imo, name }: NameForm, { vessels }: VesselsContext): Imo[] {
  const digits = Number(/\d{7}/.exec(imo)?.[0]);
  return vessels
    .named(name)
    .map((vessel) => vessel.imo)
    .filter((other) => other !== digits);
}

function readName(typed: string): string {
  const name = cleanLine(typed)
    .replace(/^(["'])(.*)\1$/, '$2')
    .trim();
  const fault = nameFault(name);
  if (fault === undefined) return name.toUpperCase();
  const message = name === '' ? 'What should it be called?' : `This can't be its name: ${fault}.`;
  throw new UserError({ code: 'unexpected-words', message });
}

function readFleets(typed: string): string[] {
  const names = cleanLine(typed)
    .split(/[,;]/)
    .map((piece) => piece.trim().replace(/^fleet\s*:\s*/i, ''))
    .filter((piece) => piece !== '')
    .map((piece) =>
      parseFleetName(`fleet:${piece}`, { line: (fixed) => fixed, example: 'vessel fleet NORTH' }),
    );
  return [...new Set(names.filter((one) => one !== undefined))];
}

/** Before anything is saved. */
async function refuseFull(fleets: readonly string[], imo: Imo, context: VesselsContext): Promise<void> {
  for (const fleet of fleets) {
    const imos = (await context.fleets.find(context.workspaceId, fleet))?.imos ?? [];
    if (imos.length < maxVesselsInFleet || imos.includes(imo)) continue;
    throw new FieldErrors({ fleets: `Fleet ${fleet} is full: it has ${maxVesselsInFleet} vessels.` });
  }
}
