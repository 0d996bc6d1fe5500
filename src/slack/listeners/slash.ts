import type { App } from '@slack/bolt';
import { workingNotice } from '../../messages/frame/notices.ts';
import { runOnce, slackFor } from '../context.ts';
import type { Replies } from '../dispatch/ask.ts';
import { dispatch } from '../dispatch/dispatch.ts';
import { createResponseUrl, type ResponseUrl } from '../posting/response-url.ts';

/**
 * All slash commands: `/landfall nextport 9461477`, `/nextport 9461477`. They end in a middleware, because Bolt asks
 * every listener about every delivery, and a listener that doesn't want it takes time too.
 */
export function listenToSlash(app: App): void {
  app.use(async (args) => {
    if (!('command' in args)) return await args.next();
    const { ack, body, context } = args;
    await ack();
    const slack = slackFor(context);
    const key = `slash ${body.trigger_id}`;
    const ask = {
      surface: 'slash',
      key,
      line: `${body.command.replace(/^\//, '')} ${body.text ?? ''}`,
      user: { id: body.user_id, teamId: body.team_id, enterpriseId: body.enterprise_id },
      channelId: body.channel_id,
      visibility: 'as-typed',
    } as const;
    const response = createResponseUrl(body.response_url, slack);
    await runOnce(key, () => dispatch(ask, slashReplies(response), slack), slack);
  });
}

/** A slash command has no message to replace, so a slow answer is two ephemeral messages. */
function slashReplies({ send }: ResponseUrl): Replies {
  const ephemeral = { response_type: 'ephemeral' } as const;
  return {
    working: () => send(workingNotice, ephemeral),
    answer: (message, visibility) =>
      send(message, visibility === 'public' ? { response_type: 'in_channel' } : ephemeral),
    failure: (message) => send(message, ephemeral),
  };
}
