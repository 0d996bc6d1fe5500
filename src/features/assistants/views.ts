import { formActionId } from '../../messages/action-ids.ts';
import {
  actions,
  button,
  context,
  sections,
  withAccessory,
  withConfirmation,
} from '../../messages/blocks.ts';
import { radioField, selectField, textBlock, textField } from '../../messages/fields.ts';
import { fullDate } from '../../messages/formatting/times.ts';
import { counted } from '../../messages/formatting/words.ts';
import { lineButtons } from '../../messages/frame/answer-actions.ts';
import { joinWithin, limits } from '../../messages/limits.ts';
import type { Message, Modal, Reader } from '../../messages/message.ts';
import { codeBlock, codeLine, escaped, personMention } from '../../messages/mrkdwn.ts';
import {
  type AssistantToken,
  type AssistantTokenStore,
  assistantScopes,
} from '../../workspaces/assistant-tokens.ts';
import { assistantsLine, lifetimes, scopeWords } from './words.ts';

export interface AssistantsAnswer {
  isAdmin: boolean;
  /** The newest first; none for people who are not admins. */
  tokens: readonly ShownToken[];
  /** The label of the token that has just been revoked; null if it was gone already. */
  revoked?: string | null;
}

interface ShownToken extends AssistantToken {
  isExpired: boolean;
}

export const tokenFormName = 'assistant-token';
export const revokeId = 'assistants:revoke';
export const maxLabelLength = 60;

/** Views have no clock of their own, and tokens expire on the real one. */
export const readTokens = async ({ list, isExpired }: AssistantTokenStore): Promise<ShownToken[]> =>
  (await list()).map((token) => ({ ...token, isExpired: isExpired(token) }));

const about =
  'With a token, an assistant outside Slack can ask Landfall. It asks as the admin who created the token.';
const aboutSlackbot = 'Slackbot needs no token: it asks as the person who talks to it';

/** Admins see the tokens, never their secrets; others see how it works. */
export function assistantsView({ isAdmin, tokens, revoked }: AssistantsAnswer, reader: Reader): Message {
  if (!isAdmin) {
    const heading = 'Workspace admins create the tokens for assistants';
    return {
      text: `${heading}. ${about} ${aboutSlackbot}.`,
      blocks: [...sections([`*${heading}*`, about]), context(aboutSlackbot)],
    };
  }
  const [live, expired] = [
    tokens.filter((token) => !token.isExpired),
    tokens.filter((token) => token.isExpired),
  ];
  const lead = revoked === undefined ? [] : [revokedLine(revoked)];
  const heading =
    live.length === 0 ? 'No tokens for assistants' : `${counted(live.length, 'token')} for assistants`;
  const small = [aboutSlackbot, ...(expired.length > 0 ? ['expired tokens are deleted after 30 days'] : [])];
  const start = [...lead, `${heading}.`, ...(live.length === 0 ? [about] : [])].join(' ');
  const all = tokens.map((token) => `“${escaped(token.label)}”: ${detailsOf(token, reader)}`);
  return {
    text: [start, joinWithin(all, '; ', limits.messageText - start.length - 1)].join(' ').trimEnd(),
    blocks: [
      ...sections([...lead, `*${heading}*`, about]),
      ...live.map((token) => withAccessory(linesOf(token, reader), revokeButton(token))),
      ...sections(expired.flatMap((token) => linesOf(token, reader))),
      context(small.join(' · ')),
      ...actions([button({ id: formActionId(tokenFormName), label: 'New token …', value: '{}' })]),
    ],
  };
}

const revokedLine = (label: string | null): string =>
  label === null
    ? 'That token was revoked already.'
    : `The token “${escaped(label)}” is revoked. The assistant that has it can no longer ask.`;

const linesOf = (token: ShownToken, reader: Reader): string[] => [
  `*${escaped(token.label)}*`,
  detailsOf(token, reader),
];

function detailsOf(
  { scope, personId, expiresAt, lastUsedAt, isExpired }: ShownToken,
  { zone }: Reader,
): string {
  const used = lastUsedAt ? `last used ${fullDate(lastUsedAt, zone)}` : 'never used';
  const day = fullDate(expiresAt, zone);
  if (isExpired) return `Expired ${day} · ${used}`;
  return `May ${scopeWords[scope].may}, as ${personMention(personId)} · expires ${day} · ${used}`;
}

const revokeButton = ({ id, label }: ShownToken) =>
  withConfirmation(button({ id: revokeId, label: 'Revoke …', value: id }), {
    title: 'Revoke this token?',
    question: `The assistant that uses “${label}” can no longer ask Landfall. This can't be undone.`,
    yes: 'Revoke',
  });

export interface NewTokenAnswer extends AssistantToken {
  token: string;
  address: string | undefined;
}

/** The only place that ever shows the token; not in `text`, which programs show in notifications. */
export function newTokenView(
  { token, label, scope, expiresAt, address }: NewTokenAnswer,
  { zone }: Reader,
): Message {
  const heading = `Token “${escaped(label)}”`;
  const secret = 'Copy the token now: it is not shown again.';
  const rights = `With this token, an assistant ${scopeWords[scope].does}, until ${fullDate(expiresAt, zone)}.`;
  return {
    text: `${heading}. ${secret} ${rights}`,
    blocks: [
      ...sections([`*${heading}*`, secret, codeBlock([codeLine(token)])]),
      ...sections(
        address === undefined
          ? [
              'The address is that of the server on which this Landfall runs, followed by `/mcp`. Whoever runs it knows it.',
            ]
          : ['The address for the assistant:', codeBlock([codeLine(address)])],
      ),
      ...sections([rights]),
      context(`Treat it like a password: whoever has it can ask as you · \`/${assistantsLine}\` revokes it`),
    ],
  };
}

/** For whoever closed the window before it could show the token: a message would stay in Slack's history. */
export function unseenTokenView(label: string): Message {
  const what = `The token “${escaped(label)}” was created, but its window was gone before it could be shown.`;
  const advice = 'Revoke it, and create another.';
  return {
    text: `${what} ${advice}`,
    blocks: [
      ...sections([what, advice]),
      ...actions(lineButtons([{ label: 'List the tokens', line: assistantsLine }])),
    ],
  };
}

/** As it was filled in, so not checked. */
export interface TokenFields {
  label: string;
  scope: string;
  lifetime: string;
}

export function tokenForm({ label, scope, lifetime }: TokenFields): Modal {
  return {
    title: 'New token',
    submit: 'Create',
    blocks: [
      textBlock(
        'With a token, an assistant outside Slack asks Landfall as you. It sees what you can see, until the token expires or an admin revokes it.',
      ),
      textField({
        id: 'label',
        label: 'What is it for?',
        value: label,
        placeholder: 'The assistant on my laptop',
        maxLength: maxLabelLength,
      }),
      radioField({
        id: 'scope',
        label: 'What may the assistant do?',
        value: scope,
        options: assistantScopes.map((value) => ({ value, label: scopeWords[value].choice })),
      }),
      selectField({
        id: 'lifetime',
        label: 'It expires after',
        value: lifetime,
        options: Object.entries(lifetimes).map(([value, { label }]) => ({ value, label })),
      }),
    ],
  };
}
