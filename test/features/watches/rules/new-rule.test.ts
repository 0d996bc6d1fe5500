import type { Selectable } from 'kysely';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Schema } from '../../../../src/database/schema.ts';
import {
  formatWatchLine,
  readWatchLine,
} from '../../../../src/features/watches/commands/parse-watch-line.ts';
import { evaluate } from '../../../../src/features/watches/evaluation/evaluate.ts';
import { type WatchState, watchState } from '../../../../src/features/watches/evaluation/state.ts';
import { baseline, prospect } from '../../../../src/features/watches/evaluation/values.ts';
import {
  fieldReaders,
  fieldsOf,
  rulesOfFields,
  ticksOf,
} from '../../../../src/features/watches/form/rule-fields.ts';
import { takeFigure } from '../../../../src/features/watches/rules/figure-field.ts';
import { rulesInWords, thresholds } from '../../../../src/features/watches/rules/in-words.ts';
import { type Rules, ruleList } from '../../../../src/features/watches/rules/index.ts';
import { createRegistry, ruleValue, watchRules } from '../../../../src/features/watches/rules/registry.ts';
import { defineRule, vesselEvent } from '../../../../src/features/watches/rules/rule.ts';
import { readWatch } from '../../../../src/features/watches/store/watch.ts';
import { lastNotified, percent, portText } from '../../../../src/features/watches/views/event-text.ts';
import { watchForm } from '../../../../src/features/watches/views/watch-form.ts';
import { watchReplyView } from '../../../../src/features/watches/views/watch-reply.ts';
import { readFields } from '../../../../src/messages/field-errors.ts';
import { vessels } from '../../../support/run-command.ts';
import { reader } from '../../../support/view-fixtures.ts';
import { hour, vesselSnapshot } from '../../../support/watch-story.ts';
import { frame } from '../../../support/watch-view-fixtures.ts';

const take = (words: string) => {
  const match = /(?:^|\s)fog (\d{1,2})$/i.exec(words);
  return match ? { rest: words.slice(0, match.index), value: Number(match[1]) } : undefined;
};

/** A rule that exists only here: the probability of the baseline's port jumps, either way. Twice in a call at most. */
const fog = defineRule({
  key: 'fogPoints',
  appliesTo: 'vessels',
  schema: z.number().nullable(),
  defaultValue: 30,
  off: null,
  typed: 'fog 30',
  help: 'the probability jumps by so many points',
  take,
  format: (points) => `fog ${points}`,
  resolve: (points) => points,
  field: {
    id: 'fog',
    label: 'The probability jumps by … points',
    placeholder: '30',
    text: String,
    read: (text) => takeFigure(text, { before: 'fog', take, right: 'Write points, such as 30.' }),
  },
  tick: (points) => `Fog: the probability jumps by ${points} points`,
  words: (points) => `the probability jumps by ${points} points`,
  brief: (points) => `fog ${points}`,
  isThreshold: true,
  event: vesselEvent('fog', { was: baseline, now: prospect }),
  isCritical: () => true,
  memory: z.number().default(0),
  evaluate({ imo, baseline: was, current, memory: times, value }) {
    const points = Math.round(Math.abs(current.probability - was.probability) * 100);
    if (points < value || times === 2) return { events: [] };
    return { events: [{ kind: 'fog', imo, was, now: current }], memory: times + 1 };
  },
  view: ({ was, now: current }, { now }) => ({
    headline: `Fog at ${portText(current)}`,
    rest: `: ${percent(current.probability)}.`,
    details: [lastNotified(was, now)],
  }),
});
const { due, rest } = { due: ruleList.slice(-1), rest: ruleList.slice(0, -1) };
const registry = createRegistry([...rest, fog, ...due]);
const clock = { now: reader.now, zone: 'Europe/Berlin' };
const points = (rules: Rules) => ruleValue(rules, fog);

