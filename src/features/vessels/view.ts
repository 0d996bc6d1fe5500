import { actionIds } from '../../messages/action-ids.ts';
import { actions, button, context, sections } from '../../messages/blocks.ts';
import { type KnownVessel, vesselListed } from '../../messages/formatting/vessel-label.ts';
import { lineButtons } from '../../messages/frame/answer-actions.ts';
import { pageButtons, shownNote } from '../../messages/frame/paging.ts';
import { clip, joinWithin, limits, packLines, paged } from '../../messages/limits.ts';
import type { Message } from '../../messages/message.ts';
import { codeBlock, codeLine, escaped } from '../../messages/mrkdwn.ts';
import type { Imo } from '../../reference/imo.ts';

interface Paged {
  line: string;
  page: number;
}

export type VesselNamesAnswer =
  | {
      kind: 'vessel-named';
      imo: Imo;
      name: string;
      before?: string;
      namesakes: readonly Imo[];
      undo?: string;
    }
  /** `undo`: the line that takes it back. */
  | { kind: 'vessels-forgotten'; vessels: readonly { imo: Imo; name: string }[]; undo?: string }
  | ({ kind: 'vessel-list'; vessels: readonly NamedInFleets[]; fleets: number } & Paged)
  | ({ kind: 'fleets'; fleets: readonly { name: string; vessels: number; words: string }[] } & Paged)
  | {
      kind: 'fleet';
      name: string;
      words: string;
      vessels: readonly KnownVessel[];
      added: number;
      removed: number;
    }
  | { kind: 'fleet-gone'; name: string; imos: readonly [Imo, ...Imo[]]; undo?: string }
  /** It was sent as a file. */
  | { kind: 'vessel-file'; vessels: number; fleets: number }
  | ({ kind: 'vessel-export'; header: string; rows: readonly string[] } & Paged)
  | { kind: 'how-to-import' };

interface NamedInFleets {
  imo: Imo;
  name: string;
  fleets: readonly string[];
}

const namesPerPage = 40;
const fleetsPerPage = 20;
const charactersPerPage = 7_500;

export function vesselNamesView(answer: VesselNamesAnswer): Message {
  switch (answer.kind) {
    case 'vessel-named':
      return namedView(answer);
    case 'vessels-forgotten':
      return forgottenView(answer);
    case 'vessel-list':
      return listView(answer);
    case 'fleets':
      return fleetsView(answer);
    case 'fleet':
      return fleetView(answer);
    case 'fleet-gone':
      return plainView(
        `The fleet ${escaped(clip(answer.name, 100))} is gone. Its vessels keep their names.`,
        undoButton(answer),
      );
    case 'vessel-file':
      return plainView(fileWords(answer));
    case 'vessel-export':
      return exportView(answer);
    case 'how-to-import':
      return howToImport();
  }
}

type Of<Kind extends VesselNamesAnswer['kind']> = Extract<VesselNamesAnswer, { kind: Kind }>;

function plainView(text: string, buttons: Parameters<typeof lineButtons>[0] = []): Message {
  return {
    text,
    blocks: [
      ...sections([text]),
      ...actions(lineButtons([...buttons, { label: 'List the names', line: 'vessel list' }])),
    ],
  };
}

const undoButton = ({ undo }: { undo?: string }) =>
  undo === undefined ? [] : [{ label: 'Undo', line: undo }];

function forgottenView(answer: Of<'vessels-forgotten'>): Message {
  const said = answer.vessels.map((vessel) => escaped(vesselListed(vessel)));
  return plainView(`Forgotten: ${joinWithin(said, ', ', 2_000)}`, undoButton(answer));
}

function namedView(answer: Of<'vessel-named'>): Message {
  const { imo, name, before, namesakes } = answer;
  const what = `IMO ${imo} is now called ${escaped(clip(name, 60))}`;
  const notes = [
    ...(before === undefined ? [] : [`It was ${escaped(clip(before, 60))} before.`]),
    ...(namesakes.length > 0
      ? [
          `${namesakes.length === 1 ? `IMO ${namesakes[0]} has` : `${namesakes.length} other vessels have`} the same name: I'll ask for the number whenever it is typed.`,
        ]
      : []),
  ];
  return {
    text: [`${what}.`, ...notes].join(' '),
    blocks: [
      ...sections([`*${what}*`, ...notes]),
      ...actions(
        lineButtons([
          ...undoButton(answer),
          { label: 'Next port', line: `nextport ${imo}` },
          { label: 'Watch', line: `watch ${imo}` },
          { label: 'List the names', line: 'vessel list' },
        ]),
      ),
    ],
  };
}

function listView({ line, page: asked, vessels, fleets }: Of<'vessel-list'>): Message {
  if (vessels.length === 0) {
    const none = 'No vessel has a name here yet';
    return {
      text: `${none}. For example: /vessel name 9461477 DS CYPRESS`,
      blocks: sections([
        `*${none}*`,
        'For example: `/vessel name 9461477 DS CYPRESS`, or share a CSV file with me in a direct message: `/vessel import`',
      ]),
    };
  }
  const page = paged(vessels, asked, namesPerPage);
  const heading = `${vessels.length} ${vessels.length === 1 ? 'vessel has a name' : 'vessels have names'} here`;
  const lines = page.items.map(
    ({ imo, name, fleets: some }) =>
      `${escaped(vesselListed({ imo, name }))}${
        some.length > 0
          ? ` · ${joinWithin(
              some.map((fleet) => escaped(clip(fleet, 40))),
              ', ',
              100,
            )}`
          : ''
      }`,
  );
  return {
    text: joinWithin([`${heading}: ${lines[0] ?? ''}`, ...lines.slice(1)], '; ', limits.messageText - 200),
    blocks: [
      ...sections([`*${heading}*`, ...lines]),
      ...noteLine(shownNote(page, namesPerPage)),
      ...actions([
        ...lineButtons([
          ...pageButtons(line, page, namesPerPage),
          { label: 'Export', line: 'vessel export' },
          ...(fleets > 0 ? [{ label: 'Fleets', line: 'vessel fleets' }] : []),
        ]),
        button({ id: actionIds.refresh, label: 'Refresh', value: line }),
      ]),
    ],
  };
}

