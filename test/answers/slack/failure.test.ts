import { expect, test } from 'vitest';
import {
  ForbiddenError,
  NotFoundError,
  RateLimitedError,
  UnauthorizedError,
  UnavailableError,
} from '../../../src/analytics/errors.ts';
import { failureView } from '../../../src/answers/slack/failure.ts';
import { UserError } from '../../../src/errors.ts';
import { asRead } from '../../support/message-text.ts';
import { reader } from '../../support/view-fixtures.ts';

const read = (error: unknown, line?: string) =>
  asRead(failureView(error, { ref: '7K3F', reader, ...(line !== undefined && { line }) }));

const outage = new UnavailableError({ since: new Date('2026-11-21T08:50:00Z') });

// The stories “The service fails in each of its ways” and “An account without the trade lanes” of test/corpus have more.
test.each<[shown: string, error: unknown, line?: string]>([
  [
    '&lt;!channel&gt; is no IMO number. Perhaps one digit is wrong.\n[DS CYPRESS (9461477) → nextport 9461477]',
    new UserError({
      code: 'bad-check-digit',
      message: '<!channel> is no IMO number.',
      hint: 'Perhaps one digit is wrong.',
      choices: [{ label: 'DS CYPRESS (9461477)', line: 'nextport 9461477' }],
      example: 'nextport 9461477',
    }),
  ],
  [
    '*The analytics service did not answer in time*\nref 7K3F\n[Try again → usage]',
    new DOMException('timed out', 'TimeoutError'),
    'usage',
  ],
  [
    '*The analytics service is limiting our calls*\nTry again in 31 s · ref 7K3F\n[Try again → usage]',
    new RateLimitedError({ retryAfterMs: 30_500 }),
    'usage',
  ],
  [
    '*The analytics service is limiting our calls*\nTry again in 5 min · ref 7K3F',
    new RateLimitedError({ retryAfterMs: 300_000 }),
  ],
  [
    "*The analytics service doesn't accept the account*\nIts user id, password and API key need checking; Landfall retries automatically · ref 7K3F\n[Whose account? → landfall account]",
    new UnauthorizedError({ refused: 'login' }),
    'usage',
  ],
  [
    '*This account has no access to that part of the analytics service*\nAsk the provider which parts the account includes · ref 7K3F',
    new ForbiddenError({ resource: 'the usage report' }),
    'usage',
  ],
  ['*The analytics service found nothing for that*\nref 7K3F', new NotFoundError({ status: 404 }), 'usage'],
  // A bug: a reference, and nothing of the error itself.
  [
    '*Something broke on our side (ref 7K3F)*\nIf it happens again, tell whoever runs this bot\n[Try again → usage]',
    new TypeError('secret of the house'),
    'usage',
  ],
  [
    '*Something broke on our side (ref 7K3F)*\nIf it happens again, tell whoever runs this bot',
    'thrown without an Error',
  ],
  // An error of another library, which has a code too.
  [
    '*Something broke on our side (ref 7K3F)*\nIf it happens again, tell whoever runs this bot',
    Object.assign(new Error('x'), { code: 'ECONNREFUSED' }),
  ],
])('%s', (shown, error, line) => {
  const [text = '', ...blocks] = read(error, line).split('\n\n');
  expect(blocks.join('\n\n')).toBe(shown);
  expect(text).not.toContain('secret');
});

test('the text for notifications has what the blocks say, and the choices', () => {
  const [choice, other] = [
    { label: 'Portland, Oregon, US (USPDX)', line: 'portcalls USPDX' },
    { label: 'Portland, Maine, US (USPWM)', line: 'portcalls USPWM' },
  ];
  const error = new UserError({ code: 'ambiguous-port', message: 'Which one?', choices: [choice, other] });
  expect(read(error)).toContain(
    'text: Which one? Portland, Oregon, US (USPDX); Portland, Maine, US (USPWM).\n\n',
  );
  expect(read(outage)).toContain(
    'text: The analytics service does not answer (since 08:50 UTC) (ref 7K3F)\n',
  );
  expect(read(new UserError({ code: 'bad-imo', message: 'No.', choices: [choice] }))).toContain(
    'text: No. You could try: Portland, Oregon, US (USPDX).\n',
  );
});

test('a mention that an error quotes is shown as one, and notifies nobody where others read it', () => {
  const error = new UserError({
    code: 'unknown-vessel',
    message: 'I don’t know “<@U0BEN0001> in <#C0OPS00001>”, or “@U0BEN0001”.',
    choices: [{ label: 'audit by <@U0BEN0001>', line: 'landfall audit' }],
  });
  const shown = (isPublic: boolean) => asRead(failureView(error, { reader, isPublic }));
  expect(shown(false)).toContain('“<@U0BEN0001> in <#C0OPS00001>”, or “<@U0BEN0001>”.');
  expect(shown(true)).toContain('“somebody in <#C0OPS00001>”, or “somebody”.');
  for (const text of [shown(false), shown(true)]) expect(text).toContain('[audit by somebody →');
});
