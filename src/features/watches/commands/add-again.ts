import { z } from 'zod';
import type { Press } from '../../../messages/frame/outsiders-question.ts';
import type { Message } from '../../../messages/message.ts';
import type { ActionContext } from '../../feature.ts';
import { privateReader } from '../../run-context.ts';
import { watchActionIds } from '../action-ids.ts';
import type { Rules } from '../rules/index.ts';
import { watchRules } from '../rules/registry.ts';
import type { WatchesContext } from '../service/watch-service.ts';
import { watchAnswerView } from '../views/watch-answer.ts';
import { formatWatchSubject, parseWatchSubject, type WatchSubject } from '../words/subject.ts';
import { addWatch } from './add-watch.ts';

/** The value of a button that adds the watch of a form, whose rules no line can hold. */
const request = z.object({
  /** As it is typed. */
  subject: z.string(),
  rules: watchRules.rules,
  channelId: z.string().optional(),
  isPersonal: z.boolean().optional(),
});

interface AddArgs {
  subject: WatchSubject;
  rules: Rules;
  channelId?: string | undefined;
}

/** The buttons of the question whether outsiders may see the watch of a form. */
export function addButtons({ subject, rules, channelId }: AddArgs): { again: Press; toMe: Press } {
  const press = (place: { channelId?: string | undefined; isPersonal?: true }): Press => {
    const value: z.infer<typeof request> = { subject: formatWatchSubject(subject), rules, ...place };
    return { id: watchActionIds.add, value: JSON.stringify(value) };
  };
  return { again: press({ channelId }), toMe: press({ isPersonal: true }) };
}

/** Adds the watch of such a button. */
export async function addAgain(
  value: string,
  context: ActionContext & Pick<WatchesContext, 'watches' | 'getFleet' | 'analytics'>,
): Promise<Message> {
  const { subject: typed, ...args } = request.parse(JSON.parse(value));
  const { vessels } = context;
  const subject = parseWatchSubject(typed, {
    line: (fixed) => `watch ${fixed}`,
    example: 'watch 9461477',
    vessels,
  });
  const answer = await addWatch({ ...args, subject, isDryRun: false }, context);
  return watchAnswerView(answer, privateReader(context));
}
