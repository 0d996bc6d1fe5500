import { context, sections } from '../../messages/blocks.ts';
import { clip, joinWithin } from '../../messages/limits.ts';
import type { Message } from '../../messages/message.ts';
import { escaped } from '../../messages/mrkdwn.ts';

interface VesselImport {
  fileName: string;
  /** Vessels that have their name from the file now. */
  saved: number;
  /** Fleets that were given vessels. */
  fleets: number;
  /** Names of fleets that would have more vessels than they may: left as they were. */
  tooLarge: readonly string[];
  /** Its encoding is a guess: accents may be wrong. */
  isGuessed: boolean;
  /** Rows left out, by their line in the file, from 1. */
  faults: readonly { line: number; reason: string }[];
}

const faultsShown = 15;

/** What became of a file of vessel names. */
export function vesselImportView(answer: VesselImport): Message {
  const { fileName, saved, fleets, tooLarge, isGuessed, faults } = answer;
  const names = saved === 1 ? '1 vessel name' : `${saved.toLocaleString('en')} vessel names`;
  const from = escaped(clip(fileName, 100));
  const isNothing = saved === 0 && fleets === 0;
  const filled = fleets === 0 ? [] : [fleets === 1 ? '1 fleet' : `${fleets.toLocaleString('en')} fleets`];
  const what = isNothing
    ? `No vessel names in ${from}, so nothing was changed`
    : `${[...(saved === 0 ? [] : [names]), ...filled].join(' and ')} saved from ${from}`;
  const notes = [
    ...(isGuessed && !isNothing ? ['Read as Windows-1252: please check the names.'] : []),
    ...(tooLarge.length > 0
      ? [
          `Not changed, since a fleet can have at most 50 vessels: ${joinWithin(
            tooLarge.map((name) => escaped(clip(name, 60))),
            ', ',
            1_000,
          )}`,
        ]
      : []),
  ];
  const left =
    faults.length === 0
      ? []
      : [
          `${faults.length === 1 ? '1 row was' : `${faults.length.toLocaleString('en')} rows were`} left out:`,
        ];
  const rows = faults
    .slice(0, faultsShown)
    .map(({ line, reason }) => `• line ${line}: ${escaped(clip(reason, 200))}`);
  const more = faults.length - rows.length;
  const rest = more > 0 ? [`… and ${more.toLocaleString('en')} more`] : [];
  return {
    text: [`${what}.`, ...notes, ...left, rows.map((row) => row.slice(2)).join('; '), ...rest]
      .filter(Boolean)
      .join(' '),
    blocks: [
      ...sections([`*${what}*`, ...notes, ...left, ...rows, ...rest]),
      ...(isNothing ? [] : [context('_Everybody here can now type these names, and sees them in answers._')]),
    ],
  };
}