test('typed on a line, in any order, and formatted', () => {
  const read = (line: string) => readWatchLine(line, { vessels }, registry);
  const args = read('9461477 fog 25, eta 6h only until next port');
  expect(formatWatchLine(args, registry)).toBe('watch 9461477 only eta 6h fog 25 until next port');
  expect(read(formatWatchLine(args, registry).replace('watch ', ''))).toEqual(args);
  const rules = registry.resolve(args.kind === 'add' ? args.rules : {}, clock);
  expect(points(rules)).toBe(25);
  expect(points(registry.resolve({}, clock))).toBe(30);
  expect(points(registry.resolve({ only: true }, clock))).toBeNull();
  expect(registry.help).toContainEqual(expect.objectContaining({ typed: 'fog 30' }));
  expect(() => readWatchLine('port Rotterdam fog 25', { vessels }, registry)).toThrow('a rule for vessels');
});

test('ticked and filled in', () => {
  const base = registry.defaults;
  const first = fieldsOf(base, clock, registry);
  expect(first).toMatchObject({ fog: '', eta: '' });
  const form = watchForm(
    {
      edited: null,
      what: '',
      parsed: '',
      isPort: false,
      where: 'me',
      channelId: '',
      base,
      ticked: ticksOf(base, false, registry),
      fields: first,
      isWide: true,
    },
    registry,
  );
  const shown = JSON.stringify(form);
  expect(shown).toContain('Fog: the probability jumps by 30 points');
  expect(shown).toContain('The probability jumps by … points');
  const send = (fields: Record<string, string>, ticked: readonly string[]) => {
    const read = readFields(fieldReaders({ fields: { ...first, ...fields }, first, base }, clock, registry));
    return rulesOfFields(read, { ticked, isPort: false, ends: false, base }, registry);
  };
  expect(points(send({ fog: '40' }, ['fogPoints']))).toBe(40);
  expect(points(send({}, ['fogPoints']))).toBe(30);
  expect(points(send({ fog: '40' }, ['nextPort']))).toBeNull();
  expect(() => send({ fog: 'thick' }, [])).toThrow('Write points, such as 30.');
});

test('evaluated with its memory, notified, and listed', () => {
  const rules = { ...registry.choose({}), snooze: null };
  let state: WatchState | null = null;
  const poll = (at: number, probability: number) => {
    const outcome = evaluate(
      state,
      vesselSnapshot(hour(at), { NLRTM: [probability, 400] }),
      rules,
      hour(at),
      registry,
    );
    state = watchState.parse(JSON.parse(JSON.stringify(outcome.state)));
    return outcome.events;
  };
  expect(poll(0, 0.95)).toEqual([]);
  expect(poll(1, 0.7)).toEqual([]);
  const [event, ...others] = poll(2, 0.6);
  expect(others).toEqual([]);
  expect(poll(3, 0.95)).toHaveLength(1);
  expect(poll(4, 0.6)).toEqual([]);
  if (!event) throw new Error('no fog');
  expect(registry.isCritical(event)).toBe(true);
  const reply = watchReplyView(
    { events: [event], title: 'DS CYPRESS', isNamedAbove: true },
    frame,
    reader,
    registry,
  );
  expect(reply.text).toBe(
    'DS CYPRESS: fog at Rotterdam (NLRTM): 60%. You were last notified of Rotterdam (NLRTM), 95%, Mon 7 Dec 17:00 LT (16:00 UTC).',
  );
  expect(rulesInWords(rules, { now: reader.now, isPort: false }, registry)).toContain(
    'the probability jumps by 30 points',
  );
  expect(thresholds(rules, { now: reader.now, isPort: false }, registry)).toContain('fog 30');
});

test('stored and read back; rules stored before there was this one have its default', () => {
  const row: Selectable<Schema['watches']> = {
    id: 'w1',
    workspace_id: 'T1',
    credential_id: 'T1/service',
    channel_id: 'C1',
    destination: 'channel',
    owner_id: 'U1',
    title: 'DS CYPRESS',
    rules: JSON.parse(JSON.stringify({ ...registry.choose({}), fogPoints: 45 })),
    snooze: null,
    status: 'active',
    pause_reason: null,
    news: null,
    acknowledgement: null,
    card_ts: null,
    created_at: reader.now,
  };
  expect(points(readWatch(row, registry).rules)).toBe(45);
  const older = readWatch({ ...row, rules: JSON.parse(JSON.stringify(watchRules.defaults)) }, registry);
  expect(points(older.rules)).toBe(30);
  // A rule that is gone again is forgotten.
  expect(readWatch(row).rules).toEqual(watchRules.defaults);
});
