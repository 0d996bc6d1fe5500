import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UserError } from '../../src/errors.ts';
import { carriersOption, parseCarriers } from '../../src/grammar/carriers.ts';
import {
  cleanLine,
  minimumOption,
  orderOption,
  pageOption,
  scanOptions,
  wordOption,
} from '../../src/grammar/line.ts';
import { parseMonth } from '../../src/grammar/parse-month.ts';
import { parsePeriod, periodOption } from '../../src/grammar/parse-period.ts';
import { parsePort, parsePortPair, parsePorts } from '../../src/grammar/port.ts';
import { parseListName, parseVessels } from '../../src/grammar/vessel.ts';
import { anyWords, help, vessels } from '../support/grammar-samples.ts';

const options = {
  period: periodOption('future'),
  minimum: minimumOption,
  order: orderOption(['eta', 'probability']),
  page: pageOption,
  all: wordOption('all'),
  carriers: carriersOption,
};
const scan = (words: string) => scanOptions(words, options, { command: 'ask', example: 'ask something' });

const parsers: Record<string, (words: string) => unknown> = {
  vessels: (words) => parseVessels(words, { ...help, vessels }),
  port: (words) => parsePort(scan(words).rest, help),
  ports: (words) => parsePorts(words.trim(), help),
  lane: (words) => parsePortPair(scan(words).rest, help),
  carriers: (words) => parseCarriers(words, help),
  period: (words) => parsePeriod(words, help),
  month: (words) => parseMonth(words, help),
  list: (words) => parseListName(`list:${words}`, help),
};

test.each(
  Object.entries(parsers),
)('any words as %s give a value, or a short and helpful error', (_, parse) => {
  fc.assert(
    fc.property(anyWords, (typed) => {
      try {
        parse(cleanLine(typed));
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        expect(error.message.length).toBeLessThan(300);
        expect(error.hint ?? error.choices[0] ?? error.example).toBeTruthy();
        expect(error.choices.length).toBeLessThanOrEqual(12);
      }
    }),
    { numRuns: 150 },
  );
});
