import type { Answer, AnswerButton, Verdict } from '../../answers/answer.ts';
import { counted } from '../../answers/formatting/words.ts';
import { forgottenName, joined, linked, present, type Text } from '../../answers/text.ts';
import { ownLines } from '../../errors.ts';
import type { Plan } from './plan.ts';
import type { ReadTable, Stored } from './read-stored.ts';

export const forgetId = 'stored-data:forget';

/** `person`: somebody whom an admin forgets. */
export type Subject = { kind: 'self' } | { kind: 'person'; userId: string } | { kind: 'workspace' };

/** Asks, and deletes nothing. `value`: of the button. `isBegun`: some of it is deleted already. */
export function forgetQuestion(
  subject: Subject,
  plan: Plan,
  { value, isBegun = false }: { value: string; isBegun?: boolean },
): Answer {
  const lines = subject.kind === 'workspace' ? linesOfWorkspace(plan) : linesOfPerson(subject, plan);
  if (lines.length === 0) return nothingStored(subject);
  return {
    isOwn: true,
    verdict: {
      strong: isBegun
        ? 'Not everything is deleted yet'
        : ['Delete what is stored about ', whom(subject), '?'],
      ...(isBegun && { rest: ': there is much of it. Press the button again to go on.' }),
      lines,
    },
    notes: ['Messages that were posted stay in Slack', 'backups are deleted by the operator'],
    actions: { runs: present(deleteButton(subject, { value, isBegun }), exportButton(subject)) },
  };
}

const nothingStored = (subject: Subject): Answer => ({
  isOwn: true,
  verdict: { strong: ['Nothing is stored about ', whom(subject)], rest: ', so there is nothing to delete.' },
});

function whom(subject: Subject): Text {
  if (subject.kind === 'person') return { person: subject.userId };
  return subject.kind === 'self' ? 'you' : 'this workspace';
}

/** None if nothing is stored about them. */
function linesOfPerson(subject: Subject, { things, saved, ...plan }: Plan): Text[] {
  const isOwn = subject.kind === 'self';
  const deleted = listed(
    ...things.map(
      ({ noun, personal }): Part => [personal, `personal ${noun.singular}`, `personal ${noun.plural}`],
    ),
    [plan.tokens, 'token for assistants', 'tokens for assistants'],
    [plan.imports, 'import that waits', 'imports that wait'],
    [plan.messages, 'message as it was recorded', 'messages as they were recorded'],
  );
  const stopped = listed(
    ...things.map(({ noun, inChannels }): Part => [inChannels, noun.singular, noun.plural]),
  );
  const lists = things
    .filter(({ inChannels }) => inChannels > 0)
    .map(({ lists: { mine } }): Text => ({ code: `/${mine}` }));
  const handOver: Text = isOwn
    ? [
        'Hand over what should go on first: ',
        joined(lists, ' and '),
        lists.length > 1 ? ' list them.' : ' lists them.',
      ]
    : ['If they should go on, hand them over first: ', { code: `/${ownLines.overview} hand over` }, '.'];
  const kept = listed(...saved.map(({ noun, plural, count }): Part => [count, noun, plural]), [
    plan.changes,
    'entry in the log of changes',
    'entries in the log of changes',
  ]);
  return present<Text>(
    deleted !== '' && `Deleted: ${deleted}.`,
    stopped !== '' && [`Stopped for everybody: ${stopped} in channels. `, handOver],
    plan.assigned > 0 && `Open again for others: ${counted(plan.assigned, 'alert')}.`,
    kept !== '' &&
      `Stays for the workspace: ${kept}. Instead of ${isOwn ? 'you' : 'them'}, “${forgottenName}” stands there.`,
    // Its number would say how much an admin doesn't see.
    !isOwn && "What is in private channels that you aren't in, and what is theirs alone, goes too.",
  );
}

function linesOfWorkspace({ things, saved, ...plan }: Plan): Text[] {
  const deleted = listed(
    ...things.map(
      ({ noun, personal, inChannels }): Part => [personal + inChannels, noun.singular, noun.plural],
    ),
    ...saved.map(({ noun, plural, count }): Part => [count, noun, plural]),
    [plan.tokens, 'token for assistants', 'tokens for assistants'],
    [plan.changes, 'entry in the log of changes', 'entries in the log of changes'],
  );
  return [
    ...(deleted === '' ? [] : [`Deleted for everybody: ${deleted}.`]),
    'Deleted too: alerts, the history of predictions, counts of calls, and messages that wait. The cards of watches say that they are stopped.',
    [
      'Stays: Landfall is still installed, and the account of the analytics service still connected; ',
      { code: `/${ownLines.account}` },
      " disconnects it. The log says who deleted everything, and today's calls still count.",
    ],
  ];
}

