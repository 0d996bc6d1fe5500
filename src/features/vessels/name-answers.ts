import { type Answer, type AnswerAction, nextPortsOf, watchThese } from '../../answers/answer.ts';
import { counted, type KnownVessel, referenceNote, vesselListed } from '../../answers/formatting/words.ts';
import { imoShown, text, vessel } from '../../answers/kinds.ts';
import { clip, joinClipped, joinWithin, packLines, paged } from '../../answers/message.ts';
import { pageButtons } from '../../answers/slack/answer-message.ts';
import { table } from '../../answers/table.ts';
import { codeLine, forAsker, linked, present, type Text } from '../../answers/text.ts';
import { UserError } from '../../errors.ts';
import type { NamedVessel } from '../../grammar/vessel-directory.ts';
import type { Imo } from '../../reference/codes.ts';
import { type AskCtx, changeBy, directoryFor, knownVessel } from '../ctx.ts';
import { fleetsHere } from '../fleets/index.ts';
import { writeVesselCsv } from './vessel-csv.ts';
import { deleteNames, namedVessels, readDirectory, saveNames } from './vessel-names.ts';
import { formatForget, formatList, formatName, type Imos } from './words.ts';

export interface ListedVessel extends KnownVessel {
  fleets: readonly string[];
  references: readonly string[];
}

/** Several in one cell, as in the file for `vessel import`. */
export const inOneCell = (texts: readonly (string | number)[]): string => texts.join(' | ');

export const namesTable = table<ListedVessel>({
  name: 'vessel-names',
  about: 'A vessel with a name or references in this workspace. For a file to import again: `/vessel export`',
  columns: {
    vessel: vessel('Vessel', (row) => row),
    imo_shown: imoShown('IMO', (row) => row),
    fleets: text('Fleets', 'its fleets, separated by ` | `', ({ fleets }) => inOneCell(fleets), {
      words: ({ fleets }) => joinClipped(fleets, { each: 40, all: 100 }),
    }),
  },
});

export const namesButton: AnswerAction = { label: 'List the names', line: formatList('list') };

export const undoButton = (line: string | undefined): AnswerAction[] =>
  line === undefined ? [] : [{ label: 'Undo', line }];

/** The buttons under an answer about one vessel. */
export const vesselButtons = (imo: Imo): AnswerAction[] => [
  { label: 'Next port', intent: nextPortsOf(imo) },
  { label: 'Watch', intent: watchThese(imo) },
  namesButton,
];

/** What a vessel gets with its name in the form. */
interface FormAdditions {
  fleets: readonly string[];
  references: readonly string[];
}

/**
 * Also adds the vessel to fleets, and references to the vessel, if they come from the form; then the answer has no undo,
 * as no single line could undo all. Vessels may share a name; the answer lists the others.
 */
export async function nameVessel(
  { imo, name }: NamedVessel,
  ctx: AskCtx,
  added?: FormAdditions,
): Promise<Answer> {
  const before = ctx.vessels.nameOf(imo);
  const [hidden] = ctx.vessels.referenced(name).filter((other) => other.imo !== imo);
  const { fleets = [], references = [] } = added ?? {};
  const more = {
    fleets: fleets.map((fleet) => ({ name: fleet, imos: [imo] })),
    references: references.length > 0 ? [{ imo, added: references }] : [],
  };
  await saveNames([{ imo, name }], more, changeBy(ctx), ctx);
  const undo = before === undefined ? formatForget([imo]) : formatName({ imo, name: before });
  return {
    isOwn: true,
    verdict: {
      strong: `IMO ${imo} is now called ${clip(name, 60)}`,
      lines: present<Text>(
        before !== undefined && before !== name && `It was ${clip(before, 60)} before.`,
        namesakeNote(namesakesOf({ imo, name }, ctx)),
        fleets.length > 0 &&
          `In ${fleets.length === 1 ? 'fleet' : 'the fleets'} ${joinClipped(fleets, { each: 100, all: 1_000 })}.`,
        // References are for members, and nobody else reads a private answer.
        ...referenceNote(references).map((words) => forAsker(words)),
        hidden &&
          forAsker(
            `${hidden.reference} is a reference of IMO ${hidden.imo}: names come first, so it finds this vessel now.`,
          ),
      ),
    },
    actions: {
      about: name,
      runs: [...undoButton(added || before === name ? undefined : undo), ...vesselButtons(imo)],
    },
  };
}

/** Other vessels with the same name. */
export const namesakesOf = (
  given: { imo: number; name: string },
  { vessels }: Pick<AskCtx, 'vessels'>,
): Imo[] => vessels.named(given.name).flatMap(({ imo }) => (imo === given.imo ? [] : [imo]));

function namesakeNote([first, ...others]: readonly Imo[]): string | false {
  const vessels = others.length === 0 ? `IMO ${first} has` : `${others.length + 1} other vessels have`;
  return first !== undefined && `${vessels} the same name: I'll ask for the number whenever it is typed.`;
}

export async function forgetNames({ imos }: { imos: Imos }, ctx: AskCtx): Promise<Answer> {
  const forgotten = (await namedVessels(ctx)).filter(({ imo }) => imos.includes(imo));
  const [first, ...others] = forgotten;
  if (!first) {
    throw new UserError({
      code: 'unknown-vessel',
      message:
        imos.length === 1 ? `IMO ${imos[0]} has no name here.` : 'None of these vessels has a name here.',
      choices: [{ label: 'List the names', line: formatList('list') }],
      example: formatList('list'),
    });
  }
  await deleteNames(imos, changeBy(ctx), ctx);
  // A line can give a name to only one vessel, so there is no line that undoes more.
  const undo = others.length === 0 ? formatName(first) : undefined;
  return {
    isOwn: true,
    verdict: { strong: `Forgotten: ${joinWithin(forgotten.map(vesselListed), ', ', 2_000)}` },
    actions: { runs: [...undoButton(undo), namesButton] },
  };
}

