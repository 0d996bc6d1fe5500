import { z } from 'zod';
import type { Message } from '../../answers/message.ts';
import { sections } from '../../answers/slack/blocks.ts';
import { outsideNotice, removedNotice, unavailableNotice } from '../../answers/slack/notices.ts';
import { messageOf } from '../../errors.ts';
import type { Logger } from '../../log.ts';
import { createResponseUrl } from '../posting/deliver.ts';
import { scopeLink } from './scopes.ts';

/** A slash command has `team_id`, a click or a shortcut `team`. Events and forms have no response URL. */
const delivery = z.object({
  response_url: z.url({ protocol: /^https?$/ }),
  team_id: z.string().optional(),
  team: z.object({ id: z.string() }).nullish(),
  /** A slash command has it as a string. */
  is_enterprise_install: z.union([z.boolean(), z.stringbool()]).optional(),
});

/**
 * Answers a delivery of a workspace where the app is not installed, if Slack lets it be answered. Never rejects. A person
 * whose workspace the delivery doesn't name, or who isn't of the organisation that installed the app, is an outsider.
 */
export const createAnswerUnknown = ({ publicUrl, logger }: { publicUrl: string; logger: Logger }) =>
  createAnswer(logger, (teamId) => {
    if (teamId === undefined) return outsideNotice;
    const link = scopeLink(publicUrl, teamId) ?? publicUrl;
    const text = `Landfall isn't installed in this workspace any more. An admin can install it again: <${link}>`;
    return { text, blocks: sections([text]) };
  });

/** The same for the workspace of SLACK_BOT_TOKEN, which its operator has removed. */
export const createAnswerRemoved = (logger: Logger) => createAnswer(logger, () => removedNotice);

/** The same for a delivery whose workspace could not be opened. */
export const createAnswerUnavailable = (logger: Logger) => createAnswer(logger, () => unavailableNotice);

function createAnswer(logger: Logger, messageFor: (teamId: string | undefined) => Message) {
  return async (body: unknown): Promise<void> => {
    const { data } = delivery.safeParse(body);
    if (!data) return;
    const teamId = data.is_enterprise_install ? undefined : (data.team_id ?? data.team?.id);
    try {
      const options = { response_type: 'ephemeral', replace_original: false } as const;
      await createResponseUrl(data.response_url).send(messageFor(teamId), options);
    } catch (error) {
      logger.warn({ team: teamId, reason: messageOf(error) }, 'a workspace was not answered');
    }
  };
}
