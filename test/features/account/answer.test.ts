import { describe, expect, test } from 'vitest';
import {
  RateLimitedError,
  UnauthorizedError,
  UnavailableError,
  UnreadableResponseError,
} from '../../../src/analytics/errors.ts';
import { FieldErrors } from '../../../src/answers/fields.ts';
import { UserError } from '../../../src/errors.ts';
import { accountAnswer, homeBottom, homeTop, welcomeAnswer } from '../../../src/features/account/answer.ts';
import { accountModal, explainLogin } from '../../../src/features/account/form.ts';
import { messageOf } from '../../support/answer-message.ts';
import { readView } from '../../support/form-driver.ts';
import { asRead, blockLines } from '../../support/message-text.ts';
import { now, reader } from '../../support/view-fixtures.ts';

const own = {
  kind: 'own',
  address: 'https://service.example',
  connectedAt: new Date('2026-11-20T10:05:00Z'),
  connectedBy: 'U1',
} as const;
const none = { kind: 'none', installerId: 'U2' } as const;

const show = (shown: Parameters<typeof accountAnswer>[0]) =>
  asRead(messageOf(accountAnswer(shown, reader), 'landfall account'));

describe('what people see of the account', () => {
  test("the operator's account, and the sandbox's", () => {
    const operators = (address: string) => show({ state: { kind: 'operators', address }, isAdmin: true });
    expect(operators('https://service.example')).toMatchInlineSnapshot(`
      "text: Connected to the analytics service. Landfall uses the account in its settings (https://service.example).

      *Connected to the analytics service*
      Landfall uses the account in its settings (https://service.example).
      [Connect your account → {}]"
    `);
    expect(operators('sandbox')).toMatchInlineSnapshot(`
      "text: Connected to the sandbox, invented data. Landfall uses the account that comes with the sandbox.

      *Connected to the sandbox, invented data*
      Landfall uses the account that comes with the sandbox.
      [Connect your account → {}]"
    `);
  });

  test('the Home tab: a card on top, or one line near its end', () => {
    const top = (answer: Parameters<typeof homeTop>[0]) => homeTop(answer).flatMap(blockLines);
    const bottom = (answer: Parameters<typeof homeTop>[0]) => homeBottom(answer, reader).flatMap(blockLines);
    expect(top({ state: none, isAdmin: true })[0]).toContain('Connect your account');
    expect(bottom({ state: none, isAdmin: true })).toEqual([]);
    expect(top({ state: own, isAdmin: true })).toEqual([]);
    expect(bottom({ state: own, isAdmin: true })).toMatchInlineSnapshot(`
      [
        "<@U1> connected the account at https://service.example on Fri 20 Nov 11:05 · \`/landfall account\` changes it",
      ]
    `);
    expect(bottom({ state: own, isAdmin: false })).toEqual([]);
  });

  test('the welcome', () => {
    expect(
      asRead(messageOf(welcomeAnswer({ state: none, isAdmin: true }, reader, 'Acme & Co'), '')),
    ).toMatchInlineSnapshot(`
      "text: Landfall is installed in Acme &amp; Co. Connect your account. Landfall answers with your organisation's account at the analytics service. Until you connect it, questions can't be answered, and watches and digests wait.

      *Landfall is installed in Acme &amp; Co*
      *Connect your account*
      Landfall answers with your organisation's account at the analytics service. Until you connect it, questions can't be answered, and watches and digests wait.
      [Connect your account → {}]"
    `);
    expect(
      asRead(messageOf(welcomeAnswer({ state: own, isAdmin: true }, reader, 'Acme'), '')),
    ).toMatchInlineSnapshot(`
      "text: Landfall is installed in Acme. Ask where a vessel calls next: type \`/nextport 9461477\` in any channel, or \`nextport 9461477\` here.

      *Landfall is installed in Acme*
      Ask where a vessel calls next: type \`/nextport 9461477\` in any channel, or \`nextport 9461477\` here."
    `);
  });
});

test('the form asks for the address if there is a choice, and names the accounts of the sandbox', () => {
  const account = {
    address: 'sandbox',
    apiKey: 'sandbox-api-key',
    userId: 'u1',
    password: 'sandbox-password',
  };
  const samples = [{ account, hasLanes: false }];
  const addresses = ['https://a.example', 'https://b.example'];
  const form = (options: Partial<Parameters<typeof accountModal>[0]>) =>
    readView(asView(accountModal({ addresses, samples: [], own: undefined, ...options }, reader)));
  expect(form({})).toMatchInlineSnapshot(`
    "# Connect your account [Connect]
    Landfall tries to log in with your organisation's account at the analytics service, and saves the account only if that works. It is stored encrypted, and never shown again.
    address: Address of the service = https://a.example (If the address changes, the stored predictions are deleted, and watches begin anew.)
    apiKey: API key
    userId: User id
    password: Password (Slack has no password fields: whoever sees your screen can read what you type.)"
  `);
  expect(form({ own })).toContain(
    '<@U1> connected the account at https://service.example on Fri 20 Nov 11:05. The account that you enter here replaces it.',
  );
  expect(form({ addresses: ['sandbox'], samples })).toContain(
    '• API key `sandbox-api-key`, user id `u1`, password `sandbox-password` (no access to `/lane`)',
  );
});

const asView = ({ title, submit, blocks }: ReturnType<typeof accountModal>) => ({
  title: { type: 'plain_text' as const, text: title },
  submit: { type: 'plain_text' as const, text: submit ?? '' },
  blocks,
});

test('each failure of a login has its own words', () => {
  const words = (error: Error, hasChoice = false) => {
    const explained = explainLogin(error, { address: 'https://service.example', hasChoice });
    if (explained instanceof FieldErrors) return explained.fields;
    return explained instanceof UserError ? `${explained.message} ${explained.hint ?? ''}`.trim() : explained;
  };
  const unreadable = new UnreadableResponseError({ status: 418, contentType: '', excerpt: '', reason: 'x' });
  expect(words(new UnauthorizedError({ refused: 'login' }))).toMatchInlineSnapshot(`
    {
      "password": "The service refuses this user id and password, or the API key. Nothing was saved.",
    }
  `);
  expect(words(new UnavailableError({ since: now }))).toMatchInlineSnapshot(
    `"The service at https://service.example does not answer, so nothing was saved. Please try again in a few minutes."`,
  );
  expect(words(new UnavailableError({ since: now, status: 503 }))).toMatchInlineSnapshot(
    `"The service at https://service.example does not answer (status 503), so nothing was saved. Please try again in a few minutes."`,
  );
  expect(words(new RateLimitedError({ retryAfterMs: 120_000 }))).toMatchInlineSnapshot(
    `"The service accepts no more logins right now, so nothing was saved. Please try again in 2 min."`,
  );
  expect(words(unreadable)).toMatchInlineSnapshot(
    `"What answers at https://service.example isn't the analytics service (status 418), so nothing was saved. The address is a setting of Landfall: whoever runs it needs to check it."`,
  );
  expect(words(unreadable, true)).toMatchInlineSnapshot(`
    {
      "address": "What answers at https://service.example isn't the analytics service (status 418), so nothing was saved.",
    }
  `);
  const bug = new Error('a bug');
  expect(words(bug)).toBe(bug);
});
