import type { KnownBlock } from '@slack/types';
import { sections } from '../../messages/blocks.ts';
import { note, textField } from '../../messages/fields.ts';
import { clip, joinWithin } from '../../messages/limits.ts';
import type { Message } from '../../messages/message.ts';
import type { Modal } from '../../messages/modal.ts';
import { escaped } from '../../messages/mrkdwn.ts';
import type { Imo } from '../../reference/imo.ts';
import { type VesselNamesAnswer, vesselNamesView } from './view.ts';

export interface NameForm {
  imo: string;
  /** What is known of the vessel, or what is wrong with its number; '' while there is nothing. */
  parsed: string;
  name: string;
  /** Others that are called so already: no fault, their numbers distinguish them. */
  namesakes: readonly Imo[];
  fleets: string;
  /** The fleets that there are. */
  known: readonly string[];
}

/** A number, its name, and the fleets that it is in from now on. */
export function nameForm({ imo, parsed, name, namesakes, fleets, known }: NameForm): Modal {
  return {
    title: 'Name a vessel',
    submit: 'Save',
    blocks: [
      textField({
        id: 'imo',
        label: 'IMO number',
        value: imo,
        placeholder: '9461477',
        maxLength: 100,
        live: true,
      }),
      note(clip(parsed === '' ? whereItStands : parsed, 1_500), 'parsed'),
      textField({
        id: 'name',
        label: 'Name',
        value: name,
        placeholder: 'DS CYPRESS',
        maxLength: 60,
        live: true,
      }),
      ...namesakeNote(namesakes),
      textField({
        id: 'fleets',
        label: 'Add to fleets',
        value: fleets,
        placeholder: 'NORTH, FEEDERS',
        hint: `${knownFleets(known)} A new name creates a fleet; separate several with commas.`,
        maxLength: 500,
        optional: true,
      }),
    ],
  };
}

const whereItStands = "Seven digits: on the hull, in the vessel's papers, in the booking.";

function namesakeNote(namesakes: readonly Imo[]): KnownBlock[] {
  const [first, ...others] = namesakes;
  if (first === undefined) return [];
  const who = others.length === 0 ? `IMO ${first} is` : `IMO ${first} and ${others.length} more vessels are`;
  return [note(`${who} called that too: I'll ask for the number whenever the name is typed.`, 'namesakes')];
}

function knownFleets(known: readonly string[]): string {
  if (known.length === 0) return 'There are no fleets yet.';
  return `Existing fleets: ${joinWithin(
    known.map((name) => clip(name, 100)),
    ', ',
    500,
  )}.`;
}

/** What was saved. */
export function vesselNamedView(named: VesselNamesAnswer, fleets: readonly string[]): Message {
  const { text, blocks } = vesselNamesView(named);
  if (fleets.length === 0) return { text, blocks };
  const shown = joinWithin(
    fleets.map((name) => escaped(clip(name, 100))),
    ', ',
    1_000,
  );
  const note = `In ${fleets.length === 1 ? 'fleet' : 'the fleets'} ${shown}.`;
  return {
    text: `${text} ${note}`,
    blocks: [...blocks.slice(0, 1), ...sections([note]), ...blocks.slice(1)],
  };
}
