import { UserError } from '../../errors.ts';
import type { LineHelp } from '../../grammar/line-help.ts';
import { joinWords } from '../../grammar/options.ts';
import { formatPeriod, type Period } from '../../grammar/period.ts';
import { fromMidnight, previousSpan } from '../../grammar/previous-span.ts';
import { resolvePeriodWithin, type TimeSpan } from '../../grammar/resolve-period.ts';
import { formatVersus, type Versus } from '../../grammar/versus.ts';
import { isoDay } from '../../messages/formatting/times.ts';
import type { ComparedSpans } from './versus.ts';

/** The service's own default. */
const defaultPeriod: Period = { kind: 'last', amount: 90, unit: 'days' };

/**
 * Both periods in whole days of UTC, in the order of time however they were typed. `help.line` takes the words for both.
 * Throws UserError if they are the same.
 */
export function comparedSpans(
  { period = defaultPeriod, versus }: { period?: Period | undefined; versus: Versus },
  { now, help }: { now: Date; help: LineHelp },
): ComparedSpans {
  const spanOf = (typed: Period, line: LineHelp['line']) =>
    fromMidnight(
      resolvePeriodWithin(typed, { now, zone: 'UTC', direction: 'past', help: { ...help, line } }),
      now,
    );
  const span = spanOf(period, (fixed) => help.line(joinWords(fixed, formatVersus(versus))));
  if (versus === 'previous') {
    const strideDays = period.kind === 'weekend' ? 7 : undefined;
    const { current, previous } = previousSpan(span, { now, strideDays });
    return { earlier: previous, later: current };
  }
  const other = spanOf(versus, (fixed) => help.line(joinWords(formatPeriod(period), `versus ${fixed}`)));
  if (+span.begin === +other.begin && +span.end === +other.end) throw samePeriod(versus, help);
  const isLater = +span.begin - +other.begin || +span.end - +other.end;
  return isLater > 0 ? { earlier: other, later: span } : { earlier: span, later: other };
}

const samePeriod = (period: Period, help: LineHelp): UserError =>
  new UserError({
    code: 'bad-period',
    message: 'Both periods are the same.',
    hint: 'Compare with another period, such as the one before.',
    choices: [
      { label: 'versus previous', line: help.line(joinWords(formatPeriod(period), 'versus previous')) },
    ],
    example: 'lane Singapore Xiamen last quarter versus previous',
  });

/** The days of a span, as a period that can be typed. */
export const daysOf = ({ begin, end }: TimeSpan): Period => ({
  kind: 'days',
  from: isoDay(begin, 'UTC'),
  to: isoDay(new Date(end.getTime() - 1), 'UTC'),
});
