import type { Answer, AnswerButton, Verdict } from '../../answers/answer.ts';
import { counted, figure } from '../../answers/formatting/words.ts';
import { linked, present, type Text } from '../../answers/text.ts';
import { ownLines } from '../../errors.ts';
import type { Plan } from './plan.ts';
import { maxCounted, type ReadTable, type Stored } from './read-stored.ts';

export const forgetId = 'stored-data:forget';

/** `person`: somebody whom an admin forgets. */
export type Subject = { kind: 'self' } | { kind: 'person'; userId: string } | { kind: 'workspace' };

/** Asks, and deletes nothing. `value`: of the button. `isBegun`: some of it is deleted already. */
export function forgetQuestion(
  subject: Subject,
  plan: Plan,
  { value, isBegun = false }: { value: string; isBegun?: boolean },
): Answer {
  return {
    isOwn: true,
    verdict: {
      strong: isBegun
        ? 'Not everything is deleted yet'
        : ['Delete what is stored about ', whom(subject), '?'],
      ...(isBegun && { rest: ': there is much of it. Press the button again to go on.' }),
      lines: subject.kind === 'workspace' ? linesOfWorkspace(plan) : linesOfPerson(subject, plan),
    },
    notes: ['Messages that were posted stay in Slack', 'backups are kept as whoever runs Landfall has set'],
    actions: { runs: present(deleteButton(subject, { value, isBegun }), exportButton(subject)) },
  };
}

function whom(subject: Subject): Text {
  if (subject.kind === 'person') return { person: subject.userId };
  return subject.kind === 'self' ? 'you' : 'this workspace';
}

function linesOfPerson(subject: Subject, { things, ...plan }: Plan): Text[] {
  const isOwn = subject.kind === 'self';
  const [their, are] = isOwn ? ['your', 'are assigned to you'] : ['their', 'are assigned to them'];
  const ended = listed(
    ...things.map(({ noun, personal }) =>
      some(personal, `personal ${noun.singular}`, `personal ${noun.plural}`),
    ),
    some(plan.tokens, 'token for assistants', 'tokens for assistants'),
    some(plan.imports, 'import that waits', 'imports that wait'),
    some(plan.waiting, 'message that waits', 'messages that wait'),
  );
  const inChannels = things.filter((thing) => thing.inChannels > 0);
  const stopped = listed(
    ...inChannels.map(({ noun, inChannels: count }) => some(count, noun.singular, noun.plural)),
  );
  const lists = inChannels.map(
    ({ noun, lists: { mine } }): Text => [` ${noun.plural} `, { code: `/${mine}` }],
  );
  const handOver = isOwn
    ? ['. Hand over what should go on first:', lists.map((list, index) => [index > 0 ? ',' : '', list]), '.']
    : '. If they should go on, hand them over first, in their channels.';
  const kept = listed(
    some(
      plan.saved,
      'name, reference, fleet, promise or setting',
      'names, references, fleets, promises or settings',
    ),
    some(plan.changes, 'entry in the log of changes', 'entries in the log of changes'),
  );
  return present<Text>(
    ended !== '' && [{ strong: 'Deleted: ' }, `${their} ${ended}.`],
    stopped !== '' && [{ strong: 'Stopped for everybody: ' }, `${their} ${stopped} in channels`, handOver],
    plan.assigned > 0 && [
      { strong: 'Open again for others: ' },
      `${counted(plan.assigned, 'alert')} that ${are}.`,
    ],
    [
      { strong: 'Stays for the workspace, without the name: ' },
      kept === '' ? 'nothing.' : `${kept}. They show “someone who was forgotten”.`,
    ],
    isOwn ? 'You can go on using Landfall afterwards; it then knows nothing about you.' : false,
  );
}

function linesOfWorkspace({ things, ...plan }: Plan): Text[] {
  const deleted = listed(
    ...things.map(({ noun, personal, inChannels }) =>
      some(personal + inChannels, noun.singular, noun.plural),
    ),
    some(
      plan.saved,
      'name, reference, fleet, promise or setting',
      'names, references, fleets, promises or settings',
    ),
    some(plan.tokens, 'token for assistants', 'tokens for assistants'),
    some(plan.changes, 'entry in the log of changes', 'entries in the log of changes'),
  );
  return [
    [
      { strong: 'Deleted for everybody: ' },
      `${deleted === '' ? '' : `${deleted}, `}alerts, the history of predictions, counts of calls, and messages that wait. The cards of watches say that they are stopped.`,
    ],
    [
      { strong: 'Stays: ' },
      'Landfall is still installed, and the account of the analytics service still connected: ',
      { code: `/${ownLines.account}` },
      ' disconnects it. The log says who deleted everything, and today’s calls still count.',
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
      title: 'Forget you?',
      question: 'What the message lists is deleted or stopped.',
    },
    person: {
      label: 'Forget them …',
      title: 'Forget them?',
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
  const withheld = tables.filter((table) => table.rows.length < table.total).map(leftOut);
  return {
    isOwn: true,
    verdict: {
      strong: [`Sent ${file} (${counted(rows, 'row')}) to `, linked(url, 'your direct messages')],
      lines: present<Text>(
        isWorkspace && withheld.length > 0 && `Only counted: ${withheld.join(', ')}.`,
        isCut && 'The file has the newest rows only: there are more than fit.',
      ),
    },
    notes: present(
      isWorkspace &&
        'without the contents of channels that you are not in, and of what is personal to others',
      isWorkspace && 'predictions are counts only',
      'JSON, without secrets',
    ),
    ...(!isWorkspace && { actions: { runs: [{ label: 'Delete it …', line: ownLines.forget }] } }),
  };
}

function leftOut({ table, rows, total }: ReadTable): string {
  const more = total - rows.length;
  const count = total === maxCounted ? `more than ${figure(more)}` : figure(more);
  return `${count} ${table.replaceAll('_', ' ')}`;
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

/** `a`, `a and b`, `a, b and c`; leaves out what is empty. */
function listed(...parts: readonly string[]): string {
  const [last, ...others] = parts.filter((part) => part !== '').reverse();
  if (last === undefined) return '';
  return others.length === 0 ? last : `${others.reverse().join(', ')} and ${last}`;
}

const some = (count: number, noun: string, plural: string): string =>
  count === 0 ? '' : counted(count, noun, plural);
