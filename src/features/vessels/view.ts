import { formatFleetName } from '../../grammar/list-name.ts';
import type { NamedVessel } from '../../grammar/vessel-directory.ts';
import { actionIds } from '../../messages/action-ids.ts';
import { actions, button, context, sections } from '../../messages/blocks.ts';
import { newestReferences, referenceNote } from '../../messages/formatting/references.ts';
import { type KnownVessel, vesselListed, vesselShort } from '../../messages/formatting/vessel-label.ts';
import { counted } from '../../messages/formatting/words.ts';
import { lineButtons } from '../../messages/frame/answer-actions.ts';
import { pageButtons, shownNote } from '../../messages/frame/paging.ts';
import { smallPrint } from '../../messages/frame/small-print.ts';
import { clip, joinText, joinWithin, limits, packLines, paged } from '../../messages/limits.ts';
import { blocksOf, type Message, type Reader } from '../../messages/message.ts';
import { codeBlock, codeLine, escaped } from '../../messages/mrkdwn.ts';
import { type Cell, dataTable } from '../../messages/rich-blocks.ts';
import { namedView, namesButton, undoButton, type VesselNamedAnswer } from './named-view.ts';
import { type VesselReferencesAnswer, vesselReferencesView } from './references-view.ts';

interface Paged {
  line: string;
  page: number;
}

/** `undo`: the line that undoes the change. */
export type VesselNamesAnswer =
  | VesselNamedAnswer
  | { kind: 'vessels-forgotten'; vessels: readonly NamedVessel[]; undo?: string }
  | ({ kind: 'vessel-list'; vessels: readonly ListedVessel[]; fleets: number } & Paged)
  | ({ kind: 'fleets'; fleets: readonly { name: string; vessels: number }[] } & Paged)
  | ({ kind: 'fleet'; vessels: readonly KnownVessel[]; added: number; removed: number } & WatchedFleet)
  | ({ kind: 'fleet-forgotten'; undo?: string } & WatchedFleet)
  | { kind: 'vessel-file'; vessels: number; fleets: number }
  | ({
      kind: 'vessel-export';
      header: string;
      rows: readonly string[];
      /** Why this is no file, and what to do about it. */
      advice?: string;
    } & Paged)
  | VesselReferencesAnswer
  | { kind: 'how-to-import' };

interface WatchedFleet {
  name: string;
  /** The number of watches that follow the change. */
  watches: number;
}

export interface ListedVessel extends KnownVessel {
  /** Not only known from the examples. */
  isNamedHere: boolean;
  fleets: readonly string[];
  references: readonly string[];
}

type AnswerOf<Kind extends VesselNamesAnswer['kind']> = Extract<VesselNamesAnswer, { kind: Kind }>;
type ViewReader = Pick<Reader, 'audience'>;
type LineButtons = Parameters<typeof lineButtons>[0];

const views: {
  [Kind in VesselNamesAnswer['kind']]: (answer: AnswerOf<Kind>, reader: ViewReader) => Message;
} = {
  'vessel-named': namedView,
  'vessels-forgotten': vesselsForgottenView,
  'vessel-list': namesView,
  fleets: fleetsView,
  fleet: fleetView,
  'fleet-forgotten': fleetForgottenView,
  'vessel-file': fileView,
  'vessel-export': exportView,
  'vessel-references': vesselReferencesView,
  'how-to-import': howToImport,
};

export function vesselNamesView(answer: VesselNamesAnswer, reader: ViewReader): Message {
  // Each kind's view takes the answer of that kind, which the type of an indexed table can't show.
  const view = views[answer.kind] as (answer: VesselNamesAnswer, reader: ViewReader) => Message;
  return view(answer, reader);
}

const plainView = (text: string, buttons: LineButtons = []): Message => ({
  text,
  blocks: [...sections([text]), ...actions(lineButtons([...buttons, namesButton]))],
});

function vesselsForgottenView(answer: AnswerOf<'vessels-forgotten'>): Message {
  const vessels = answer.vessels.map((vessel) => escaped(vesselListed(vessel)));
  return plainView(`Forgotten: ${joinWithin(vessels, ', ', 2_000)}`, undoButton(answer));
}

