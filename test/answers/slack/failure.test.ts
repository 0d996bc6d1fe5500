import { expect, test } from 'vitest';
import {
  ForbiddenError,
  NotFoundError,
  RateLimitedError,
  UnauthorizedError,
  UnavailableError,
  UnreadableResponseError,
} from '../../../src/analytics/errors.ts';
import { failureView } from '../../../src/answers/slack/failure.ts';
import { UserError } from '../../../src/errors.ts';
import { asRead } from '../../support/message-text.ts';
import { reader } from '../../support/view-fixtures.ts';

const read = (error: unknown, line?: string) =>
  asRead(failureView(error, { ref: '7K3F', reader, ...(line !== undefined && { line }) }));

test('wrong input: what is wrong, the nearest valid lines, an example', () => {
  const error = new UserError({
    code: 'bad-check-digit',
    message: '<!channel> is no IMO number.',
    hint: 'Perhaps one digit is wrong.',
    choices: [{ label: 'DS CYPRESS (9461477)', line: 'nextport 9461477' }],
    example: 'nextport 9461477',
  });
  expect(read(error)).toMatchInlineSnapshot(`
    "text: &lt;!channel&gt; is no IMO number. Perhaps one digit is wrong. You could try: DS CYPRESS (9461477).

    &lt;!channel&gt; is no IMO number. Perhaps one digit is wrong.
    [DS CYPRESS (9461477) → nextport 9461477]"
  `);
});

test('an ambiguous name: a question with a button for each port', () => {
  const error = new UserError({
    code: 'ambiguous-port',
    message: 'Several ports are meant by “Portland”. Which one?',
    choices: [
      { label: 'Portland, Oregon, US (USPDX)', line: 'portcalls USPDX' },
      { label: 'Portland, Maine, US (USPWM)', line: 'portcalls USPWM' },
    ],
  });
  expect(read(error)).toMatchInlineSnapshot(`
    "text: Several ports are meant by “Portland”. Which one? Portland, Oregon, US (USPDX); Portland, Maine, US (USPWM).

    Several ports are meant by “Portland”. Which one?
    [Portland, Oregon, US (USPDX) → portcalls USPDX] [Portland, Maine, US (USPWM) → portcalls USPWM]"
  `);
});

test('the service is down', () => {
  expect(
    read(new UnavailableError({ since: new Date('2026-11-21T08:50:00Z') }), 'nextport 9461477'),
  ).toMatchInlineSnapshot(`
    "text: The analytics service does not answer (since 08:50 UTC) (ref 7K3F)

    *The analytics service does not answer (since 08:50 UTC)*
    ref 7K3F
    [Try again → nextport 9461477]"
  `);
});

test('the service is too slow', () => {
  expect(read(new DOMException('timed out', 'TimeoutError'), 'nextport 9461477')).toMatchInlineSnapshot(`
    "text: The analytics service did not answer in time (ref 7K3F)

    *The analytics service did not answer in time*
    ref 7K3F
    [Try again → nextport 9461477]"
  `);
});

test('the service is unreadable', () => {
  const error = new UnreadableResponseError({
    status: 200,
    contentType: 'text/html',
    excerpt: '<html>',
    reason: 'no JSON',
  });
  expect(read(error, 'nextport 9461477')).toMatchInlineSnapshot(`
    "text: The analytics service sent data that Landfall can't read. If it happens again, tell whoever runs this bot (ref 7K3F)

    *The analytics service sent data that Landfall can't read*
    If it happens again, tell whoever runs this bot · ref 7K3F
    [Try again → nextport 9461477]"
  `);
});

test('too many calls, with and without a time to wait', () => {
  expect(read(new RateLimitedError({ retryAfterMs: 30_500 }), 'usage')).toMatchInlineSnapshot(`
    "text: The analytics service is limiting our calls. Try again in 31 s (ref 7K3F)

    *The analytics service is limiting our calls*
    Try again in 31 s · ref 7K3F
    [Try again → usage]"
  `);
  expect(read(new RateLimitedError({ retryAfterMs: 300_000 }))).toContain('Try again in 5 min');
  expect(read(new RateLimitedError())).toContain('Try again in a minute');
});

test('the account is refused', () => {
  expect(read(new UnauthorizedError({ refused: 'login' }), 'nextport 9461477')).toMatchInlineSnapshot(`
    "text: The analytics service doesn't accept the account. Its user id, password and API key need checking; Landfall retries automatically (ref 7K3F)

    *The analytics service doesn't accept the account*
    Its user id, password and API key need checking; Landfall retries automatically · ref 7K3F
    [Whose account? → landfall account]"
  `);
});

test('no access to trade lanes (beta), and to anything else', () => {
  const error = new ForbiddenError({ resource: 'trade lane statistics' });
  expect(read(error, 'lane SGSIN CNXAM')).toMatchInlineSnapshot(`
    "text: This account has no access to trade lane statistics (beta). The provider grants it to a limited number of users; other commands still work (ref 7K3F)

    *This account has no access to trade lane statistics (beta)*
    The provider grants it to a limited number of users; other commands still work · ref 7K3F"
  `);
  expect(read(error, 'usage')).toMatchInlineSnapshot(`
    "text: This account has no access to that part of the analytics service. Ask the provider which parts the account includes (ref 7K3F)

    *This account has no access to that part of the analytics service*
    Ask the provider which parts the account includes · ref 7K3F"
  `);
});

test('the service found nothing', () => {
  expect(read(new NotFoundError({ status: 404 }), 'usage')).toMatchInlineSnapshot(`
    "text: The analytics service found nothing for that (ref 7K3F)

    *The analytics service found nothing for that*
    ref 7K3F"
  `);
});

test('a bug: a reference, and nothing of the error itself', () => {
  const shown = read(new TypeError('secret of the house'), 'nextport 9461477');
  expect(shown).toMatchInlineSnapshot(`
    "text: Something broke on our side (ref 7K3F). If it happens again, tell whoever runs this bot

    *Something broke on our side (ref 7K3F)*
    If it happens again, tell whoever runs this bot
    [Try again → nextport 9461477]"
  `);
  expect(shown).not.toContain('secret');
  expect(read('thrown without an Error')).toContain('Something broke on our side (ref 7K3F)');
});

test("another library's error with a code counts as a bug", () => {
  expect(read(Object.assign(new Error('x'), { code: 'ECONNREFUSED' }))).toContain('on our side');
});
