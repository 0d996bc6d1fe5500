import { z } from 'zod';
import { messageOf } from '../../errors.ts';
import type { Logger } from '../../log.ts';
import { sections } from '../../messages/blocks.ts';
import type { Message } from '../../messages/message.ts';
import { createResponseUrl } from '../posting/response-url.ts';
import { scopeLink } from './scopes.ts';

/** A slash command has `team_id`, a click or a shortcut `team`. Events and forms have no response URL. */
const delivery = z.object({
  response_url: z.url({ protocol: /^https?$/ }),
  team_id: z.string().optional(),
  team: z.object({ id: z.string() }).nullish(),
});

/** Answers a delivery of a workspace where the app is not installed, if Slack lets it be answered. Never rejects. */
export function createAnswerUnknown({ publicUrl, logger }: { publicUrl: string; logger: Logger }) {
  return async (body: unknown): Promise<void> => {
    const { data } = delivery.safeParse(body);
    if (!data) return;
    const teamId = data.team_id ?? data.team?.id ?? '';
    const message = notInstalled(scopeLink(publicUrl, teamId) ?? publicUrl);
    try {
      const options = { response_type: 'ephemeral', replace_original: false } as const;
      await createResponseUrl(data.response_url).send(message, options);
    } catch (error) {
      logger.warn({ team: teamId, reason: messageOf(error) }, 'an unknown workspace was not answered');
    }
  };
}

function notInstalled(link: string): Message {
  const text = `Landfall isn't installed in this workspace any more. An admin can install it again: <${link}>`;
  return { text, blocks: sections([text]) };
}
