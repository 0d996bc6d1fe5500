import type { WebClient } from '@slack/web-api';
import { messageOf } from '../../errors.ts';
import type { Feature, Prompt } from '../../features/feature.ts';
import type { RunContext } from '../../features/run-context.ts';
import type { Logger } from '../../log.ts';
import type { Dispatch } from '../dispatch/dispatch.ts';
import type { WorkspaceEdge } from '../dispatch/workspace-edge.ts';

/** Slack shows no more. */
const maxPrompts = 4;

/** Puts suggestions above a person's direct message with the bot. Slack takes them only from an agent. */
export function createSuggestPrompts(options: {
  dispatch: Dispatch;
  workspace: Pick<WorkspaceEdge, 'all'>;
  client: WebClient;
  logger: Logger;
}) {
  const { dispatch, workspace, client, logger } = options;
  return async ({ userId, channelId }: { userId: string; channelId: string }): Promise<void> => {
    const line = {
      name: 'prompts',
      repeatable: true,
      async run(context: RunContext) {
        const prompts = (await promptsFor(workspace.all, context)).map((prompt) => ({
          title: prompt.title,
          message: prompt.line,
        }));
        await client.assistant.threads
          .setSuggestedPrompts({ channel_id: channelId, prompts })
          .catch((error) => logger.warn({ reason: messageOf(error) }, 'Slack took no suggested prompts'));
        return undefined;
      },
    };
    const nothing = async () => undefined;
    // Without them, Slack shows those of the manifest. What fails is in the log.
    const replies = { working: nothing, answer: nothing, failure: nothing };
    const user = { id: userId, teamId: undefined };
    await dispatch({ surface: 'home', line, user, channelId: userId }, replies);
  };
}

/** The person's own first, then those that show other commands. */
async function promptsFor(features: readonly Feature[], context: RunContext): Promise<Prompt[]> {
  const own = (await Promise.all(features.map((feature) => feature.ownPrompts?.(context) ?? []))).flat();
  const others = generalPrompts(features).filter(
    ({ line }) => !own.some((prompt) => commandOf(prompt.line) === commandOf(line)),
  );
  return [...own, ...others].slice(0, maxPrompts);
}

const commandOf = (line: string): string => line.replace(/ .*/, '');

export const generalPrompts = (features: readonly Feature[]): Prompt[] =>
  features.flatMap(({ prompts = [] }) => prompts).slice(0, maxPrompts);
