import { type Answer, lines, type Verdict } from '../../answers/answer.ts';
import { fullDate } from '../../answers/formatting/times.ts';
import { counted } from '../../answers/formatting/words.ts';
import type { Reader } from '../../answers/message.ts';
import type { Text } from '../../answers/text.ts';
import { ownLines } from '../../errors.ts';
import type { AssistantScope, AssistantToken } from '../../workspaces/assistant-tokens.ts';

export const tokenFormName = 'assistant-token';
export const revokeId = 'assistants:revoke';

/** `choice`: in the form. `does`: to the person who created the token. `may`: in the list. */
export const scopeWords: Readonly<Record<AssistantScope, { choice: string; does: string; may: string }>> = {
  read: { choice: 'Ask', does: 'asks as you', may: 'ask' },
  write: {
    choice: 'Ask, and add or stop my watches',
    does: 'asks as you and can add or stop your watches',
    may: 'ask, and add or stop watches',
  },
};

interface ShownToken extends AssistantToken {
  isExpired: boolean;
}

interface Shown {
  isAdmin: boolean;
  /** The newest first; none for people who are not admins. */
  tokens: readonly ShownToken[];
  /** The label of the token that has just been revoked; null if it was gone already. */
  revoked?: string | null;
}

const about =
  'With a token, an assistant outside Slack can ask Landfall. It asks as the admin who created the token.';
const aboutSlackbot = 'Slackbot needs no token: it asks as the person who talks to it';

/** Admins see the tokens, never their secrets; others see how it works. */
export function assistantsAnswer({ isAdmin, tokens, revoked }: Shown, reader: Reader): Answer {
  if (!isAdmin) {
    const strong = 'Workspace admins create the tokens for assistants';
    return { isOwn: true, verdict: { strong, lines: [about] }, notes: [aboutSlackbot] };
  }
  const live = tokens.filter((token) => !token.isExpired);
  const expired = tokens.filter((token) => token.isExpired);
  const heading =
    live.length === 0 ? 'No tokens for assistants' : `${counted(live.length, 'token')} for assistants`;
  return {
    isOwn: true,
    verdict: revoked === undefined ? { strong: heading } : { ...revokedWords(revoked), lines: [heading] },
    sections: [
      ...lines([about]),
      { kind: 'rows', rows: [...live, ...expired].map((token) => rowOf(token, reader)) },
    ],
    notes: [aboutSlackbot, ...(expired.length > 0 ? ['expired tokens are deleted after 30 days'] : [])],
    actions: { runs: [{ label: 'New token …', form: tokenFormName, target: {} }] },
  };
}

const revokedWords = (label: string | null): Verdict =>
  label === null
    ? { strong: 'That token was revoked already' }
    : {
        strong: `The token “${label}” is revoked`,
        rest: '. The assistant that has it can no longer ask.',
      };

function rowOf(token: ShownToken, reader: Reader) {
  const { id, label, isExpired } = token;
  const lines = [{ strong: label }, detailsOf(token, reader)];
  const confirm = {
    title: 'Revoke this token?',
    question: `The assistant that uses “${label}” can no longer ask Landfall. This can't be undone.`,
    yes: 'Revoke',
  };
  return isExpired
    ? { lines }
    : { lines, button: { label: 'Revoke …', press: revokeId, value: id, confirm } };
}

function detailsOf(
  { scope, personId, expiresAt, lastUsedAt, isExpired }: ShownToken,
  { zone }: Reader,
): Text {
  const used = lastUsedAt ? `last used ${fullDate(lastUsedAt, zone)}` : 'never used';
  const day = fullDate(expiresAt, zone);
  if (isExpired) return `Expired ${day} · ${used}`;
  return [`May ${scopeWords[scope].may}, as `, { person: personId }, ` · expires ${day} · ${used}`];
}

interface NewToken extends AssistantToken {
  token: string;
  /** Of the server for assistants; undefined if the settings don't say where the bot can be reached. */
  address: string | undefined;
}

/** The only place that ever shows the token. */
export const newTokenAnswer = (
  { token, label, scope, expiresAt, address }: NewToken,
  { zone }: Reader,
): Answer => ({
  isOwn: true,
  verdict: {
    strong: `Token “${label}”`,
    lines: [
      'Copy the token now: it is not shown again.',
      { secret: token },
      address === undefined
        ? [
            'The address is that of the server on which this Landfall runs, followed by ',
            { code: '/mcp' },
            '. Whoever runs it knows it.',
          ]
        : ['The address for the assistant: ', { code: address }],
      `With this token, an assistant ${scopeWords[scope].does}, until ${fullDate(expiresAt, zone)}.`,
    ],
  },
  notes: [
    'Treat it like a password: whoever has it can ask as you',
    [{ code: `/${ownLines.assistants}` }, ' revokes it'],
  ],
});

/** The window was closed before it could show the token, and a message would stay in Slack's history. */
export const unseenTokenAnswer = (label: string): Answer => ({
  isOwn: true,
  verdict: {
    strong: `The token “${label}” was created, but its window was gone before it could be shown`,
    lines: ['Revoke it, and create another.'],
  },
  actions: { runs: [{ label: 'List the tokens', line: ownLines.assistants }] },
});
