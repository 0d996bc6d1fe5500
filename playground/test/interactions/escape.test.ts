import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultWorld } from '../../src/index.ts';
import { createEscaper } from '../../src/interactions/escape.ts';

const world = defaultWorld();
const escaper = createEscaper(world.users, world.channels);

test.each([
  ['@ada', '<@U0ADA0001|ada>'],
  ['@Ada Lindqvist, hello', '<@U0ADA0001|ada>, hello'],
  ['@adam', '@adam'],
  ['#ops-old and #ops.', '#ops-old and <#C0OPS00001|ops>.'],
  ['a & b < c > d', 'a &amp; b &lt; c &gt; d'],
  ['<!channel> <@U0ADA0001>', '&lt;!channel&gt; &lt;@U0ADA0001&gt;'],
  ['https://x.example/a?b&c', '<https://x.example/a?b&amp;c>'],
  ['mail ada@harbour.com', 'mail <mailto:ada@harbour.com|ada@harbour.com>'],
  ['2026-01..2026-03 list:NORTH.A', '2026-01..2026-03 list:NORTH.A'],
])('%s reaches the app as %s', (typed, escaped) => {
  expect(escaper.command(typed)).toBe(escaped);
});

test('typed text never mentions a whole channel, and only mentions, links and channels have brackets', () => {
  const typed = fc.array(
    fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('<!channel>', '<!here|x>', '<@U0ADA0001>', '@ada', '#ops', 'a.com'),
    ),
  );
  fc.assert(
    fc.property(typed, (pieces) => {
      const text = escaper.message(pieces.join(' '));
      const rest = text.replace(/<(@U[A-Z0-9]+|#C[A-Z0-9]+\|[a-z-]+|(https?:\/\/|mailto:)[^<>]+)>/g, '');
      expect(rest).not.toMatch(/[<>]/);
      expect(text).not.toContain('<!');
    }),
  );
});