const namesPerPage = 40;

export async function listNames({ page: asked }: { page: number }, ctx: AskCtx): Promise<Answer> {
  const { named, fleets, withReferences, rowOf } = await readAll(ctx);
  const others = withReferences.filter((imo) => !named.has(imo));
  // Others can see a list that is public, or in a digest.
  const hidden = ctx.audience === 'private' ? {} : { references: [] };
  const rows = [...named.keys(), ...others].map((imo) => ({ ...rowOf(imo), ...hidden }));
  if (rows.length === 0) return noNames;
  const { items, ...page } = paged(rows, asked, namesPerPage);
  const counts = present(
    named.size > 0 && counted(named.size, 'vessel has a name', 'vessels have names'),
    others.length > 0 && counted(others.length, 'vessel has only references', 'vessels have only references'),
  );
  const strong = `${counts.join(', ')} here`;
  return {
    isOwn: 'list',
    verdict: { strong },
    sections: [namesTable.of({ caption: 'Vessels with names, references and fleets', rows, shown: items })],
    page: { ...page, size: namesPerPage },
    actions: {
      runs: [{ label: 'Export for import', line: formatList('export') }],
      more: fleets.length > 0 ? [{ label: 'Fleets', line: formatList('fleets') }] : [],
    },
  };
}

const noNames: Answer = {
  isOwn: true,
  verdict: {
    strong: 'No vessel has a name here yet',
    lines: [
      [
        ...['For example: ', { code: '/vessel name 9461477 DS CYPRESS' }],
        ...[', or share an Excel or CSV file with me in a direct message: ', { code: '/vessel import' }],
      ],
    ],
  },
};

/** The names, references and fleets that the person may see. `named` is sorted by name. */
export async function readAll(ctx: AskCtx) {
  const [list, fleets, all] = await Promise.all([namedVessels(ctx), fleetsHere(ctx), readDirectory(ctx)]);
  const directory = directoryFor(ctx.actor, all);
  const named = new Map(list.map((each) => [each.imo, each]));
  // Indexes, since there may be thousands of vessels.
  const members = Map.groupBy(
    fleets.flatMap(({ name, imos }) => imos.map((imo) => ({ imo, name }))),
    ({ imo }) => imo,
  );
  const rowOf = (imo: Imo): ListedVessel => ({
    ...(named.get(imo) ?? knownVessel(imo, directory)),
    fleets: (members.get(imo) ?? []).map(({ name }) => name),
    references: directory.referencesOf(imo),
  });
  return { named, fleets, withReferences: directory.withReferences(), rowOf };
}

/** What a message can show. */
const charactersPerPage = 6_000;

/** Sends a file that `vessel import` can read. If that fails, the answer shows a page of its text. */
export async function exportNames({ page: asked }: { page: number }, ctx: AskCtx): Promise<Answer> {
  const { named, fleets, withReferences, rowOf } = await readAll(ctx);
  // Those that have a name, then those that are only in a fleet, then those that have only references.
  const members = fleets.flatMap(({ imos }) => imos).sort((first, second) => first - second);
  const imos = new Set([...named.keys(), ...members, ...withReferences]);
  const content = writeVesselCsv(
    [...imos].map((imo) => ({ ...rowOf(imo), name: named.get(imo)?.name ?? null })),
  );
  const [header = '', ...rows] = content.split('\r\n').filter((row) => row !== '');
  const file = { name: 'vessels.csv', title: 'Vessel names, fleets and references', content };
  const outcome =
    asked === 1 && rows.length > 0
      ? await ctx.services.slack.sendFile(ctx.actor.userId, file)
      : { isSent: false as const };
  if (outcome.isSent) {
    const parts = present(counted(named.size, 'name'), fleets.length > 0 && counted(fleets.length, 'fleet'));
    return exportedAnswer(parts.join(' and '), [
      ': the file is in ',
      linked(outcome.url, 'your direct messages'),
      '. Share it with me there to import it again.',
    ]);
  }
  if (rows.length === 0)
    return exportedAnswer('No vessel has a name here yet', ', so there is nothing to export.');
  // Slack counts what is escaped.
  const sizes = packLines(rows.map(codeLine), charactersPerPage).map((part) => part.split('\n').length);
  const { items, ...page } = paged(sizes, asked, 1);
  const from = sizes.slice(0, page.page - 1).reduce((sum, size) => sum + size, 0);
  const part = page.pages > 1 ? `, part ${page.page} of ${page.pages}` : '';
  const { advice } = outcome;
  return {
    isOwn: true,
    verdict: {
      strong: `${counted(rows.length, 'name')} as CSV${part}`,
      rest: ': copy it into a file; share that with me in a direct message to import it again.',
    },
    sections: [{ kind: 'code', lines: [header, ...rows.slice(from, from + (items[0] ?? 0))] }],
    notes: present(advice !== undefined && `Landfall may not send you a file. ${advice}`),
    actions: { runs: pageButtons(formatList('export', page.page), page, 1) },
  };
}

const exportedAnswer = (strong: string, rest: Text): Answer => ({
  isOwn: true,
  verdict: { strong, rest },
  actions: { runs: [namesButton] },
});