function fleetForgottenView(answer: AnswerOf<'fleet-forgotten'>): Message {
  const { watches } = answer;
  const name = escaped(clip(answer.name, 100));
  const kept =
    watches === 0
      ? ''
      : ` ${watches === 1 ? 'Its watch keeps' : `Its ${watches} watches keep`} the last vessels until ${watches === 1 ? 'it is' : 'they are'} stopped.`;
  return plainView(`The fleet ${name} is gone. Its vessels keep their names.${kept}`, undoButton(answer));
}

function namesView(answer: AnswerOf<'vessel-list'>, { audience }: ViewReader): Message {
  const { vessels } = answer;
  const importHint = ', or share a CSV file with me in a direct message: `/vessel import`';
  if (vessels.length === 0)
    return emptyView('No vessel has a name here yet', 'vessel name 9461477 DS CYPRESS', importHint);
  const named = vessels.filter(({ isNamedHere }) => isNamedHere).length;
  const others = vessels.length - named;
  const counts = [
    ...(named > 0 ? [counted(named, 'vessel has a name', 'vessels have names')] : []),
    ...(others > 0 ? [counted(others, 'vessel has only references', 'vessels have only references')] : []),
  ];
  // Others can see a list that is public, or in a digest.
  const hasReferences = audience === 'private' && vessels.some(({ references }) => references.length > 0);
  return listView(answer, vessels, {
    heading: `${counts.join(', ')} here`,
    pageSize: 40,
    columns: ['Vessel', 'IMO', 'Fleets', ...(hasReferences ? ['Ref'] : [])],
    rowOf: ({ fleets, references, ...vessel }) => [
      vesselShort(vessel),
      { value: vessel.imo, text: String(vessel.imo) },
      joinWithin(
        fleets.map((fleet) => clip(fleet, 40)),
        ', ',
        100,
      ) || '–',
      ...(hasReferences ? [newestReferences(references) || '–'] : []),
    ],
    lineOf({ fleets, references, ...vessel }) {
      const names = fleets.map((fleet) => escaped(clip(fleet, 40)));
      const notes = hasReferences ? referenceNote(references).map(escaped) : [];
      return [escaped(vesselListed(vessel)), joinWithin(names, ', ', 100), ...notes]
        .filter(Boolean)
        .join(' · ');
    },
    buttons: [
      { label: 'Export for import', line: 'vessel export' },
      ...(answer.fleets > 0 ? [{ label: 'Fleets', line: 'vessel fleets' }] : []),
    ],
  });
}

function fleetsView(answer: AnswerOf<'fleets'>): Message {
  const { fleets } = answer;
  if (fleets.length === 0) return emptyView('No fleets yet', 'vessel fleet NORTH add 9461477, 9755933');
  return listView(answer, fleets, {
    heading: counted(fleets.length, 'fleet'),
    pageSize: 20,
    columns: ['Fleet', 'Vessels'],
    rowOf: ({ name, vessels }) => [clip(name, 100), { value: vessels, text: String(vessels) }],
    lineOf: ({ name, vessels }) => `${escaped(clip(name, 100))} · ${counted(vessels, 'vessel')}`,
    hint: ['Ask for one with `/nextport fleet:NAME`; watch it with `/watch fleet:NAME`'],
  });
}

const emptyView = (heading: string, example: string, moreAdvice = ''): Message => ({
  text: `${heading}. For example: /${example}`,
  blocks: sections([`*${heading}*`, `For example: \`/${example}\`${moreAdvice}`]),
});

function listView<Item>(
  { line, page: number }: Paged,
  items: readonly Item[],
  list: {
    heading: string;
    pageSize: number;
    columns: readonly string[];
    rowOf: (item: Item) => readonly Cell[];
    /** Escaped. */
    lineOf: (item: Item) => string;
    hint?: readonly string[];
    buttons?: LineButtons;
  },
): Message {
  const { heading, pageSize, columns, rowOf, lineOf, hint = [], buttons = [] } = list;
  const page = paged(items, number, pageSize);
  const lines = page.items.map(lineOf);
  const [first = '', ...others] = lines;
  return {
    text: joinText([`${heading}: ${first}`, ...others]),
    ...blocksOf([
      ...sections([`*${heading}*`]),
      ...dataTable({
        caption: heading,
        columns: columns.map((header) => ({ header })),
        rows: page.items.map(rowOf),
        lines,
      }),
      ...smallPrint([...shownNote(page, pageSize), ...hint]),
      ...actions([
        ...lineButtons([...pageButtons(line, page, pageSize), ...buttons]),
        button({ id: actionIds.refresh, label: 'Refresh', value: line }),
      ]),
    ]),
  };
}

