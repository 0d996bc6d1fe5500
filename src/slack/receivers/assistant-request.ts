import { z } from 'zod';
import type { SlackUser } from '../connection/installation.ts';
import { isSignedBySlack, maySlackHaveSigned } from './signature.ts';

const message = z.object({
  params: z.object({
    _meta: z.object({
      slack: z.object({
        user_id: z.string().min(1),
        team_id: z.string().min(1),
        enterprise_id: z.string().nullish(),
      }),
    }),
  }),
});

/** For whom Slackbot asks: see “Slack identity” in Slack's docs of its MCP client. */
export interface AssistantRequest {
  /** Undefined for a request that is not for a person, such as the list of tools. */
  user: SlackUser | undefined;
}

/** Whether it can be a request of Slackbot, as far as its headers say. */
export const isLikeSlackbot = (headers: Headers, nowMs: number): boolean =>
  maySlackHaveSigned(signatureIn(headers), nowMs);

const signatureIn = (headers: Headers) => ({
  signature: headers.get('x-slack-signature'),
  timestamp: headers.get('x-slack-request-timestamp'),
});

/** Reads a request to our MCP server. Undefined if Slack did not sign it. */
export function readAssistantRequest(
  { headers, body }: { headers: Headers; body: string },
  { signingSecret = '', nowMs }: { signingSecret: string | undefined; nowMs: number },
): AssistantRequest | undefined {
  if (!isSignedBySlack({ ...signatureIn(headers), body }, { signingSecret, nowMs })) return undefined;
  const { data } = message.safeParse(parseJson(body));
  if (!data) return { user: undefined };
  const { user_id: id, team_id: teamId, enterprise_id: enterpriseId } = data.params._meta.slack;
  return { user: { id, teamId, enterpriseId: enterpriseId ?? undefined } };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
