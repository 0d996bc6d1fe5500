import { z } from 'zod';
import type { Answer } from '../../answers/answer.ts';
import type { Press } from '../../answers/slack/notices.ts';
import type { AskCtx } from '../ctx.ts';
import { watchRules } from '../rules/registry.ts';
import { watchActionIds } from './action-ids.ts';
import type { AddValues } from './add-watch.ts';
import { addAnswer } from './added-answer.ts';
import { formatWatchSubject, parseWatchSubject } from './words/subject.ts';

/** The value of a button that adds the watch of a form, whose rules no line can hold. */
const request = z.object({
  /** As it is typed. */
  subject: z.string(),
  rules: watchRules.rules,
  channelId: z.string().optional(),
  isPersonal: z.boolean().optional(),
});

/** The buttons of the question whether outsiders may see the watch of a form. */
export function addButtons({ subject, rules, channelId }: AddValues): { again: Press; toMe: Press } {
  const press = (place: { channelId?: string | undefined; isPersonal?: true }): Press => {
    const value: z.infer<typeof request> = { subject: formatWatchSubject(subject), rules, ...place };
    return { id: watchActionIds.add, value: JSON.stringify(value) };
  };
  return { again: press({ channelId }), toMe: press({ isPersonal: true }) };
}

/** Adds the watch of such a button. */
export async function addAgain(value: string, ctx: AskCtx): Promise<Answer> {
  const { subject: typed, ...values } = request.parse(JSON.parse(value));
  const help = { line: (fixed: string) => `watch ${fixed}`, example: 'watch 9461477', vessels: ctx.vessels };
  return await addAnswer({ ...values, subject: parseWatchSubject(typed, help) }, ctx);
}