function fleetView({ name, vessels, added, removed, watches }: AnswerOf<'fleet'>): Message {
  const heading = `Fleet ${escaped(clip(name, 100))}, ${counted(vessels.length, 'vessel')}`;
  const itsWatches = watches === 1 ? 'its watch' : `its ${watches} watches`;
  const change = [
    ...(added > 0 ? [`${added} added${watches > 0 ? `, also to ${itsWatches}` : ''}`] : []),
    ...(removed > 0 ? [`${removed} removed${watches > 0 ? `, also from ${itsWatches}` : ''}`] : []),
  ].join('; ');
  const listed = vessels.map((vessel) => escaped(vesselListed(vessel)));
  const subject = formatFleetName(name);
  const buttons = [
    { label: 'Next ports', line: `nextport ${subject}` },
    { label: 'Watch', line: `watch ${subject}` },
    { label: 'All fleets', line: 'vessel fleets' },
  ];
  return {
    text: `${heading}${change && ` (${change})`}: ${joinWithin(listed, ', ', limits.messageText - 600)}`,
    ...blocksOf([
      ...sections([`*${heading}*`, ...(change === '' ? [] : [`${change}.`])]),
      ...dataTable({
        caption: `Fleet ${clip(name, 100)}`,
        columns: [{ header: 'Vessel' }, { header: 'IMO' }],
        rows: vessels.map((vessel) => [vesselShort(vessel), { value: vessel.imo, text: String(vessel.imo) }]),
        lines: [listed.join(', ')],
      }),
      ...actions(lineButtons(buttons)),
    ]),
  };
}

function fileView({ vessels, fleets }: AnswerOf<'vessel-file'>): Message {
  const content = [counted(vessels, 'name'), ...(fleets > 0 ? [counted(fleets, 'fleet')] : [])].join(' and ');
  return plainView(
    `${content}: the file is in your direct messages with me. Share it with me there to import it again.`,
  );
}

const charactersPerPage = 7_500;

function exportView({
  line,
  page: number,
  header,
  rows,
  advice: fileAdvice,
}: AnswerOf<'vessel-export'>): Message {
  if (rows.length === 0) return plainView('No vessel has a name here yet, so there is nothing to export.');
  const page = paged(packLines(rows.map(csvLine), charactersPerPage), number, 1);
  const part = page.pages > 1 ? `, part ${page.page} of ${page.pages}` : '';
  const heading = `${counted(rows.length, 'name')} as CSV${part}`;
  const advice = 'copy it into a file; share that with me in a direct message to import it again';
  const lines = [csvLine(header), ...page.items.flatMap((text) => text.split('\n'))];
  return {
    text: `${heading}: ${advice}`,
    blocks: [
      ...sections([`*${heading}*: ${advice}.`]),
      // Six characters are for the backticks around the block.
      ...packLines(lines, limits.sectionText - 6).flatMap((text) => sections([codeBlock([text])])),
      ...(fileAdvice ? [context(`Landfall may not send you a file. ${escaped(fileAdvice)}`)] : []),
      ...actions(lineButtons(pageButtons(line, page, 1))),
    ],
  };
}

const csvLine = (row: string): string => codeLine(clip(row, 1_000));

function howToImport(): Message {
  const heading = 'Share a CSV file with me in a direct message, one row per vessel or booking';
  return {
    text: `${heading}, with its IMO number or its name`,
    blocks: sections([
      `*${heading}*`,
      codeBlock([
        'vessel;imo;booking no.;b/l no.;customer',
        'DS CYPRESS;9461477;BK123;MEDU4711;ACME',
        'MSC DIANA;;BK124;;',
      ]),
      'The headings say what the columns hold, in any order and the usual spellings. Booking, B/L, customer, shipment, order and reference columns become references; `fleets` puts the vessel into fleets. Separate several in a cell with a bar: NORTH | SOUTH.',
      'A row without an IMO number is about the vessel of that name, if the name is known here. The answer says which columns and rows were not used, and why; the others are imported. At most 5 MB and 50,000 rows. A workspace can have 20,000 references on 5,000 vessels.',
    ]),
  };
}
