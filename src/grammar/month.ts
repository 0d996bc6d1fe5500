import { format } from 'date-fns/format';
import { parseISO } from 'date-fns/parseISO';
import type { UserError } from '../errors.ts';
import { type IsoMonth, readMonth, readMonthName } from './dates.ts';
import { type LineHelp, quote, wordsError } from './line-help.ts';
import type { Period } from './period.ts';

/** `2026-10`, `oct 2026`, `october`, `this month`, `last month`. Throws UserError bad-month, also before `earliest`. */
export function parseMonth(text: string, help: LineHelp & { earliest?: IsoMonth }): Period {
  const typed = text
    .trim()
    .toLowerCase()
    .replace(/^(?:in|for|of) /, '');
  if (/^(?:this|current|the current)(?: month)?$/.test(typed)) return { kind: 'month', offset: 0 };
  if (/^(?:last|previous|the last)(?: month)?$/.test(typed)) return { kind: 'month', offset: -1 };
  const named = readMonthName(typed);
  if (named !== undefined) return { kind: 'named', month: named };
  const month = readMonth(typed, help);
  if (!month) {
    throw wordsError('bad-month', `${quote(text)} isn't a valid month.`, help, {
      hint: 'A month is written like 2026-10, “oct 2026” or “last month”.',
      fixes: ['last month'],
    });
  }
  if (help.earliest && month < help.earliest) throw tooEarly(month, help.earliest, help);
  return { kind: 'months', from: month, to: month };
}

function tooEarly(month: IsoMonth, earliest: IsoMonth, help: LineHelp): UserError {
  const title = (each: IsoMonth) => format(parseISO(each), 'MMMM yyyy');
  const message = `There is nothing for ${title(month)}: the first month is ${title(earliest)}.`;
  return wordsError('bad-month', message, help, {
    choices: [{ label: title(earliest), line: help.line(earliest) }],
  });
}
