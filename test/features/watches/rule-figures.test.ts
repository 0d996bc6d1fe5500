import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rulesOf } from '../../../src/features/watches/commands/add-watch.ts';
import { defaultRules, type Rules } from '../../../src/features/watches/evaluation/rules.ts';
import {
  figureReaders,
  figuresOf,
  rulesOfFields,
  ticksOf,
  withChanges,
} from '../../../src/features/watches/form/rule-figures.ts';
import type { RuleFigures, Told } from '../../../src/features/watches/views/watch-form.ts';
import { readFields } from '../../../src/messages/field-errors.ts';
import type { Locode } from '../../../src/reference/locode.ts';
import { now } from '../../support/run-command.ts';

const zone = 'Europe/Berlin';
const context = { now: () => now, actor: { userId: 'U1', isAdmin: false, zone } };
// Well-formed.
const rotterdam = 'NLRTM' as Locode;
const berlin = { from: '22:00', to: '06:00', zone };

interface Changes {
  told?: readonly Told[];
  figures?: Partial<RuleFigures>;
  isPort?: boolean;
}

/** The form opened on `base`, changed, and sent. */
function send(base: Rules, { told, figures: changes = {}, isPort = false }: Changes = {}): Rules {
  const first = figuresOf(base, { now, zone });
  const figures = { ...first, ...changes };
  const read = readFields(figureReaders({ figures, first, base }, context));
  const ticked = told ?? ticksOf(base, { isPort });
  return rulesOfFields(read, { told: ticked, isPort, ends: figures.ends, base }, context);
}

describe('what ticks and figures mean', () => {
  test('left as they are: the defaults, which are those of the command', () => {
    expect(send(defaultRules)).toEqual(rulesOf({}, context));
    expect(send(defaultRules, { isPort: true })).toEqual(defaultRules);
  });

  test('figures in the words of the command', () => {
    const figures = { eta: '1 day', below: '40 %', arriving: '24h, 72', overdue: '12', quiet: '22–6' };
    expect(send(defaultRules, { figures: { ...figures, due: 'due NLRTM 27 Nov 18:00' } })).toEqual({
      ...defaultRules,
      etaHours: 24,
      below: 0.4,
      arrivingHours: [72, 24],
      overdueHours: 12,
      quiet: berlin,
      due: [{ port: rotterdam, at: new Date('2026-11-27T17:00:00Z') }],
    });
  });

  test('what is not ticked is not told, whatever its figure', () => {
    const told: Told[] = ['nextPort'];
    expect(send(defaultRules, { told, figures: { eta: '6' } })).toMatchObject({
      nextPort: true,
      etaHours: null,
      below: null,
      arrivingHours: [],
      overdueHours: null,
      lost: false,
    });
  });

  test('what is emptied is as usual again; quiet hours and due dates are gone', () => {
    const base: Rules = {
      ...defaultRules,
      etaHours: 3,
      quiet: berlin,
      due: [{ port: rotterdam, at: new Date('2026-11-27T17:00:00Z') }],
    };
    expect(send(base, { figures: { eta: '', quiet: '', due: '' } })).toEqual(defaultRules);
  });

  test('a due date that is over stays as long as its line does, and no new one can be', () => {
    const base = { ...defaultRules, due: [{ port: rotterdam, at: new Date('2026-11-20T17:00:00Z') }] };
    expect(figuresOf(base, { now, zone }).due).toBe('NLRTM 2026-11-20 18:00');
    expect(send(base)).toEqual(base);
    expect(() => send(defaultRules, { figures: { due: 'NLRTM 2026-11-20 18:00' } })).toThrow('is over');
  });

  test('at most 8 due dates', () => {
    const due = Array.from({ length: 9 }, (_, index) => `NLRTM ${index + 1} Dec 18:00`).join('\n');
    expect(() => send(defaultRules, { figures: { due } })).toThrow('at most 8 due dates');
  });

  const someHours = fc.integer({ min: 1, max: 240 });
  const someRules = fc.record<Rules>({
    nextPort: fc.boolean(),
    noLongerListed: fc.boolean(),
    etaHours: fc.option(someHours),
    below: fc.option(fc.integer({ min: 1, max: 99 }).map((percent) => percent / 100)),
    arrivingHours: fc
      .uniqueArray(someHours, { maxLength: 5 })
      .map((hours) => hours.sort((one, other) => other - one)),
    overdueHours: fc.option(someHours),
    lost: fc.boolean(),
    stale: fc.boolean(),
    expected: fc.boolean(),
    due: fc.array(
      fc.record({
        port: fc.constantFrom('NLRTM', 'SGSIN', 'AUMEL', 'ZZZZZ').map((code) => code as Locode),
        at: fc.date({ min: new Date('2025-01-01'), max: new Date('2028-01-01'), noInvalidDate: true }),
      }),
      { maxLength: 8 },
    ),
    untilNextPort: fc.boolean(),
    quiet: fc.option(fc.constant({ from: '23:30', to: '05:00', zone: 'Asia/Kolkata' })),
  });

  test('any rules, opened and sent as they are, stay what they are', () => {
    fc.assert(
      fc.property(someRules, fc.boolean(), (rules, isPort) => {
        // What ends with the next port tells it.
        const base = rules.untilNextPort ? { ...rules, nextPort: true } : rules;
        // Two dates of one minute are one line.
        fc.pre(new Set(figuresOf(base, { now, zone }).due.split('\n')).size === Math.max(1, base.due.length));
        expect(send(base, { isPort })).toEqual(base);
      }),
    );
  });
});

test('an edit changes what was changed in the form, and nothing that somebody else has changed since', () => {
  const from = defaultRules;
  const to = { ...from, etaHours: 6 };
  const current = { ...from, below: 0.3, quiet: berlin };
  expect(withChanges(current, { from, to })).toEqual({ ...current, etaHours: 6 });
});
