import { WebAPIPlatformError, WebAPIRequestError } from '@slack/web-api';

/** Slack hinders the start; the message names the setting, and never its value. */
class SlackStartError extends Error {
  override readonly name = 'SlackStartError';
}

/** Makes a call that needs a token; says which token is refused, or that Slack can't be reached. */
export async function naming<T>(
  { setting, apiUrl }: { setting: 'SLACK_BOT_TOKEN' | 'SLACK_APP_TOKEN'; apiUrl: string },
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (cause instanceof WebAPIPlatformError) {
      throw new SlackStartError(
        `Slack refuses ${setting} (${cause.data.error}). \`npm run doctor\` checks each setting.`,
        { cause },
      );
    }
    if (cause instanceof WebAPIRequestError) {
      throw new SlackStartError(`Slack can't be reached at ${apiUrl} (${cause.original.message}).`, {
        cause,
      });
    }
    throw cause;
  }
}
