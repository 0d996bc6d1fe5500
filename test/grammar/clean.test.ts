import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanLine } from '../../src/grammar/line.ts';
import { anyWords, refusal } from '../support/grammar-samples.ts';

test.each([
  ['/nextport 9461477', 'nextport 9461477'],
  ['  Nextport\u00a0\u20079461477. ', 'Nextport 9461477'],
  ['nextport ９４６１４７７', 'nextport 9461477'],
  ['nextport list:“North Sea”', 'nextport list:"North Sea"'],
  ['nextport list:‘x’', "nextport list:'x'"],
  ['lane SGSIN–CNXAM 2026‑01…2026‑03', 'lane SGSIN-CNXAM 2026-01...2026-03'],
  ['lane SGSIN → CNXAM', 'lane SGSIN → CNXAM'],
  ['a &amp; b &lt;c&gt;', 'a & b <c>'],
  ['in <#C024BE7LR|ops> for <@U012ABCDEF|ann>', 'in <#C024BE7LR> for @ann'],
  [
    'at <#C024BE7LR|ops> hand over 9461477 to <@U012ABCDEF|ann>',
    'at #ops hand over 9461477 to <@U012ABCDEF>',
  ],
  ['assign 9461477 <@U012ABCDEF|ann>', 'assign 9461477 <@U012ABCDEF>'],
  ['hand over to <@W012ABCDEF> in <#C024BE7LR>', 'hand over to <@W012ABCDEF> in <#C024BE7LR>'],
  [
    'audit of <#C024BE7LR|ops> by <@U012ABCDEF|ann> and <@U012ABCDEF|ann>',
    'audit of <#C024BE7LR> by <@U012ABCDEF> and @ann',
  ],
  ['costs of <#C024BE7LR|ops> by <@U012ABCDEF|ann>', 'costs of <#C024BE7LR> by @ann'],
  ['9461477 by <@U012ABCDEF|ann>', '9461477 by @ann'],
  ['<#C024BE7LR> <#C024BE7LR|> <@U012ABCDEF>', '#C024BE7LR #C024BE7LR @U012ABCDEF'],
  ['<!channel> <!subteam^S1|@ops> <!here|here>', '@channel @ops here'],
  ['<http://nextport.com|nextport.com> <https://a.b/c>', 'nextport.com https://a.b/c'],
  ['<mailto:ann@a.b|ann@a.b> <tel:9461477|9461477> <tel:9461477>', 'ann@a.b 9461477 9461477'],
  ['portcalls\u200b Rotterdam\ufeff\n next 3 days', 'portcalls Rotterdam next 3 days'],
  ['`nextport 9461477`', "'nextport 9461477'"],
])('%j becomes %j', (typed, cleaned) => {
  expect(cleanLine(typed)).toBe(cleaned);
});

test('8,000 characters are accepted, one more is refused, with an example that Slack knows', () => {
  expect(cleanLine('a'.repeat(8_000))).toHaveLength(8_000);
  expect(refusal(() => cleanLine('a'.repeat(8_001)))).toMatchInlineSnapshot(
    `"too-long: That is too long to read: at most 8,000 characters."`,
  );
  expect(() => cleanLine('a'.repeat(8_001))).toThrow(expect.objectContaining({ example: 'landfall help' }));
});

test('removes control characters, lone surrogates and double spaces from any input', () => {
  fc.assert(
    fc.property(anyWords, (typed) => {
      const line = cleanLine(typed.slice(0, 8_000));
      expect(line).toBe(line.trim());
      expect(line.isWellFormed()).toBe(true);
      expect(line).not.toMatch(/\p{Cc}|\p{Cf}| {2}|[“”‘’–—]/u);
    }),
  );
});
