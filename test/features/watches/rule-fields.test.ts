import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readFields } from '../../../src/answers/fields.ts';
import type { Rules } from '../../../src/features/rules/list.ts';
import { defaultRules, watchRules } from '../../../src/features/rules/registry.ts';
import {
  fieldReaders,
  fieldsOf,
  rulesOfFields,
  tickedKeys,
  withChanges,
} from '../../../src/features/watches/form/rule-fields.ts';
import type { RuleFields } from '../../../src/features/watches/form/watch-form-view.ts';
import type { Locode } from '../../../src/reference/codes.ts';
import { ruleValues } from '../../support/rule-samples.ts';
import { now } from '../../support/run-command.ts';

const zone = 'Europe/Berlin';
const reader = { now, zone };
// Well-formed.
const rotterdam = 'NLRTM' as Locode;
const berlin = { from: '22:00', to: '06:00', zone };

interface Changes {
  ticked?: readonly string[];
  fields?: RuleFields;
  isPort?: boolean;
}

/** The form opened on `base`, changed, and sent. */
function send(base: Rules, { ticked, fields: changes = {}, isPort = false }: Changes = {}): Rules {
  const first = fieldsOf(base, reader);
  const fields = { ...first, ...changes };
  const read = readFields(fieldReaders({ fields, first, base }, reader));
  const ends = fields.ends !== '';
  return rulesOfFields(read, { ticked: ticked ?? tickedKeys(base, isPort), isPort, ends, base });
}

describe('ticks and fields', () => {
  test('an unchanged form has the defaults of the command', () => {
    expect(send(defaultRules)).toEqual(watchRules.resolve({}, reader));
    expect(send(defaultRules, { isPort: true })).toEqual(defaultRules);
  });

  test('fields are read like the words of the command', () => {
    const fields = { eta: '1 day', below: '40 %', arriving: '24h, 72', overdue: '12', quiet: '22–6' };
    expect(send(defaultRules, { fields: { ...fields, due: 'due NLRTM 27 Nov 18:00' } })).toEqual({
      ...defaultRules,
      etaMoved: { hours: 24, isScaled: false },
      below: 0.4,
      arrivingHours: [72, 24],
      overdueHours: 12,
      quiet: berlin,
      due: [{ port: rotterdam, at: new Date('2026-11-27T17:00:00Z') }],
    });
  });

  test('the person’s language decides which number of a due date is the month', () => {
    const fields = { ...fieldsOf(defaultRules, reader), due: 'NLRTM 12/3 18:00' };
    const first = fieldsOf(defaultRules, reader);
    const dueFor = (dateOrder: 'day' | 'month') =>
      readFields(fieldReaders({ fields, first, base: defaultRules }, { ...reader, dateOrder })).due;
    expect(dueFor('month')).toEqual([{ port: rotterdam, at: new Date('2026-12-03T17:00:00Z') }]);
    expect(dueFor('day')).toEqual([{ port: rotterdam, at: new Date('2027-03-12T17:00:00Z') }]);
  });

  test('a rule that is not ticked is off, whatever its figure', () => {
    const ticked = ['diverted'];
    expect(send(defaultRules, { ticked, fields: { eta: '6' } })).toMatchObject({
      diverted: true,
      etaMoved: null,
      below: null,
      arrivingHours: [],
      overdueHours: null,
      lost: false,
    });
  });

  test('an emptied field has its default again; quiet hours and due dates are gone', () => {
    const base: Rules = {
      ...defaultRules,
      etaMoved: { hours: 3, isScaled: false },
      quiet: berlin,
      due: [{ port: rotterdam, at: new Date('2026-11-27T17:00:00Z') }],
    };
    expect(send(base, { fields: { eta: '', quiet: '', due: '' } })).toEqual(defaultRules);
  });

  test('a due date that has passed stays while its line is unchanged; a new one must be in the future', () => {
    const base = { ...defaultRules, due: [{ port: rotterdam, at: new Date('2026-11-20T17:00:00Z') }] };
    expect(fieldsOf(base, reader).due).toBe('NLRTM 2026-11-20 18:00');
    expect(send(base)).toEqual(base);
    expect(() => send(defaultRules, { fields: { due: 'NLRTM 2026-11-20 18:00' } })).toThrow('is in the past');
  });

  test('a watch has at most 8 due dates', () => {
    const due = Array.from({ length: 9 }, (_, index) => `NLRTM ${index + 1} Dec 18:00`).join('\n');
    expect(() => send(defaultRules, { fields: { due } })).toThrow('at most 8 due dates');
  });

  const someRules = fc.record(ruleValues);

  test('any rules stay the same if the form is sent unchanged', () => {
    fc.assert(
      fc.property(someRules, fc.boolean(), (rules, isPort) => {
        // What ends with the next port notifies of it.
        const base = rules.untilNextPort ? { ...rules, diverted: true, nextLeg: true } : rules;
        // Two dates of one minute are one line.
        fc.pre(new Set(fieldsOf(base, reader).due?.split('\n')).size === Math.max(1, base.due.length));
        expect(send(base, { isPort })).toEqual(base);
      }),
    );
  });
});

test('an edit applies the changes made in the form, and keeps those that somebody else has made since', () => {
  const from = defaultRules;
  const to = { ...from, etaMoved: { hours: 6, isScaled: false } };
  const current = { ...from, below: 0.3, quiet: berlin };
  expect(withChanges(current, { from, to })).toEqual({ ...current, etaMoved: { hours: 6, isScaled: false } });
});
