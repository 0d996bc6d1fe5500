import { z } from 'zod';
import { isoDay } from '../../answers/formatting/times.ts';
import { ownLines, UserError } from '../../errors.ts';
import { formatPerson, howToNamePerson, joinWords, quote, readPerson } from '../../grammar/line.ts';
import { command, replyTo, variant } from '../command.ts';
import { type AskCtx, changeBy, checkIsStillAdmin, type Question } from '../ctx.ts';
import type { Action, Feature } from '../feature.ts';
import {
  exportedAnswer,
  forgetId,
  forgetQuestion,
  forgottenAnswer,
  type Subject,
  unsentAnswer,
} from './answer.ts';
import { forgetPerson, forgetWorkspace } from './forget.ts';
import { readPlan } from './plan.ts';
import { readOwn, readWorkspace, toFile } from './read-stored.ts';

const ofWorkspace = 'workspace';

const formatExported = ({ isWorkspace }: { isWorkspace: boolean }): string =>
  joinWords(ownLines.export, isWorkspace ? ofWorkspace : '');

const exported = variant<{ isWorkspace: boolean }>({
  format: formatExported,
  // Everybody may have their own, guests too.
  effect: 'opens',
  privacy: 'never-shared',
  of: 'workspace',
  async run({ isWorkspace }, ctx) {
    const { slack, audited, newId, store } = ctx.services;
    if (isWorkspace) await checkIsStillAdmin(ctx, slack, adminsOnly);
    const stored = await (isWorkspace ? readWorkspace(ctx) : readOwn(ctx));
    const { userId, zone = 'UTC' } = ctx.actor;
    const file = `landfall-${isWorkspace ? 'workspace' : 'about-me'}-${isoDay(ctx.now(), zone)}.json`;
    const about = {
      of: isWorkspace ? 'workspace' : 'person',
      ...{ workspace: store.workspaceId, person: userId, exportedAt: ctx.now() },
    };
    const sent = await slack.sendFile(userId, { name: file, title: file, content: toFile(stored, about) });
    if (!sent.isSent) return unsentAnswer(file, sent.advice, formatExported({ isWorkspace }));
    const { actorId, now: at } = changeBy(ctx);
    const [action, subject] = isWorkspace
      ? ['workspace.export', 'the workspace']
      : ['person.export', 'themselves'];
    await audited((_, record) => record({ id: newId(), at, actorId, action, subject }));
    return exportedAnswer(stored, { file, isWorkspace, url: sent.url });
  },
});

const forget = variant<Subject>({
  format: (subject) =>
    joinWords(
      ownLines.forget,
      subject.kind === 'workspace' ? ofWorkspace : '',
      subject.kind === 'person' ? formatPerson(subject.userId) : '',
    ),
  // It only asks. Everybody may, guests too.
  effect: 'opens',
  privacy: 'never-shared',
  of: 'workspace',
  run: (subject, ctx) => askToForget(settled(subject, ctx), ctx),
});

/** People may name themselves. */
const settled = (subject: Subject, { actor }: AskCtx): Subject =>
  subject.kind === 'person' && subject.userId === actor.userId ? { kind: 'self' } : subject;

/** `id`: of the audit entry. */
const button = z.object({
  id: z.string().min(1).max(64),
  of: z.union([z.literal(['self', 'workspace']), z.object({ userId: z.string().regex(/^[UW][A-Z0-9]+$/) })]),
});

async function askToForget(
  subject: Subject,
  ctx: AskCtx,
  { id = ctx.services.newId(), isBegun = false } = {},
) {
  await checkMayForget(subject, ctx);
  const of = subject.kind === 'person' ? { userId: subject.userId } : subject.kind;
  const value = JSON.stringify({ id, of } satisfies z.infer<typeof button>);
  const seenBy = subject.kind === 'person' ? ctx : undefined;
  const plan = await readPlan(ownerOf(subject, ctx), ctx, { seenBy });
  return forgetQuestion(subject, plan, { value, isBegun });
}

/** Undefined for the whole workspace. */
function ownerOf(subject: Subject, { actor }: AskCtx): string | undefined {
  if (subject.kind === 'workspace') return undefined;
  return subject.kind === 'self' ? actor.userId : subject.userId;
}

async function checkMayForget(subject: Subject, ctx: AskCtx): Promise<void> {
  if (subject.kind === 'self') return;
  await checkIsStillAdmin(ctx, ctx.services.slack, adminsOnly);
  if (subject.kind === 'person' && subject.userId === ctx.services.botUserId)
    throw new UserError({
      code: 'unknown-person',
      message: 'That is Landfall itself. Nothing was deleted.',
      example: ownLines.forget,
    });
}

/** Well before the deadline of an answer: what is left then is asked about again. */
const maxMs = 6_000;

