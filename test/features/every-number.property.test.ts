import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UserError } from '../../src/errors.ts';
import { exampleVessels, hasValidCheckDigit, isImo } from '../../src/reference/codes.ts';
import { commands, parseLine } from '../support/registry.ts';
import { vessels } from '../support/run-command.ts';

/** Some have a name here, some don't. */
const numbers = [
  ...exampleVessels.slice(0, 4).map(({ imo }) => String(imo)),
  ...Array.from({ length: 60 }, (_, index) => 9_300_000 + 61 * index)
    .filter((number) => isImo(number) && hasValidCheckDigit(number))
    .map(String),
];
const aNumber = fc
  .tuple(
    fc.constantFrom(...numbers),
    fc.constantFrom('', 'IMO', 'IMO ', 'imo:', 'IMO No. ', 'DS CYPRESS ', '('),
  )
  .map(([number, lead]) => `${lead}${number}${lead === '(' ? ')' : ''}`);
const separator = fc.constantFrom(
  ...[
    ' / ',
    '/',
    '\n',
    '\t',
    '; ',
    ';',
    ', ',
    ',',
    ' and ',
    ' & ',
    ' or ',
    ' + ',
    ' - ',
    '-',
    ' | ',
    ' ',
    ', and ',
  ],
  ...[' vs ', '. ', '? ', ' → ', ' to ', '\r\n', ' • ', ' at ', ' due ', ' add ', ': '],
  ...[' > ', '、', '_', '*', ' #', '] [', ' und ', ' et ', '\n2. ', '\n2) ', '" "', "' '", ' it '],
);
/** As people type them; `{}` is a place for numbers. */
const lines = [
  ...[
    '{}',
    'where is {}',
    'where are {} and {} now?',
    'when does {} get to Rotterdam?',
    'eta of {}',
    '{} map',
  ],
  ...[
    'what changed {}',
    'how stable is {}',
    'who is coming to Rotterdam {}',
    'hi {}',
    'thanks {}',
    'help {}',
  ],
  ...[
    'watch stop {}',
    'watch snooze {} 1h',
    'watch {} at Rotterdam',
    'watch {} eta 6h',
    'watch stability {}',
  ],
  ...[
    'vessel fleet NORTH add {}',
    'vessel fleet NORTH remove {}',
    'vessel name {} EVER GIVEN',
    'vessel forget {}',
  ],
  ...['vessel ref {} BK123', 'portcalls Rotterdam {}', 'lane Singapore Xiamen {}', 'usage {}', 'landfall {}'],
  ...[
    'nextport {} at Rotterdam',
    'nextport {} compare',
    'nextport {} history',
    '{} page 2',
    '{} as csv',
    'stop {}',
  ],
  ...[
    'digest add weekdays 08:00 nextport {}',
    'landfall audit {}',
    'landfall settings {}',
    'watch {} due NLRTM 27 nov',
  ],
  ...commands.flatMap(({ questions }) => questions.map(({ example }) => `${example} {}`)),
  ...commands.flatMap(({ examples }) => examples.map((example) => `${example} {}`)),
];
const someNumbers = fc
  .array(fc.tuple(separator, aNumber), { minLength: 1, maxLength: 4 })
  .map((pairs) => pairs.flat().slice(1).join(''));
const aLine = fc
  .tuple(fc.constantFrom(...lines), someNumbers, someNumbers)
  .map(([line, one, other]) => line.replace('{}', one).replace('{}', other));

const lineOf = (text: string, inThread: boolean): string | undefined => {
  try {
    return parseLine(
      text,
      inThread
        ? {
            ...{ vessels, isTyped: true },
            threadVessels: vessels
              .all()
              .slice(-1)
              .map(({ imo }) => imo),
          }
        : { vessels, isTyped: true },
    ).line;
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
};

test('no IMO number is dropped: the line that runs has every number that was typed', () => {
  let several = 0;
  fc.assert(
    fc.property(aLine, fc.boolean(), (text, inThread) => {
      const line = lineOf(text, inThread);
      if (line === undefined) return;
      const typed = new Set(text.match(/(?<!\d)\d{7}(?!\d)/g));
      if (typed.size > 1) several += 1;
      const dropped = [...typed].filter((number) => !line.includes(number));
      expect([text, line, dropped]).toEqual([text, line, []]);
    }),
    { numRuns: 3000 },
  );
  expect(several).toBeGreaterThan(300);
});