function fleetsView({ line, page: asked, fleets }: Of<'fleets'>): Message {
  if (fleets.length === 0) {
    const none = 'No fleets yet';
    return {
      text: `${none}. For example: /vessel fleet NORTH add 9461477, 9755933`,
      blocks: sections([`*${none}*`, 'For example: `/vessel fleet NORTH add 9461477, 9755933`']),
    };
  }
  const page = paged(fleets, asked, fleetsPerPage);
  const heading = `${fleets.length} ${fleets.length === 1 ? 'fleet' : 'fleets'}`;
  const lines = page.items.map(
    ({ name, vessels }) => `${escaped(clip(name, 100))} · ${vessels} ${vessels === 1 ? 'vessel' : 'vessels'}`,
  );
  return {
    text: joinWithin([`${heading}: ${lines[0] ?? ''}`, ...lines.slice(1)], '; ', limits.messageText - 200),
    blocks: [
      ...sections([
        `*${heading}*`,
        ...lines,
        'Ask for one with `nextport fleet:NAME`; watch it with `watch fleet:NAME`.',
      ]),
      ...noteLine(shownNote(page, fleetsPerPage)),
      ...actions([
        ...lineButtons(pageButtons(line, page, fleetsPerPage)),
        button({ id: actionIds.refresh, label: 'Refresh', value: line }),
      ]),
    ],
  };
}

function fleetView({ name, words, vessels, added, removed }: Of<'fleet'>): Message {
  const count = `${vessels.length} ${vessels.length === 1 ? 'vessel' : 'vessels'}`;
  const heading = `Fleet ${escaped(clip(name, 100))}, ${count}`;
  const change = [
    ...(added > 0 ? [`${added} added`] : []),
    ...(removed > 0 ? [`${removed} removed`] : []),
    ...(added + removed > 0
      ? ['a watch of the fleet keeps its old vessels until you type its line again']
      : []),
  ].join('; ');
  const listed = vessels.map((vessel) => escaped(vesselListed(vessel)));
  return {
    text: `${heading}${change && ` (${change})`}: ${joinWithin(listed, ', ', limits.messageText - 600)}`,
    blocks: [
      ...sections([`*${heading}*`, ...(change === '' ? [] : [`${change}.`]), listed.join(', ')]),
      ...actions(
        lineButtons([
          { label: 'Next ports', line: `nextport ${words}` },
          { label: 'Watch', line: `watch ${words}` },
          { label: 'All fleets', line: 'vessel fleets' },
        ]),
      ),
    ],
  };
}

function fileWords({ vessels, fleets }: Of<'vessel-file'>): string {
  const names = vessels === 1 ? '1 name' : `${vessels.toLocaleString('en')} names`;
  const more =
    fleets === 0 ? '' : fleets === 1 ? ' and 1 fleet' : ` and ${fleets.toLocaleString('en')} fleets`;
  return `${names}${more}: the file is in your direct messages with me. Share it with me there to import it again.`;
}

function exportView({ line, page: asked, header, rows }: Of<'vessel-export'>): Message {
  if (rows.length === 0) return plainView('No vessel has a name here yet, so there is nothing to export.');
  const page = paged(packLines(rows.map(csvLine), charactersPerPage), asked, 1);
  const part = page.pages > 1 ? `, part ${page.page} of ${page.pages}` : '';
  const what = `${rows.length} ${rows.length === 1 ? 'name' : 'names'} as CSV${part}`;
  const lines = [csvLine(header), ...page.items.flatMap((text) => text.split('\n'))];
  return {
    text: `${what}: copy it into a file; share that with me in a direct message to import it again`,
    blocks: [
      ...sections([
        `*${what}*: copy it into a file; share that with me in a direct message to import it again.`,
      ]),
      ...packLines(lines, limits.sectionText - 6).flatMap((text) => sections([codeBlock([text])])),
      ...actions(lineButtons(pageButtons(line, page, 1))),
    ],
  };
}

const csvLine = (row: string): string => codeLine(clip(row, 1_000));

function howToImport(): Message {
  const what = 'Share a CSV file with me in a direct message, one row per vessel';
  return {
    text: `${what}, with its IMO number and its name`,
    blocks: sections([
      `*${what}*`,
      codeBlock(['imo,name,fleets', '9461477,DS CYPRESS,NORTH', '9755933,MSC DIANA,']),
      'The first line may name the columns, in any order. Wrong rows are reported by line number; the others are imported. Fleets are optional; separate several with a bar: NORTH | SOUTH. At most 5 MB.',
    ]),
  };
}

function noteLine(notes: readonly string[]) {
  return notes.length > 0 ? [context(`_${notes.join(' · ')}_`)] : [];
}
