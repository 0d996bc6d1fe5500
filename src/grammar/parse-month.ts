import { format } from 'date-fns/format';
import { parseISO } from 'date-fns/parseISO';
import { UserError } from '../errors.ts';
import { nearest } from '../reference/nearest.ts';
import { type IsoMonth, monthNames, readMonth, readMonthName } from './dates.ts';
import { type LineHelp, quote, wordsError } from './line.ts';
import { formatPeriod, type Period } from './period.ts';

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
  // For usage `10/26` and `oct 26` are months.
  const month = readMonth(
    typed.replace(/^(\d{1,2}[/.]|\p{L}+\.? )(\d{2})$/u, (_, month, year) => `${month}20${year}`),
    help,
  );
  if (!month) {
    throw wordsError('bad-month', `${quote(text)} isn't a valid month.`, help, {
      hint: 'A month is written like 2026-10, “oct 2026” or “last month”.',
      fixes: [nearestMonth(typed, help)],
    });
  }
  if (help.earliest && month < help.earliest) throw tooEarly(month, help.earliest, help);
  return { kind: 'months', from: month, to: month };
}

const monthWords = [...monthNames, 'last', 'this', 'month'].map((word) => ({ key: word, value: word }));

/** The month that misspelt words (`octobr`) or a day (`2026-10-01`) mean, in canonical words. */
function nearestMonth(typed: string, help: LineHelp): string {
  const [ofDay] = /^\d{4}-\d{2}(?=-\d)/.exec(typed) ?? [];
  const fixed = ofDay ?? typed.replace(/\p{L}{3,}/gu, (word) => nearest(word, monthWords, 1)[0] ?? word);
  if (fixed === typed) return 'last month';
  try {
    return formatPeriod(parseMonth(fixed, help));
  } catch (error) {
    if (error instanceof UserError) return 'last month';
    throw error;
  }
}

function tooEarly(month: IsoMonth, earliest: IsoMonth, help: LineHelp): UserError {
  const title = (isoMonth: IsoMonth) => format(parseISO(isoMonth), 'MMMM yyyy');
  const message = `There is nothing for ${title(month)}: the first month is ${title(earliest)}.`;
  return wordsError('bad-month', message, help, {
    choices: [{ label: title(earliest), line: help.line(earliest) }],
  });
}
