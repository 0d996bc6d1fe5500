import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scaleOf, ticksFor, uprightLabels } from '../../page/message/chart-scale.ts';
import { type Chart, chartRows, chartText, segmentsOf } from '../../page/message/chart-text.ts';

describe('the axis of a chart', () => {
  it.each<[number[], boolean, number[]]>([
    [[3.2, 4.1, 7.4], true, [0, 2, 4, 6, 8]],
    [[-3, 4, -7, 5], true, [-10, -5, 0, 5]],
    [[1200, 1700, 66], true, [0, 500, 1000, 1500, 2000]],
    [[0.1, 0.3], true, [0, 0.1, 0.2, 0.3]],
    [[97, 98.5], false, [97, 97.5, 98, 98.5]],
    [[0, 0], true, [0, 0.5]],
    [[5], false, [4, 6]],
  ])('of %j (with zero: %s) names %j', (values, withZero, ticks) => {
    expect(ticksFor(values, { withZero })).toEqual(ticks);
  });

  it('has few ticks, in even steps, around all values', () => {
    const value = fc.double({ min: -1e9, max: 1e9, noNaN: true });
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 20 }), fc.boolean(), (values, withZero) => {
        const ticks = ticksFor(values, { withZero });
        expect(ticks.length).toBeGreaterThan(1);
        expect(ticks.length).toBeLessThanOrEqual(7);
        const scale = scaleOf(ticks);
        for (const each of withZero ? [...values, 0] : values) {
          expect(scale(each)).toBeGreaterThanOrEqual(-1e-6);
          expect(scale(each)).toBeLessThanOrEqual(1 + 1e-6);
        }
      }),
    );
  });

  it('stands labels upright where their longest word has no room', () => {
    expect(uprightLabels(['Sat 21', 'Sun 22', 'Mon 23', 'Tue 24', 'Wed 25', 'Thu 26', 'Fri 27'])).toBe(
      'never',
    );
    expect(uprightLabels(['Rotterdam', 'Hamburg', 'Antwerp', 'Felixstowe'])).toBe('narrow');
    expect(uprightLabels(Array.from({ length: 20 }, (_, index) => `Carrier${index}`))).toBe('always');
  });
});

const bars: Chart = {
  type: 'bar',
  series: [
    {
      name: 'Success',
      data: [
        { label: 'Nov', value: 1300 },
        { label: 'Oct', value: 1200.5 },
      ],
    },
    {
      name: 'Error',
      data: [
        { label: 'Oct', value: 6 },
        { label: 'Nov', value: 66 },
      ],
    },
  ],
  axis_config: { categories: ['Oct', 'Nov'], x_label: 'Month' },
};
const pie: Chart = {
  type: 'pie',
  segments: [
    { label: 'MSC', value: 18 },
    { label: 'Maersk', value: 6 },
  ],
};

describe('a chart in words', () => {
  it('says every value', () => {
    expect(chartText(bars)).toBe('Bar chart. Success: Nov 1,300, Oct 1,200.5. Error: Oct 6, Nov 66.');
    expect(chartText(pie)).toBe('Pie chart. MSC 75%. Maersk 25%.');
  });

  it('becomes a table in the order of its categories', () => {
    expect(chartRows(bars)).toEqual([
      ['Month', 'Success', 'Error'],
      ['Oct', '1,200.5', '6'],
      ['Nov', '1,300', '66'],
    ]);
    expect(chartRows(pie)).toEqual([
      ['', 'Value'],
      ['MSC', '18'],
      ['Maersk', '6'],
    ]);
  });

  it('has shares that make up the whole', () => {
    expect(segmentsOf(pie).map(({ share }) => share)).toEqual([0.75, 0.25]);
  });
});
