import { describe, expect, test } from 'vitest';
import {
  assistantsAnswer,
  newTokenAnswer,
  unseenTokenAnswer,
} from '../../../src/features/assistants/answer.ts';
import { tokenModal } from '../../../src/features/assistants/index.ts';
import { messageOf } from '../../support/answer-message.ts';
import { asRead } from '../../support/message-text.ts';
import { now, reader } from '../../support/view-fixtures.ts';

const listOf = (shown: Parameters<typeof assistantsAnswer>[0]) =>
  messageOf(assistantsAnswer(shown, reader), 'landfall assistants');
const newToken = (token: Parameters<typeof newTokenAnswer>[0]) =>
  messageOf(newTokenAnswer(token, reader), '');
const unseen = (label: string) => messageOf(unseenTokenAnswer(label), '');

const laptop = {
  ...({ id: 'a1', label: 'The assistant on my laptop', scope: 'write', personId: 'U0ADA0001' } as const),
  ...{ createdAt: now, expiresAt: new Date('2027-02-19T23:30:00Z'), lastUsedAt: now, isExpired: false },
};
const script = { ...laptop, id: 'a2', label: 'Script', scope: 'read', lastUsedAt: undefined } as const;
const trial = { ...script, id: 'a3', label: 'Trial', expiresAt: new Date('2026-11-20T12:00:00Z') };
const secret = `lf_${'x'.repeat(43)}`;

describe('what an admin sees', () => {
  test('of the tokens', () => {
    const tokens = [laptop, script, { ...trial, isExpired: true }];
    expect(asRead(listOf({ isAdmin: true, tokens }))).toMatchInlineSnapshot(`
      "text: 2 tokens for assistants. With a token, an assistant outside Slack can ask Landfall. It asks as the admin who created the token. The assistant on my laptop; Script; Trial

      *2 tokens for assistants*
      With a token, an assistant outside Slack can ask Landfall. It asks as the admin who created the token.
      *The assistant on my laptop*
      May ask, and add or stop watches, as <@U0ADA0001> · expires 20 Feb 2027 · last used 21 Nov 2026
      *Script*
      May ask, as <@U0ADA0001> · expires 20 Feb 2027 · never used
      *Trial*
      Expired 20 Nov 2026 · never used
      Slackbot needs no token: it asks as the person who talks to it · expired tokens are deleted after 30 days
      [New token … → {}]"
    `);
  });

  test('of a new one', () => {
    const created = { ...laptop, token: secret, address: 'https://landfall.example/mcp' };
    expect(asRead(newToken(created))).toMatchInlineSnapshot(`
      "text: Token “The assistant on my laptop”. Copy the token now: it is not shown again. The address for the assistant: \`https://landfall.example/mcp\`. With this token, an assistant asks as you and can add or stop your watches, until 20 Feb 2027.

      *Token “The assistant on my laptop”*
      Copy the token now: it is not shown again.
      \`\`\`lf_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\`\`\`
      The address for the assistant: \`https://landfall.example/mcp\`
      With this token, an assistant asks as you and can add or stop your watches, until 20 Feb 2027.
      Treat it like a password: whoever has it can ask as you · \`/landfall assistants\` revokes it"
    `);
    const elsewhere = asRead(newToken({ ...created, scope: 'read', address: undefined }));
    expect(elsewhere).toContain(
      'The address is that of the server on which this Landfall runs, followed by `/mcp`.',
    );
    expect(elsewhere).toContain('With this token, an assistant asks as you, until 20 Feb 2027.');
    expect(asRead(unseen('Script'))).toMatchInlineSnapshot(`
      "text: The token “Script” was created, but its window was gone before it could be shown. Revoke it, and create another.

      *The token “Script” was created, but its window was gone before it could be shown*
      Revoke it, and create another.
      [List the tokens → landfall assistants]"
    `);
  });
});

test('the form offers what there is to choose', () => {
  const { blocks } = tokenModal({ label: '', scope: 'read', lifetime: '90d' });
  expect(JSON.stringify(blocks)).toMatch(/"text":"30 days".*"text":"90 days".*"text":"1 year"/);
  expect(JSON.stringify(blocks)).toContain('Ask, and add or stop my watches');
});
