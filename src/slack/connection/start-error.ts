import { WebAPIPlatformError, WebAPIRequestError } from '@slack/web-api';

/** Slack prevents the start. The message names the setting, never its value. */
class SlackStartError extends Error {
  override readonly name = 'SlackStartError';
}

/** Throws SlackStartError where Slack refuses the token of `setting`, or can't be reached. */
export async function explainingSetting<T>(
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
