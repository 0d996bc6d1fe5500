import type { App } from '@slack/bolt';
import type { Message } from '../../answers/message.ts';
import { actionIds, goToPattern } from '../../answers/slack/blocks.ts';
import { workingNotice } from '../../answers/slack/notices.ts';
import { messageOf } from '../../errors.ts';
import type { AskCtx } from '../../features/ctx.ts';
import type { Feature, Prompt } from '../../features/feature.ts';
import { actionOf, buttonClickOf, type Click } from '../buttons/action-of.ts';
import { runOnce, type SlackContext, slackFor } from '../context.ts';
import { dispatch, noReplies } from '../dispatch.ts';
import { drawHome, readPlace } from './draw-home.ts';

/** The Home tab, drawn when it is opened and after each action there; and the prompts of the Messages tab. */
export function listenToHomeTab(app: App): void {
  app.event('app_home_opened', async ({ event, body, context }) => {
    const slack = slackFor(context);
    const { user: userId, channel: channelId, tab, view } = event;
    if (tab === 'messages' && slack.isAgent)
      await runOnce(`prompts ${body.event_id}`, () => suggestPrompts({ userId, channelId }, slack), slack);
    if (tab !== 'home') return;
    const place = readPlace(view?.private_metadata ?? '', slack.features);
    await runOnce(`home ${body.event_id}`, () => drawHome({ userId, place }, slack), slack);
  });
}

export async function pressOnHome(
  click: Click,
  { private_metadata }: { private_metadata: string },
  slack: SlackContext,
): Promise<void> {
  const { id, value, user } = click;
  const userId = user.id;
  if (goToPattern.test(id)) return drawHome({ userId, place: readPlace(value, slack.features) }, slack);
  const place = readPlace(private_metadata, slack.features);
  let notice: Message | undefined;
  const setNotice = async (message: Message) => {
    notice = message;
  };
  let showsWorking = false;
  const working = () => {
    showsWorking = true;
    return drawHome({ userId, place, notice: workingNotice }, slack);
  };
  const clicked = buttonClickOf(click, userId);
  const surface = id === actionIds.refresh ? 'refresh' : 'home';
  const line = actionOf(clicked, slack) ?? clicked.value;
  const replies = { working, answer: setNotice, failure: setNotice };
  const { allowsOutsidersIn } = clicked;
  await dispatch({ surface, line, user, channelId: userId, allowsOutsidersIn }, replies, slack);
  // Opening a form gives no answer: the tab stays as it is.
  if (notice || showsWorking) await drawHome({ userId, place, ...(notice && { notice }) }, slack);
  await slack.runDue();
}

/** Slack shows no more. */
const maxPrompts = 4;

/**
 * Puts suggestions above a person's direct message with the bot. Slack takes them only from an agent; without them, it shows
 * those of the manifest.
 */
async function suggestPrompts(
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