function deleteButton(
  subject: Subject,
  { value, isBegun }: { value: string; isBegun: boolean },
): AnswerButton {
  const press = { press: forgetId, value, isDangerous: true };
  if (isBegun) return { label: 'Go on', ...press };
  const cannot = "This can't be undone.";
  const words = {
    self: {
      label: 'Forget me …',
      title: 'Delete what is stored about you?',
      question: 'What the message lists is deleted or stopped.',
    },
    person: {
      label: 'Forget them …',
      title: 'Delete what is stored about them?',
      question: 'What the message lists is deleted or stopped.',
    },
    workspace: {
      label: 'Delete everything …',
      title: 'Delete everything?',
      question:
        'All watches, digests, names, fleets and history of this workspace are deleted, for everybody.',
    },
  }[subject.kind];
  const { label, title, question } = words;
  const yes = subject.kind === 'workspace' ? 'Delete everything' : 'Forget';
  return { label, ...press, confirm: { title, question: `${question} ${cannot}`, yes } };
}

const exportButton = (subject: Subject): AnswerButton | false =>
  subject.kind !== 'person' && {
    label: 'Export it first',
    line: subject.kind === 'self' ? ownLines.export : `${ownLines.export} workspace`,
  };

export const forgottenAnswer = (subject: Subject): Answer => ({
  isOwn: true,
  verdict: forgottenVerdicts[subject.kind](subject),
});

const forgottenVerdicts: Record<Subject['kind'], (subject: Subject) => Verdict> = {
  self: () => ({
    strong: 'What was stored about you is deleted',
    rest: '. If you ask something again, Landfall treats you as somebody new.',
  }),
  person: (subject) => ({ strong: ['What was stored about ', whom(subject), ' is deleted'], rest: '.' }),
  workspace: () => ({
    strong: 'What was stored about this workspace is deleted',
    rest: [
      '. The account of the analytics service is still connected: ',
      { code: `/${ownLines.account}` },
      ' disconnects it.',
    ],
  }),
};

interface SentFile {
  file: string;
  isWorkspace: boolean;
  /** Slack's link to the direct message with the file. */
  url?: string | undefined;
}

export function exportedAnswer({ tables, isCut }: Stored, { file, isWorkspace, url }: SentFile): Answer {
  const rows = tables.reduce((sum, table) => sum + table.rows.length, 0);
  const inFile = partsOf(tables, (table) => table.rows.length);
  const left = partsOf(tables, (table) => table.total - table.rows.length);
  return {
    isOwn: true,
    verdict: {
      strong: [`Sent ${file} (${counted(rows, 'row')}) to `, linked(url, 'your direct messages')],
      lines: present<Text>(
        inFile !== '' && `In it: ${inFile}.`,
        left !== '' && `Only counted: ${left}.`,
        isCut && 'There is more than fits: the file has the newest rows.',
      ),
    },
    notes: present(
      isWorkspace && 'without what is in channels that you are not in, and what is personal to others',
      isWorkspace && 'predictions are only counted',
      'JSON, without secrets',
    ),
    ...(!isWorkspace && { actions: { runs: [{ label: 'Delete what is stored …', line: ownLines.forget }] } }),
  };
}

/** What an answer names, in this order; the file has more. */
const named: readonly (readonly [table: ReadTable['table'], noun: string, plural: string])[] = [
  ['watches', 'watch', 'watches'],
  ['digests', 'digest', 'digests'],
  ['alerts', 'alert', 'alerts'],
  ['promises', 'promise', 'promises'],
  ['vessel_names', 'name of a vessel', 'names of vessels'],
  ['vessel_references', 'vessel with references', 'vessels with references'],
  ['fleets', 'fleet', 'fleets'],
  ['port_groups', 'group of ports', 'groups of ports'],
  ['channels', 'channel with settings', 'channels with settings'],
  ['assistant_tokens', 'token for assistants', 'tokens for assistants'],
  ['imports', 'import', 'imports'],
  ['outbox', 'message', 'messages'],
  ['history', 'prediction', 'predictions'],
  ['finished_calls', 'finished call', 'finished calls'],
  ['audit', 'entry in the log of changes', 'entries in the log of changes'],
];

function partsOf(tables: readonly ReadTable[], countOf: (table: ReadTable) => number): string {
  const counts = new Map(tables.map((table) => [table.table, countOf(table)]));
  return listed(...named.map(([table, noun, plural]): Part => [counts.get(table) ?? 0, noun, plural]));
}

export const unsentAnswer = (file: string, advice: string | undefined, line: string): Answer => ({
  isOwn: true,
  verdict: {
    strong: `Slack didn't take the file ${file}`,
    rest: '.',
    lines: [advice ?? 'Please try again in a minute.'],
  },
  actions: { runs: [{ label: 'Try again', line }] },
});

type Part = readonly [count: number, noun: string, plural: string];

/** `1 fleet, 2 promises and 3 tokens`; leaves out what there is none of. */
function listed(...parts: readonly Part[]): string {
  const words = parts.filter(([count]) => count > 0).map((part) => counted(...part));
  const last = words.pop();
  if (last === undefined) return '';
  return words.length === 0 ? last : `${words.join(', ')} and ${last}`;
}
