import { expect, test } from 'vitest';
import { UnreadableResponseError } from '../../../src/analytics/errors.ts';
import { accountModal, explainLogin } from '../../../src/features/account/index.ts';
import { readView } from '../../support/form-driver.ts';
import { reader } from '../../support/view-fixtures.ts';

const own = {
  kind: 'own',
  address: 'https://service.example',
  connectedAt: new Date('2026-11-20T10:05:00Z'),
  connectedBy: 'U1',
} as const;

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
    '• API key `sandbox-api-key`, user id `u1`, password `sandbox-password` (no access to trade lane statistics)',
  );
});

const asView = ({ title, submit, blocks }: ReturnType<typeof accountModal>) => ({
  title: { type: 'plain_text' as const, text: title },
  submit: { type: 'plain_text' as const, text: submit ?? '' },
  blocks,
});

// The form's story in slack.test.ts has the other failures.
test('where addresses can be chosen, an unreadable answer is said beside them; a bug stays a bug', () => {
  const explain = (error: Error) =>
    explainLogin(error, { address: 'https://service.example', hasChoice: true });
  const unreadable = new UnreadableResponseError({ status: 418, contentType: '', excerpt: '', reason: 'x' });
  expect(explain(unreadable)).toMatchObject({
    fields: {
      address:
        "What answers at https://service.example isn't the analytics service (status 418), so nothing was saved.",
    },
  });
  const bug = new Error('a bug');
  expect(explain(bug)).toBe(bug);
});
