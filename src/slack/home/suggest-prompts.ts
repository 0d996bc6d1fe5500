import { messageOf } from '../../errors.ts';
import type { AskCtx } from '../../features/ctx.ts';
import type { Feature, Prompt } from '../../features/feature.ts';
import type { SlackContext } from '../context.ts';
import { noReplies } from '../dispatch/ask.ts';
import { dispatch } from '../dispatch/dispatch.ts';

/** Slack shows no more. */
const maxPrompts = 4;

/**
 * Puts suggestions above a person's direct message with the bot. Slack takes them only from an agent; without them, it shows
 * those of the manifest.
 */
export async function suggestPrompts(
  { userId, channelId }: { userId: string; channelId: string },
  slack: SlackContext,
): Promise<void> {
  const line = {
    name: 'prompts',
    repeatable: true,
    async run(context: AskCtx) {
      const prompts = await promptsFor(slack.features, context);
      await slack.clients.reads.assistant.threads
        .setSuggestedPrompts({
          channel_id: channelId,
          prompts: prompts.map(({ title, line }) => ({ title, message: line })),
        })
        .catch((error) => slack.logger.warn({ reason: messageOf(error) }, 'Slack took no suggested prompts'));
      return undefined;
    },
  };
  const user = { id: userId, teamId: undefined };
  await dispatch({ surface: 'home', line, user, channelId: userId }, noReplies, slack);
}

/** The person's own first, then those that show other commands. */
async function promptsFor(features: readonly Feature[], context: AskCtx): Promise<Prompt[]> {
  const own = (await Promise.all(features.map((feature) => feature.ownPrompts?.(context) ?? []))).flat();
  const others = generalPrompts(features).filter(
    ({ line }) => !own.some((prompt) => commandOf(prompt.line) === commandOf(line)),
  );
  return [...own, ...others].slice(0, maxPrompts);
}

const commandOf = (line: string): string => line.replace(/ .*/, '');

export const generalPrompts = (features: readonly Feature[]): Prompt[] =>
  features.flatMap(({ prompts = [] }) => prompts).slice(0, maxPrompts);
