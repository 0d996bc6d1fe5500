import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { SlackUser } from '../connection/installation.ts';

interface SignedRequest {
  /** `v0=` and 64 hexadecimal digits. */
  signature: unknown;
  /** Unix seconds. */
  timestamp: unknown;
  body: string;
}

const maxAgeSeconds = 300;

/**
 * Whether these headers can be Slack's: a signature's shape, and a time in the last five minutes. It is known before the body
 * is read, of which anybody may send a lot.
 */
export function maySlackHaveSigned(
  { signature, timestamp }: Omit<SignedRequest, 'body'>,
  nowMs: number,
): boolean {
  if (typeof signature !== 'string' || !/^v0=[0-9a-f]{64}$/.test(signature)) return false;
  if (typeof timestamp !== 'string' || !/^\d{1,12}$/.test(timestamp)) return false;
  return Number(timestamp) >= Math.floor(nowMs / 1000) - maxAgeSeconds;
}

/**
 * Did Slack sign this body in the last five minutes? See docs.slack.dev/authentication/verifying-requests-from-slack.
 * Bolt's own check takes ten times as long, a tenth of a command's CPU time.
 */
export function isSignedBySlack(
  { signature, timestamp, body }: SignedRequest,
  { signingSecret, nowMs }: { signingSecret: string; nowMs: number },
): boolean {
  if (signingSecret === '' || !maySlackHaveSigned({ signature, timestamp }, nowMs)) return false;
  const expected = `v0=${createHmac('sha256', signingSecret).update(`v0:${timestamp}:${body}`).digest('hex')}`;
  return timingSafeEqual(Buffer.from(String(signature)), Buffer.from(expected));
}

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

/** Whether it can be a request of Slackbot, as far as its headers say. */
export const isLikeSlackbot = (headers: Headers, nowMs: number): boolean =>
  maySlackHaveSigned(signatureIn(headers), nowMs);

const signatureIn = (headers: Headers) => ({
  signature: headers.get('x-slack-signature'),
  timestamp: headers.get('x-slack-request-timestamp'),
});

/**
 * Reads the person that Slackbot asks our MCP server for: see “Slack identity” in Slack's docs of its MCP client. Undefined if Slack did
 * not sign the request; no `user` for one that is not for a person, such as the list of tools.
 */
export function readAssistantRequest(
  { headers, body }: { headers: Headers; body: string },
  { signingSecret = '', nowMs }: { signingSecret: string | undefined; nowMs: number },
): { user: SlackUser | undefined } | undefined {
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
