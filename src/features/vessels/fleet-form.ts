import { z } from 'zod';
import { type FormView, readFields } from '../../answers/fields.ts';
import { vesselListed } from '../../answers/formatting/words.ts';
import { clip, joinWithin } from '../../answers/message.ts';
import { UserError } from '../../errors.ts';
import { cleanLine, wordsError } from '../../grammar/line.ts';
import { formatVessels, maxVesselsInFleet, parseFleetName, parseVessels } from '../../grammar/vessel.ts';
import { isImo } from '../../reference/codes.ts';
import { replyOf } from '../command.ts';
import { type AskCtx, knownVessel } from '../ctx.ts';
import { form } from '../feature.ts';
import { changeFleet } from './fleet-answers.ts';
import { fleetNames, fleetsInWords } from './form.ts';
import { fleetExample, type Imos } from './words.ts';

const Target = z.object({ imos: z.array(z.number()) });

interface FleetForm {
  name: string;
  vessels: string;
  /** Says which vessels these are, or what is wrong with them. */
  vesselsNote: string;
  existingFleets: readonly string[];
}

/** Makes a fleet of vessels that were typed or pasted into a question. */
export const fleetForm = form<z.infer<typeof Target>, FleetForm>({
  name: 'fleet',
  target: Target,
  async open({ imos }, ctx) {
    const vessels = formatVessels(imos.filter(isImo));
    return {
      ...{ name: '', vessels },
      vesselsNote: describeVessels(vessels, ctx),
      existingFleets: await fleetNames(ctx),
    };
  },
  view,
  memo: ({ existingFleets }) => existingFleets,
  read: ({ text }, { memo }) => ({
    ...{ name: text('name'), vessels: text('vessels') },
    vesselsNote: '',
    existingFleets: z.array(z.string()).parse(memo),
  }),
  act: async (_, state, ctx) => ({
    kind: 'state',
    state: { ...state, vesselsNote: describeVessels(state.vessels, ctx) },
  }),
  async submit(state, ctx) {
    const { name, vessels: imos } = readFields({
      name: () => readFleetName(cleanLine(state.name)),
      vessels: () => readVessels(state.vessels, ctx),
    });
    return replyOf(await changeFleet({ name, change: 'add', imos }, ctx), ctx);
  },
  instead: ({ imos }) => `vessel fleet NORTH add ${imos.join(', ')}`,
});

const help = { line: (fixed: string) => fixed, example: fleetExample };

function readFleetName(typed: string): string {
  const name = parseFleetName(`fleet:${typed.replace(/^fleet\s*:\s*/i, '')}`, help);
  if (name !== undefined) return name;
  throw wordsError('missing-argument', 'What should the fleet be called?', help);
}

const readVessels = (typed: string, { vessels }: AskCtx): Imos =>
  parseVessels(cleanLine(typed.replaceAll('\n', ', ')), {
    ...help,
    vessels,
    maxInFleet: maxVesselsInFleet,
  });

function describeVessels(typed: string, ctx: AskCtx): string {
  try {
    const imos = readVessels(typed, ctx);
    const named = imos.map((imo) => vesselListed(knownVessel(imo, ctx.vessels)));
    return `✓ ${imos.length}: ${joinWithin(named, ', ', 2_000)}`;
  } catch (error) {
    if (error instanceof UserError) return `🟠 ${error.message}`;
    throw error;
  }
}

function view({ name, vessels, vesselsNote, existingFleets }: FleetForm): FormView {
  return {
    title: 'Make a fleet',
    submit: 'Save',
    parts: [
      {
        ...{ kind: 'input', id: 'name', label: 'Name', value: name, placeholder: 'NORTH', maxLength: 100 },
        hint: `${fleetsInWords(existingFleets)} The vessels are added to a fleet that exists.`,
      },
      {
        ...{ kind: 'input', id: 'vessels', label: 'Vessels', value: vessels, isMultiline: true },
        hint: `At most ${maxVesselsInFleet}, by IMO number or name, with commas or one a line.`,
        ...{ maxLength: 3_000, isLive: true },
      },
      { kind: 'note', id: 'parsed', text: clip(vesselsNote, 2_500) },
    ],
  };
}
