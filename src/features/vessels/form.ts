import { z } from 'zod';
import {
  FieldErrors,
  type FormField,
  type FormPart,
  type FormView,
  fieldText,
  readFields,
} from '../../answers/fields.ts';
import { referenceNote } from '../../answers/formatting/words.ts';
import { clip, joinClipped } from '../../answers/message.ts';
import { UserError } from '../../errors.ts';
import { cleanLine } from '../../grammar/line.ts';
import { maxVesselsInFleet, parseFleetName, parseVessel } from '../../grammar/vessel.ts';
import { splitReferences } from '../../grammar/vessel-directory.ts';
import type { Imo } from '../../reference/codes.ts';
import { replyOf } from '../command.ts';
import type { AskCtx } from '../ctx.ts';
import { form } from '../feature.ts';
import { findFleet, fleetsHere } from '../fleets/index.ts';
import { checkFleetCount } from './fleet-answers.ts';
import { namesakesOf, nameVessel } from './name-answers.ts';
import { checkReferences } from './reference-answers.ts';
import { readName, vesselExample } from './words.ts';

const Target = z.object({ imo: z.number().optional(), name: z.string().optional() });

interface NameForm {
  imo: string;
  /** Says which vessel has this number, or what is wrong with the number. '' if there is no number. */
  imoNote: string;
  name: string;
  /** Other vessels with this name. */
  namesakes: readonly Imo[];
  fleets: string;
  existingFleets: readonly string[];
  /** To be added. */
  references: string;
}

/** Names a vessel. A button under an answer fills in that answer's vessel. */
export const nameForm = form<z.infer<typeof Target>, NameForm>({
  name: 'name',
  target: Target,
  async open({ imo, name = '' }, ctx) {
    const typed = imo === undefined ? '' : String(imo);
    return {
      imo: typed,
      imoNote: describeVessel(typed, ctx),
      name,
      namesakes: [],
      fleets: '',
      references: '',
      existingFleets: await fleetNames(ctx),
    };
  },
  view: nameView,
  memo: ({ existingFleets }) => existingFleets,
  read: ({ text }, { memo }) => ({
    imo: text('imo'),
    imoNote: '',
    name: text('name'),
    namesakes: [],
    fleets: text('fleets'),
    references: text('references'),
    existingFleets: z.array(z.string()).parse(memo),
  }),
  async act(_, state, ctx) {
    const imo = Number(/\d{7}/.exec(state.imo)?.[0]);
    const namesakes = namesakesOf({ imo, name: state.name }, ctx);
    return { kind: 'state', state: { ...state, imoNote: describeVessel(state.imo, ctx), namesakes } };
  },
  async submit(state, ctx) {
    const { imo, name, fleets } = readFields({
      imo: () => readVessel(state.imo, ctx),
      name: () => readName(cleanLine(state.name), 'it', help),
      fleets: () => readFleets(state.fleets),
    });
    const references = splitReferences(cleanLine(state.references));
    readFields({ references: () => checkReferences(references, imo, ctx) });
    await checkRoom(fleets, imo, ctx);
    await checkFleetCount(fleets, ctx);
    const named = nameVessel({ imo, name }, ctx, { fleets, references });
    return replyOf(await named.catch(showBesideReferences), ctx);
  },
  instead: ({ imo }) => `vessel name ${imo ?? 9461477} DS CYPRESS`,
});

/** The form stays open with what was typed. */
function showBesideReferences(error: unknown): never {
  if (error instanceof UserError && error.code === 'too-many-references')
    throw new FieldErrors({ references: `${error.message} ${error.hint ?? ''}`.trim() }, { cause: error });
  throw error;
}

const help = { line: (fixed: string) => fixed, example: vesselExample };

const readVessel = (typed: string, { vessels }: AskCtx): Imo =>
  parseVessel(cleanLine(typed), { ...help, vessels });

function describeVessel(typed: string, ctx: AskCtx): string {
  if (typed.trim() === '') return '';
  try {
    const imo = readVessel(typed, ctx);
    const name = ctx.vessels.nameOf(imo);
    const references = referenceNote(ctx.vessels.referencesOf(imo)).map((text) => ` ${text}.`);
    return `✓ IMO ${imo} ${name === undefined ? 'has no name here yet' : `is now called ${name}`}.${references.join('')}`;
  } catch (error) {
    if (error instanceof UserError) return `🟠 ${fieldText(error)}`;
    throw error;
  }
}

function readFleets(typed: string): string[] {
  const names = cleanLine(typed)
    .split(/[,;]/)
    .map((piece) => piece.trim().replace(/^fleet\s*:\s*/i, ''))
    .filter((piece) => piece !== '');
  return [...new Set(names.flatMap((name) => parseFleetName(`fleet:${name}`, help) ?? []))];
}

async function checkRoom(names: readonly string[], imo: Imo, ctx: AskCtx): Promise<void> {
  for (const name of names) {
    const imos = (await findFleet(name, ctx))?.imos ?? [];
    if (imos.length < maxVesselsInFleet || imos.includes(imo)) continue;
    throw new FieldErrors({ fleets: `Fleet ${name} is full: it has ${maxVesselsInFleet} vessels.` });
  }
}

export function nameView(state: NameForm): FormView {
  const field = (
    id: 'imo' | 'name' | 'fleets' | 'references',
    about: Omit<Input, 'id' | 'kind' | 'value'>,
  ): Input => ({
    ...{ kind: 'input', id, value: state[id], ...about },
  });
  return {
    title: 'Name a vessel',
    submit: 'Save',
    parts: [
      field('imo', { label: 'IMO number', placeholder: '9461477', maxLength: 100, isLive: true }),
      { kind: 'note', id: 'parsed', text: clip(state.imoNote || whereToFindImo, 1_500) },
      field('name', { label: 'Name', placeholder: 'DS CYPRESS', maxLength: 60, isLive: true }),
      ...namesakeNote(state.namesakes),
      field('fleets', {
        label: 'Add to fleets',
        placeholder: 'NORTH, FEEDERS',
        hint: `${fleetsInWords(state.existingFleets)} A new name creates a fleet; separate several with commas.`,
        maxLength: 500,
        isOptional: true,
      }),
      field('references', {
        label: 'Add references',
        placeholder: 'BK123, MEDU4711',
        hint: 'Booking, customer or B/L numbers; separate several with commas. Alerts name them, and each finds the vessel.',
        maxLength: 1_000,
        isOptional: true,
      }),
    ],
  };
}

type Input = Extract<FormField, { kind: 'input' }>;

const whereToFindImo = "Seven digits: on the hull, in the vessel's papers, in the booking.";

function namesakeNote([first, ...others]: readonly Imo[]): FormPart[] {
  if (first === undefined) return [];
  const vessels =
    others.length === 0 ? `IMO ${first} is` : `IMO ${first} and ${others.length} more vessels are`;
  const text = `${vessels} called that too: I'll ask for the number whenever the name is typed.`;
  return [{ kind: 'note', id: 'namesakes', text }];
}

/** More names would fit neither the hint nor the memo. */
export const fleetNames = async (ctx: AskCtx): Promise<string[]> =>
  (await fleetsHere(ctx)).slice(0, 10).map(({ name }) => name);

export const fleetsInWords = (names: readonly string[]): string =>
  names.length === 0
    ? 'There are no fleets yet.'
    : `Existing fleets: ${joinClipped(names, { each: 100, all: 500 })}.`;
