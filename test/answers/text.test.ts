import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dateToken, escaped, plain } from '../../src/answers/text.ts';
import { nasty } from '../support/answer-arbitraries.ts';

test('escapes the three special characters and formatting marks', () => {
  expect(escaped('<!channel> & <@U1>')).toBe('&lt;!channel&gt; &amp; &lt;@U1&gt;');
  expect(escaped('*MSC* ~X~ `y` _z_')).toBe('∗MSC∗ ∼X∼ ˋyˋ ‗z‗');
  expect(escaped('NORTH_EUROPE')).toBe('NORTH_EUROPE');
  expect(escaped('two\nlines\tand\u0000more')).toBe('two lines and more');
  expect(escaped('\u202Egnp.exe')).toBe('gnp.exe');
});

test('ordinary names stay as they are', () => {
  for (const name of ['Hồ Chí Minh', "L'Aquila", 'DS CYPRESS', 'Göteborg', 'St. John’s', '釜山'])
    expect(escaped(name)).toBe(name);
});

test('no typed text becomes a mention, a link, a block or a format', () => {
  fc.assert(
    fc.property(nasty, (text) => {
      expect(escaped(text)).not.toMatch(/[<>*~`\n\r]|&(?!amp;|lt;|gt;)/);
      expect(plain(text)).not.toMatch(/[<>\n\r]/);
    }),
  );
});

test('a date token has a fallback for other programs', () => {
  expect(dateToken(new Date('2026-11-23T14:05:30Z'), '23 Nov 2026 14:05 UTC')).toBe(
    '<!date^1795442730^{date_short_pretty} {time}|23 Nov 2026 14:05 UTC>',
  );
});
