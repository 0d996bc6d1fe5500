import { actions, sections } from '../../messages/blocks.ts';
import { type KnownVessel, vesselListed, vesselShort } from '../../messages/formatting/vessel-label.ts';
import { counted } from '../../messages/formatting/words.ts';
import { lineButtons } from '../../messages/frame/answer-actions.ts';
import { smallPrint } from '../../messages/frame/small-print.ts';
import { joinWithin, limits } from '../../messages/limits.ts';
import type { Message, Reader } from '../../messages/message.ts';
import { escaped } from '../../messages/mrkdwn.ts';

export interface VesselReferencesAnswer {
  kind: 'vessel-references';
  vessel: KnownVessel;
  /** As they are now, the newest first. */
  references: readonly string[];
  added: readonly string[];
  removed: readonly string[];
  /** Those that other vessels have too. */
  shared: readonly { reference: string; vessels: readonly KnownVessel[] }[];
  /** The line that undoes the change. */
  undo?: string;
}

/** Shown only inside the workspace: which cargo is on which vessel is confidential. */
export function vesselReferencesView(
  answer: VesselReferencesAnswer,
  { audience }: Pick<Reader, 'audience'>,
): Message {
  if (audience === 'outside') return notShownHere;
  const { vessel, references, added, removed, shared, undo } = answer;
  const { imo } = vessel;
  const [newest = ''] = references;
  const name = escaped(vesselShort(vessel));
  const changes = [
    ...(added.length > 0 ? [`added ${listed(added)}`] : []),
    ...(removed.length > 0 ? [`removed ${listed(removed)}`] : []),
  ];
  const count = references.length === 0 ? 'no references' : counted(references.length, 'reference');
  const heading = `${name}: ${changes.length > 0 ? changes.join(', ') : count}`;
  const lines =
    references.length > added.length
      ? [`${changes.length > 0 ? `Now ${count}: ` : ''}${listed(references)}`]
      : [];
  const also = shared.map(
    ({ reference, vessels }) =>
      `${escaped(reference)} is also a reference of ${joinWithin(vessels.map(vesselListed).map(escaped), ', ', 300)}: I'll ask which vessel you mean.`,
  );
  const advice =
    references.length === 0
      ? [`Add one: \`/vessel ref ${imo} BK123\``]
      : [
          'Alerts name them; type one wherever a vessel goes',
          `Remove one: \`/vessel ref ${imo} remove ${escaped(newest)}\``,
        ];
  const buttons = [
    ...(undo === undefined ? [] : [{ label: 'Undo', line: undo }]),
    { label: 'Next port', line: `nextport ${imo}` },
    { label: 'Watch', line: `watch ${imo}` },
    { label: 'List the names', line: 'vessel list' },
  ];
  return {
    text: joinWithin([heading, ...lines, ...also], '. ', limits.messageText),
    blocks: [
      ...sections([`*${heading}*`, ...lines, ...also.slice(0, 5)]),
      ...smallPrint(advice),
      ...actions(lineButtons(buttons)),
    ],
  };
}

const notShownHere: Message = {
  text: "References aren't shown in a channel that people from another organisation can read",
  blocks: sections([
    "References aren't shown in a channel that people from another organisation can read. Ask in a direct message with me.",
  ]),
};

const listed = (references: readonly string[]): string => joinWithin(references.map(escaped), ', ', 1_200);
