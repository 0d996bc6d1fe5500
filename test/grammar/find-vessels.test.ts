import { describe, expect, test } from 'vitest';
import { findVessels } from '../../src/grammar/vessel.ts';
import { createVesselDirectory } from '../../src/grammar/vessel-directory.ts';
import { exampleVessels } from '../../src/reference/codes.ts';

const vessels = createVesselDirectory(exampleVessels);
const found = (text: string) => findVessels(text, vessels);

describe('the vessels that a text mentions', () => {
  test.each([
    ['9461477 is late', [9461477]],
    ['IMO 9461477', [9461477]],
    ['imo:9461477, and IMO9755933.', [9461477, 9755933]],
    ['see <https://ships.example/9461477-x|the ship>', [9461477]],
    ['`9461477` and ```\n9755933\n```', [9461477, 9755933]],
    ['where is ds  cypress?', [9461477]],
    ['the DS-Cypress and the MSC Gülsün', [9461477, 9839430]],
    ['9461477 is the DS CYPRESS', [9461477]],
    ['EVER GIVEN, then MSC DIANA', [9811000, 9755933]],
  ])('%s', (text, imos) => {
    expect(found(text)).toEqual(imos);
  });

  test.each([
    ['a wrong check digit', '9461478'],
    ['part of a longer number, or of an id', '99461477 94614771 A9461477 <@U9461477A>'],
    ['part of a word', 'EVER GIVENS, NEVER GIVEN'],
    ['a time in a mention', '<!date^1763712345^{date}|now>'],
    ['nothing', ''],
  ])('does not find: %s', (_, text) => {
    expect(found(text)).toEqual([]);
  });

  test('reads what Slack shows of the longest message, and no more', () => {
    const filler = 'late again, '.repeat(4_000);
    expect(found(`9461477 ${filler}`)).toEqual([9461477]);
    const read: number[] = [];
    const counting = {
      ...vessels,
      vesselsIn(text: string) {
        read.push(text.length);
        return [];
      },
    };
    expect(findVessels(`${filler} 9461477`, counting)).toEqual([]);
    expect(read).toEqual([40_000]);
  });

  test('finds only the longer of two names that overlap, and both vessels of one name', () => {
    const [one, two, three, four] = [9461477, 9755933, 9811000, 9839430];
    const named = (imo: number | undefined, name: string) => ({
      // Of the list above.
      imo: imo as (typeof exampleVessels)[number]['imo'],
      name,
    });
    const directory = createVesselDirectory([
      named(one, 'DIANA'),
      named(two, 'MSC DIANA'),
      named(three, 'STAR'),
      named(four, 'STAR'),
    ]);
    expect(findVessels('MSC DIANA II', directory)).toEqual([two]);
    expect(findVessels('the star', directory)).toEqual([three, four]);
  });
});
