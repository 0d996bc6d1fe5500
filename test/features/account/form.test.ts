import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  RateLimitedError,
  UnauthorizedError,
  UnavailableError,
  UnreadableResponseError,
} from '../../../src/analytics/errors.ts';
import { FieldErrors } from '../../../src/answers/fields.ts';
import { UserError } from '../../../src/errors.ts';
import { accountForm, accountModal, explainLogin } from '../../../src/features/account/index.ts';
import type { WorkCtx } from '../../../src/features/ctx.ts';
import type { WorkspaceServices } from '../../../src/features/services.ts';
import type { Account } from '../../../src/workspaces/accounts.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { readForm } from '../../support/form-driver.ts';
import { runContext } from '../../support/run-command.ts';
import { now, reader } from '../../support/view-fixtures.ts';

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
    readForm(accountModal({ addresses, samples: [], own: undefined, ...options }, reader));
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

const addresses = ['https://service.example', 'https://b.example'];
const unreadable = { status: 418, contentType: '', excerpt: '', reason: '' };
const failures = [
  new UnauthorizedError({ refused: 'login' }),
  new UnavailableError({ since: now }),
  new RateLimitedError(),
  new UnreadableResponseError(unreadable),
  undefined,
];

const typed = fc.record({
  address: fc.constantFrom('', ...addresses, 'https://elsewhere.example'),
  apiKey: fc.oneof(fc.string(), fc.base64String({ minLength: 8 })),
  userId: fc.string(),
  password: fc.string({ unit: anyCharacter }),
});

test('whatever is typed is saved as it was typed, or refused in words that hold none of it', async () => {
  await fc.assert(
    fc.asyncProperty(typed, fc.constantFrom(...failures), async (values, failure) => {
      const saved: Account[] = [];
      const services = {
        account: {
          addresses,
          samples: [],
          state: async () => ({
            kind: 'own',
            address: addresses[0] ?? '',
            connectedAt: now,
            connectedBy: 'U1',
          }),
          exists: async () => true,
          check: async () => undefined,
          refresh: async () => true,
          async connect(entered) {
            if (failure) throw failure;
            saved.push(entered);
          },
          disconnect: async () => true,
        },
        // Only an admin gets so far.
        slack: { personOf: async () => ({ isAdmin: true }) },
      } satisfies { account: WorkspaceServices['account']; slack: object };
      const ctx = { services, registry: {} } as unknown as WorkCtx;
      const filled = {
        target: {},
        memo: undefined,
        values: {
          text: (field: string) => Object.entries(values).find(([id]) => id === field)?.[1] ?? '',
          ticked: () => [],
        },
      };
      const actor = { userId: 'U1', isAdmin: true, zone: 'UTC' };
      const context = { ...runContext(ctx), actor };
      const words = await accountForm.submit(filled, context).then(
        (answer) => JSON.stringify(answer?.view(reader)),
        (error: unknown) => {
          if (error instanceof FieldErrors) return JSON.stringify(error.fields);
          if (error instanceof UserError) return `${error.message} ${error.hint}`;
          throw error;
        },
      );
      // Shorter ones are in every text.
      for (const secret of [values.apiKey, values.userId, values.password])
        if (secret.trim().length > 7) expect(words).not.toContain(secret.trim());
      if (saved[0]) {
        const { apiKey, userId, password, address } = values;
        expect(saved).toEqual([
          { apiKey: apiKey.trim(), userId: userId.trim(), password, address: address || addresses[0] },
        ]);
        expect(addresses).toContain(saved[0].address);
      } else
        expect(words).toMatch(/Nothing was saved|nothing was saved|Type the|does not allow|An API key has/);

      const asMember = accountForm.submit(filled, { ...context, actor: { ...actor, isAdmin: false } });
      await expect(asMember).rejects.toMatchObject({ code: 'not-allowed' });
      expect(saved.length).toBeLessThanOrEqual(1);
    }),
  );
});
