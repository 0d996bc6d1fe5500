import type { App } from '@slack/bolt';
import { workingNotice } from '../../messages/frame/notices.ts';
import { homeOf } from '../connection/installation.ts';
import { destinationOf } from '../destination-of.ts';
import type { Replies } from '../dispatch/ask.ts';
import type { EdgeParts } from '../edge-parts.ts';
import { deliver } from '../posting/deliver.ts';
import { createResponseUrl, type PostToResponseUrl } from '../posting/response-url.ts';

/** All slash commands: `/landfall nextport 9461477`, `/nextport 9461477`. */
export function listenToSlash(
  app: App,
  { dispatch, deduplicate, inFlight, fetch, installation }: EdgeParts,
): void {
  app.command(/.*/, async ({ ack, body }) => {
    await ack();
    const key = `slash ${body.trigger_id}`;
    const ask = {
      surface: 'slash' as const,
      key,
      line: `${body.command.replace(/^\//, '')} ${body.text ?? ''}`,
      userId: body.user_id,
      channelId: body.channel_id,
      destination: destinationOf({ channelId: body.channel_id, userId: body.user_id }),
      home: homeOf({ teamId: body.team_id, enterpriseId: body.enterprise_id }, installation),
      visibility: 'words' as const,
    };
    const post = createResponseUrl(body.response_url, fetch);
    await inFlight.track(deduplicate(key, () => dispatch(ask, slashReplies(post))));
  });
}

/** A slash command has no message to replace, so a slow answer is two ephemeral messages. */
function slashReplies(post: PostToResponseUrl): Replies {
  const send = async (message: Parameters<Replies['failure']>[0], type: 'ephemeral' | 'in_channel') => {
    await deliver(message, (rendering) => post({ ...rendering, response_type: type }));
  };
  return {
    working: () => send(workingNotice, 'ephemeral'),
    answer: (message, visibility) => send(message, visibility === 'public' ? 'in_channel' : 'ephemeral'),
    failure: (message) => send(message, 'ephemeral'),
    decline: (message) => send(message, 'ephemeral'),
  };
}
