import { type Answer, type AnswerAction, callsAt, watchPort } from '../../answers/answer.ts';
import { counted } from '../../answers/formatting/words.ts';
import { text } from '../../answers/kinds.ts';
import { clip } from '../../answers/message.ts';
import { table } from '../../answers/table.ts';
import { joined, present, type Text } from '../../answers/text.ts';
import type { UserError } from '../../errors.ts';
import { formatPorts, unknownGroup } from '../../grammar/port.ts';
import { groupOf, type Locode } from '../../reference/codes.ts';
import { portName } from '../../reference/ports.ts';
import { type AskCtx, example, type FollowingWatch } from '../ctx.ts';
import { readAllDigests } from '../digests/index.ts';
import { placeInWords } from '../owned/index.ts';
import { countListed, nameable } from '../scope.ts';
import { changeGroup, findGroup, type GroupChanged, groupsHere, type StoredGroup } from './store.ts';
import { formatChange, formatGroup, formatGroups, type GroupChange, groupExample } from './words.ts';

export const groupsTable = table<StoredGroup>({
  name: 'port-groups',
  about: 'A group of ports of this workspace',
  columns: {
    group: text('Group', 'its name', ({ name }) => name),
    ports: text('Ports', 'its ports, as UN/LOCODEs', ({ ports }) => ports.join(' '), {
      words: ({ ports }) => namesOf(ports),
    }),
  },
});

const namesOf = (ports: readonly Locode[]): string => ports.map(portName).join(', ');

export async function listGroups(ctx: AskCtx): Promise<Answer> {
  const rows = await groupsHere(ctx);
  const [first] = rows;
  if (!first)
    return {
      isOwn: true,
      verdict: { strong: 'No groups of ports yet', lines: [['For example: ', { code: `/${groupExample}` }]] },
    };
  return {
    isOwn: 'list',
    verdict: { strong: counted(rows.length, 'group of ports', 'groups of ports') },
    sections: [groupsTable.of({ caption: 'Groups of ports', rows })],
    notes: [
      [
        'A name works wherever a port does: ',
        { code: `/${example(callsAt(groupOf(first.name)), ctx.registry)}` },
      ],
    ],
  };
}

/** Throws UserError if there is no such group. */
async function getGroup(name: string, ctx: AskCtx): Promise<StoredGroup> {
  const group = await findGroup(name, ctx);
  if (group) return group;
  throw unknownGroupHere(name, ctx.vessels);
}

export const unknownGroupHere = (name: string, groups: AskCtx['vessels']): UserError =>
  unknownGroup(groupOf(name), {
    ...{ groups, example: groupExample },
    line: (fixed) => formatGroup(fixed.replace(/^ports:/, '')),
  });

export const showGroup = async ({ name }: { name: string }, ctx: AskCtx): Promise<Answer> =>
  groupAnswer(await getGroup(name, ctx));

/** `change`: what was changed, in words. */
function groupAnswer(
  { name, ports }: Pick<StoredGroup, 'name' | 'ports'>,
  change: readonly Text[] = [],
  undo: readonly AnswerAction[] = [],
): Answer {
  return {
    isOwn: true,
    verdict: { strong: `${name}: ${namesOf(ports)}`, lines: change },
    notes: [ports.join(', ')],
    actions: {
      about: name,
      watch: watchPort(groupOf(name)),
      runs: [
        ...undo,
        { label: `Who is coming to ${name}`, intent: callsAt(groupOf(name)) },
        { label: 'All groups', line: formatGroups() },
      ],
    },
  };
}

/** A group without ports is gone. */
export async function runChange(change: GroupChange, ctx: AskCtx): Promise<Answer> {
  const { name } = change;
  const changed = await changeGroup(change, ctx);
  if ('another' in changed) return question(changed.another, change);
  const { before, after } = changed;
  if (before.length + after.length === 0) throw unknownGroupHere(name, ctx.vessels);
  const undo = undoOf(changed);
  if (after.length > 0) return groupAnswer({ name, ports: after }, await inWords(changed, ctx), undo);
  return {
    isOwn: true,
    verdict: {
      strong: `The group ${name} is gone`,
      rest: ` (${namesOf(before)})`,
      lines: await namedBy(changed, ctx),
    },
    actions: { about: name, runs: [...undo, { label: 'All groups', line: formatGroups() }] },
  };
}

function question({ name, ports, updatedBy }: StoredGroup, change: GroupChange): Answer {
  return {
    isOwn: true,
    verdict: {
      strong: `${name} is ${namesOf(ports)}`,
      rest: joined([', set by ', { person: updatedBy }, '. Nothing has changed yet.'], ''),
      lines: [`Should it be ${namesOf(change.ports)}?`],
    },
    actions: {
      about: name,
      runs: [{ label: 'Replace', line: formatChange({ ...change, change: 'replace' }) }],
    },
  };
}

function undoOf({ name, before, after }: GroupChanged): AnswerAction[] {
  if (before.join() === after.join()) return [];
  const change = before.length > 0 ? 'replace' : 'forget';
  return [{ label: 'Undo', line: formatChange({ name, change, ports: before }) }];
}

/** The watches and digests that name a group that is gone, and what becomes of them. */
async function namedBy({ name, watches }: GroupChanged, ctx: AskCtx): Promise<Text[]> {
  const follow = await nameable(watches, ctx);
  const all = await nameable(await readAllDigests(ctx), ctx);
  const word = formatPorts([groupOf(name)]);
  const ask = all.filter(({ lines }) => lines.some((line) => line.split(/[\s,]+/).includes(word)));
  return present<Text>(
    follow.length > 0 && [
      follow.length === 1
        ? 'Its watch keeps its ports until it is stopped: '
        : `Its ${follow.length} watches keep their ports until they are stopped: `,
      places(follow),
    ],
    ask.length > 0 && [
      ask.length === 1
        ? '🟠 A digest still asks about it, and gets no answer: '
        : `🟠 ${ask.length} digests still ask about it, and get no answer: `,
      places(ask),
    ],
  );
}

const maxPlaces = 5;

/** `Morning in #ops, Evening in #desk and 3 more`. */
function places(things: readonly FollowingWatch[]): Text {
  const shown = things.slice(0, maxPlaces);
  const more = things.length - shown.length;
  return [
    joined(
      shown.map((thing) => [clip(thing.title, 80), ' in ', placeInWords(thing)]),
      ', ',
    ),
    more > 0 ? ` and ${more} more` : '',
  ];
}

/** `It was Rotterdam, Antwerp before.`, `Its watch follows.` */
async function inWords({ before, after, watches }: GroupChanged, ctx: AskCtx): Promise<string[]> {
  const count = await countListed(watches, ctx);
  const isSame = before.join() === after.join();
  return present(
    isSame && 'It was like that already.',
    !isSame && before.length > 0 && `It was ${namesOf(before)} before.`,
    count > 0 && (count === 1 ? 'Its watch follows.' : `Its ${count} watches follow.`),
  );
}