export const forgetAction: Action = {
  id: forgetId,
  replacesMessage: true,
  onlyAsks: true,
  async run(value, ctx) {
    const { id, of } = button.parse(JSON.parse(value));
    const subject = settled(typeof of === 'string' ? { kind: of } : { kind: 'person', ...of }, ctx);
    await checkMayForget(subject, ctx);
    const { realNow } = ctx.services;
    const until = realNow() + maxMs;
    const forgetting = { entryId: id, by: changeBy(ctx), mayGoOn: () => realNow() < until };
    const userId = ownerOf(subject, ctx);
    const isDone =
      userId === undefined
        ? await forgetWorkspace(forgetting, ctx)
        : await forgetPerson(userId, forgetting, ctx);
    const answer = isDone ? forgottenAnswer(subject) : await askToForget(subject, ctx, { id, isBegun: true });
    return replyTo(answer, ctx);
  },
};

const adminsOnly = (): UserError =>
  new UserError({
    code: 'not-allowed',
    message:
      'Only workspace admins can export or delete what is stored about others, or about the workspace.',
    hint: 'You can do both with what is stored about you.',
    choices: [
      { label: 'Export mine', line: ownLines.export },
      { label: 'Delete mine …', line: ownLines.forget },
    ],
  });

const mine =
  '(?:my(?: own)? (?:personal )?(?:data|information|info)|(?:everything|what|all(?: that)?|the (?:data|information)) (?:that )?(?:you|landfall|the bot) (?:have|has|store|stores|keep|keeps|know|knows)(?: stored)? (?:about|on|of) me)';

const exportQuestions: readonly Question[] = [
  {
    example: 'What do you store about me?',
    asked: [
      `(?:what|which data|which information)(?: data| information| personal data)? (?:do you|does landfall|does the bot|is) (?:store|stored|keep|kept|hold|held|have|know|collect|save|saved)(?: stored)? (?:about|on|of) me`,
      `(?:export|download|send(?: me)?|give me|get|show(?: me)?|(?:a )?copy of) (?:a copy of )?${mine}`,
      '(?:gdpr|privacy|data protection|personal data|data privacy|my data|my personal data)(?: (?:request|export|access))?',
      'do you (?:store|keep|have|collect) (?:any )?(?:personal data|data (?:about|on) me|anything about me)',
    ],
    words: '',
  },
];

const forgetQuestions: readonly Question[] = [
  {
    example: 'Delete my data',
    asked: [
      `(?:delete|erase|remove|wipe|clear|forget) ${mine}`,
      'forget (?:about )?me',
      '(?:gdpr )?(?:erasure|deletion)(?: request)?',
      'right to be forgotten',
      '(?:how (?:do|can) i|can i|i want to) (?:delete|erase|remove) (?:my (?:personal )?data|what you (?:store|know) about me)',
    ],
    words: '',
  },
];

const exportCommand = command({
  name: 'export',
  isUnderLandfall: true,
  summary: 'Sends you what is stored about you as a file; admins can have that of the workspace',
  usage: `[${ofWorkspace}]`,
  examples: [ownLines.export, `${ownLines.export} ${ofWorkspace}`],
  questions: exportQuestions,
  meanings: [{ name: 'export', words: () => '' }],
  variants: [exported],
  parse(words) {
    const typed = words.trim().toLowerCase();
    if (typed === '' || typed === ofWorkspace) return exported.of({ isWorkspace: typed !== '' });
    throw new UserError({
      code: 'unexpected-words',
      message: `${quote(words.trim())} can't follow “export”, which sends what is stored about you.`,
      hint: 'Any answer with a table can be sent as a file: add “as csv” or “as xlsx” to its line.',
      example: ownLines.export,
    });
  },
});

const forgetCommand = command({
  name: 'forget',
  // It also begins other sentences: `forget the name EVER GIVEN`.
  verbs: ['forget'],
  isUnderLandfall: true,
  summary:
    'Deletes what is stored about you, and asks first; admins can do that for others and the workspace',
  usage: `[@person | ${ofWorkspace}]`,
  examples: [ownLines.forget, `${ownLines.forget} ${ofWorkspace}`],
  questions: forgetQuestions,
  meanings: [{ name: 'forget', words: () => '' }],
  variants: [forget],
  parse(words) {
    const typed = words.trim();
    const userId = readPerson(typed);
    if (userId !== undefined) return forget.of({ kind: 'person', userId });
    if (/^(?:about )?(?:me|myself)?$/i.test(typed)) return forget.of({ kind: 'self' });
    if (typed.toLowerCase() === ofWorkspace) return forget.of({ kind: 'workspace' });
    throw new UserError({
      code: 'unexpected-words',
      message: `${quote(typed)} can't follow “forget”, which deletes what is stored about a person. Nothing was deleted.`,
      hint: howToNamePerson,
      example: ownLines.forget,
    });
  },
});

/** What is stored about a person, or the workspace: as a file, and the end of it. */
export const storedData: Feature = {
  commands: [exportCommand, forgetCommand],
  actions: [forgetAction],
};
