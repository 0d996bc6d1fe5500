import { UnsecuredJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { expiryOf, isExpired, needsRenewal } from '../../src/analytics/token-manager.ts';

const obtainedAt = Date.parse('2026-11-21T08:00:00Z');
const seconds = obtainedAt / 1000;
const minuteMs = 60_000;

/** The lifetime is read without looking at the signature. */
const jwt = (claims: Record<string, unknown>) => new UnsecuredJWT(claims).encode();

describe('the expiry of a token', () => {
  test.each([
    ['by its `exp` and `iat`', { iat: seconds, exp: seconds + 600 }, 10 * minuteMs],
    [
      'counted from its `iat`, where the clocks differ',
      { iat: seconds - 900, exp: seconds - 300 },
      10 * minuteMs,
    ],
    ['by its `exp` alone', { exp: seconds + 600 }, 10 * minuteMs],
    ["by its `exp` alone, where `iat` isn't a number", { exp: seconds + 600, iat: null }, 10 * minuteMs],
    ['a millisecond after it comes', { exp: (obtainedAt + 1) / 1000 }, 1],
  ])('%s', (_, claims, lifeMs) => {
    expect(expiryOf(jwt(claims), obtainedAt)).toBe(obtainedAt + lifeMs);
  });

  test.each([
    ['it names no `exp`', jwt({ iat: seconds })],
    ["its `exp` isn't a number", jwt({ exp: String(seconds + 600) })],
    ['it expires at the moment it comes', jwt({ exp: seconds })],
    ['it expires when it is issued', jwt({ iat: seconds, exp: seconds })],
    ["it isn't a JWT", 'opaque'],
  ])('is unknown if %s', (_, token) => {
    expect(expiryOf(token, obtainedAt)).toBeUndefined();
  });
});

test.each([
  ['10 h', 600 * minuteMs, minuteMs],
  ['10 minutes', 10 * minuteMs, minuteMs],
  ['5 minutes', 5 * minuteMs, minuteMs / 2],
])('a token of %s is renewed in the last tenth of its life, a minute at most', (_, lifeMs, marginMs) => {
  const expiresAt = obtainedAt + lifeMs;
  const token = { token: 'a', obtainedAt, expiresAt };
  expect(needsRenewal(token, expiresAt - marginMs - 1)).toBe(false);
  expect(needsRenewal(token, expiresAt - marginMs)).toBe(true);
  expect(isExpired(token, expiresAt - 1)).toBe(false);
  expect(isExpired(token, expiresAt)).toBe(true);
});

test('a token that does not say how long it lives needs no renewal and never expires', () => {
  const token = { token: 'a', obtainedAt };
  expect(needsRenewal(token, Number.MAX_SAFE_INTEGER)).toBe(false);
  expect(isExpired(token, Number.MAX_SAFE_INTEGER)).toBe(false);
});
