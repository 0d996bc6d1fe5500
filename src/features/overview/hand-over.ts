import { z } from 'zod';
import type { Answer } from '../../answers/answer.ts';
import { type FormView, fieldText, readFields, rethrowBeside } from '../../answers/fields.ts';
import { capitalised } from '../../answers/formatting/words.ts';
import { clip } from '../../answers/message.ts';
import type { Text } from '../../answers/text.ts';
import { ownLines, UserError } from '../../errors.ts';
import { replyOf } from '../command.ts';
import { type AskCtx, actorIn, checkIsStillAdmin } from '../ctx.ts';
import { type Action, form } from '../feature.ts';
import { countedThings, type HandOverTarget, handOverId, isHandable } from './answer.ts';
import { countsOf, type Thing } from './read-things.ts';
import { readOverview } from './visible.ts';

export const adminsOnly = (): UserError =>
  new UserError({
    code: 'not-allowed',
    message: 'Only workspace admins can see what everybody has set up.',
    hint: 'A workspace admin or owner can look it up for you.',
    isPersonal: true,
  });

interface HandedOver {
  done: readonly Thing[];
  /** What stays with its owner, and why. */
  failed: readonly { thing: Thing; error: UserError }[];
}

/** Throws UserError for people who are not admins, and if there is nothing to hand over, as after a second click. */
async function thingsToHandOver(target: HandOverTarget, ctx: AskCtx): Promise<Thing[]> {
  await checkIsStillAdmin(ctx, ctx.services.slack, adminsOnly);
  const { things } = await readOverview(ctx);
  const found = things.filter(
    (thing) =>
      isHandable(thing) &&
      (target.kind === 'owner'
        ? thing.ownerId === target.id
        : thing.kind === target.kind && thing.id === target.id),
  );
  if (found.length > 0) return found;
  throw new UserError({
    code: 'not-allowed',
    message:
      target.kind === 'owner'
        ? 'That person has no watches and digests that you may see, so nothing was handed over.'
        : 'That has ended, so nothing was handed over.',
    choices: [{ label: 'Show the overview', line: ownLines.overview }],
    isPersonal: true,
  });
}

/** Each in a transaction of its own, as its owner would hand it over. */
export async function handOver(target: HandOverTarget, to: string, ctx: AskCtx): Promise<HandedOver> {
  if (target.kind === 'owner' && target.id === to)
    throw new UserError({ code: 'bad-owner', message: 'That person has them already. Nothing was changed.' });
  const things = await thingsToHandOver(target, ctx);
  const done: Thing[] = [];
  const failed: { thing: Thing; error: UserError }[] = [];
  for (const thing of things) {
    const kind = ctx.registry.pausables.find(({ noun }) => noun.singular === thing.kind);
    try {
      await kind?.handOver(thing.id, to, actorIn(ctx), ctx);
      done.push(thing);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      failed.push({ thing, error });
    }
  }
  // The reason is the same for all, and the person can choose somebody else.
  const [first] = failed;
  if (first && done.length === 0) throw first.error;
  return { done, failed };
}

const maxLines = 10;

export function handedOverAnswer({ done, failed }: HandedOver, to: string): Answer {
  return {
    isOwn: true,
    verdict: {
      strong: [`${capitalised(countedThings(countsOf(done)))} handed over to `, { person: to }],
      lines: [
        ...done.slice(0, maxLines).map(thingInWords),
        ...moreInWords(done.length - maxLines),
        ...failed
          .slice(0, maxLines)
          .map(
            ({ thing, error }): Text => [
              '🟠 Not handed over: ',
              thingInWords(thing),
              `. ${fieldText(error)}`,
            ],
          ),
        ...(failed.length > maxLines ? [`🟠 … and ${failed.length - maxLines} more not handed over`] : []),
      ],
    },
    actions: { runs: [{ label: 'Show the overview', line: ownLines.overview }] },
  };
}

const moreInWords = (count: number): string[] => (count > 0 ? [`… and ${count} more`] : []);

const thingInWords = ({ kind, title, channelId }: Shown): Text => [
  kind === 'digest' ? `the digest “${clip(title, 100)}”` : `the watch of ${clip(title, 100)}`,
  channelId === undefined ? '' : [' in ', { channel: channelId }],
];

export const handOverAction: Action = {
  id: handOverId,
  replacesMessage: false,
  repeatable: true,
  // Guests who may only ask can't change anything.
  onlyAsks: false,
  async run(value, ctx) {
    const [kind, id] = value.split(' ');
    await ctx.openForm(formName, { kind, id });
    return undefined;
  },
};

const formName = 'hand-over';

const shownThing = z.object({ kind: z.string(), title: z.string(), channelId: z.string().optional() });
type Shown = z.infer<typeof shownThing>;
const memo = z.object({ shown: z.array(shownThing), more: z.number() });

interface State {
  target: HandOverTarget;
  /** The first few, and how many more. */
  shown: readonly Shown[];
  more: number;
  ownerId: string;
}

const fieldId = 'owner';

/** “Hand over …” under the overview. */
export const handOverForm = form<HandOverTarget, State>({
  name: formName,
  target: z.object({ kind: z.enum(['watch', 'digest', 'owner']), id: z.string() }),
  async open(target, ctx) {
    const things = await thingsToHandOver(target, ctx);
    const shown = things
      .slice(0, maxLines)
      .map(({ title, ...thing }) => ({ ...thing, title: clip(title, 80) }));
    return { target, shown, more: things.length - shown.length, ownerId: '' };
  },
  instead: () => ownLines.overview,
  view: (state) => handOverView(state),
  memo: (state) => memo.parse(state),
  read: (filled, { target, memo: stored }) => ({
    target,
    ...memo.parse(stored),
    ownerId: filled.text(fieldId),
  }),
  async submit({ target, ownerId }, ctx) {
    readFields({
      [fieldId]: () => {
        if (ownerId !== '') return;
        throw new UserError({ code: 'bad-owner', message: 'Choose a person.' });
      },
    });
    const handedOver = await handOver(target, ownerId, ctx).catch(rethrowBeside(fieldId));
    return replyOf(handedOverAnswer(handedOver, ownerId), ctx);
  },
});

const handOverView = ({ shown, more, ownerId }: State): FormView => ({
  title: 'Hand over',
  submit: 'Hand over',
  parts: [
    { kind: 'text', lines: ['The new owner gets:', ...shown.map(thingInWords), ...moreInWords(more)] },
    {
      kind: 'person',
      id: fieldId,
      label: 'New owner',
      hint: 'Has to be in the channels, and is notified if Landfall can no longer post there.',
      value: ownerId,
    },
  ],
});
