import type { Choice } from '../../errors.ts';
import type { ReferenceOf } from '../../grammar/reference-index.ts';
import type { NamedVessel } from '../../grammar/vessel-directory.ts';
import { actions, sections } from '../../messages/blocks.ts';
import { referenceNote } from '../../messages/formatting/references.ts';
import { lineButtons } from '../../messages/frame/answer-actions.ts';
import { clip, joinWithin } from '../../messages/limits.ts';
import type { Message, Reader } from '../../messages/message.ts';
import { escaped } from '../../messages/mrkdwn.ts';
import type { Imo } from '../../reference/imo.ts';

export interface VesselNamedAnswer extends NamedVessel {
  kind: 'vessel-named';
  /** The line that undoes the change. */
  undo?: string;
  previousName?: string;
  /** Other vessels with the same name. */
  namesakes: readonly Imo[];
  /** The fleets that the vessel was added to. */
  fleets?: readonly string[];
  /** The references that the vessel got. */
  references?: readonly string[];
  /** References of other vessels that are no longer found, since names come first. */
  hiddenReferences?: readonly ReferenceOf[];
}

export function namedView(answer: VesselNamedAnswer, { audience }: Pick<Reader, 'audience'>): Message {
  const { imo, name, previousName, namesakes, fleets = [], references = [], hiddenReferences = [] } = answer;
  const heading = `IMO ${imo} is now called ${escaped(clip(name, 60))}`;
  const notes = previousName === undefined ? [] : [`It was ${escaped(clip(previousName, 60))} before.`];
  if (namesakes.length > 0) {
    const others =
      namesakes.length === 1 ? `IMO ${namesakes[0]} has` : `${namesakes.length} other vessels have`;
    notes.push(`${others} the same name: I'll ask for the number whenever it is typed.`);
  }
  if (fleets.length > 0) {
    const names = fleets.map((fleet) => escaped(clip(fleet, 100)));
    notes.push(`In ${fleets.length === 1 ? 'fleet' : 'the fleets'} ${joinWithin(names, ', ', 1_000)}.`);
  }
  const isPrivate = audience === 'private';
  if (isPrivate) notes.push(...referenceNote(references).map((text) => `${escaped(text)}.`));
  const [hidden] = hiddenReferences;
  if (hidden && isPrivate) {
    notes.push(
      `${escaped(hidden.reference)} is a reference of IMO ${hidden.imo}: names come first, so it finds this vessel now.`,
    );
  }
  const buttons = [
    ...undoButton(answer),
    { label: 'Next port', line: `nextport ${imo}` },
    { label: 'Watch', line: `watch ${imo}` },
    namesButton,
  ];
  return {
    text: [`${heading}.`, ...notes].join(' '),
    blocks: [...sections([`*${heading}*`, ...notes]), ...actions(lineButtons(buttons))],
  };
}

export const namesButton = { label: 'List the names', line: 'vessel list' };

export const undoButton = ({ undo }: { undo?: string }): Choice[] =>
  undo === undefined ? [] : [{ label: 'Undo', line: undo }];
