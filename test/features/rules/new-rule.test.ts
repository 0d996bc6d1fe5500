import type { Selectable } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Schema } from '../../../src/database/schema.ts';
import type { WatchState } from '../../../src/features/rules/evaluation/state.ts';
import type { Rules } from '../../../src/features/rules/list.ts';
import { defaultRules } from '../../../src/features/rules/registry.ts';
import { scanOptions } from '../../../src/grammar/line.ts';
import { replyMessage } from '../../support/answer-message.ts';
import { fog } from '../../support/fog-rule.ts';
import { parsing } from '../../support/run-command.ts';
import { reader } from '../../support/view-fixtures.ts';
import { hour, vesselSnapshot } from '../../support/watch-story.ts';
import { names } from '../../support/watch-view-fixtures.ts';

const list = '../../../src/features/rules/list.ts';

/** The code of this file's tests, loaded again with one rule more: other files share the modules that are loaded. */
const loadAgain = async () => ({
  ...(await import('../../../src/features/watches/add-line.ts')),
  ...(await import('../../../src/features/rules/evaluation/evaluate.ts')),
  ...(await import('../../../src/features/rules/evaluation/state.ts')),
  ...(await import('../../../src/features/watches/form/rule-fields.ts')),
  ...(await import('../../../src/features/rules/registry.ts')),
  ...(await import('../../../src/features/polling/watch.ts')),
  ...(await import('../../../src/features/watches/form/watch-form-view.ts')),
  ...(await import('../../../src/features/cards/views/alerts.ts')),
  ...(await import('../../../src/answers/fields.ts')),
});
type Loaded = Awaited<ReturnType<typeof loadAgain>>;
let loaded: Loaded;
beforeAll(async () => {
  vi.resetModules();
  vi.doMock(list, async (importOriginal) => {
    const { ruleList } = await importOriginal<typeof import('../../../src/features/rules/list.ts')>();
    return { ruleList: [...ruleList.slice(0, -1), fog, ...ruleList.slice(-1)] };
  });
  loaded = await loadAgain();
});
afterAll(() => {
  vi.doUnmock(list);
  vi.resetModules();
});

const clock = { now: reader.now, zone: 'Europe/Berlin' };
const points = (rules: Rules) => loaded.ruleValue(rules, fog);

test('typed on a line, in any order, and formatted', () => {
  const { parseAdd, watchRules } = loaded;
  const read = (words: string) => parseAdd(words, parsing).line;
  const canonical = '9461477 only eta 6h fog 25 until next port';
  expect(read('9461477 fog 25, eta 6h only until next port')).toBe(`watch ${canonical}`);
  expect(read(canonical)).toBe(`watch ${canonical}`);
  const { values } = scanOptions(canonical, watchRules.options, { command: 'watch', example: '' });
  const rules = watchRules.resolve(values, clock);
  expect(points(rules)).toBe(25);
  expect(points(watchRules.resolve({}, clock))).toBe(30);
  expect(points(watchRules.resolve({ only: true }, clock))).toBeNull();
  expect(watchRules.help).toContainEqual(expect.objectContaining({ typed: 'fog 30' }));
  expect(() => read('port Rotterdam fog 25')).toThrow('a rule for vessels');
});

test('ticked and filled in', () => {
  const { fieldReaders, fieldsOf, readFields, rulesOfFields, tickedKeys, watchForm, watchRules } = loaded;
  const base = watchRules.defaults;
  const first = fieldsOf(base, clock);
  expect(first).toMatchObject({ fog: '', eta: '' });
  const form = watchForm({
    edited: null,
    what: '',
    parsed: '',
    isPort: false,
    where: 'me',
    channelId: '',
    base,
    ticked: tickedKeys(base, false),
    fields: first,
    isWide: true,
  });
  const shown = JSON.stringify(form);
  expect(shown).toContain('Fog: the probability jumps by 30 points');
  expect(shown).toContain('The probability jumps by … points');
  const send = (fields: Record<string, string>, ticked: readonly string[]) => {
    const read = readFields(fieldReaders({ fields: { ...first, ...fields }, first, base }, clock));
    return rulesOfFields(read, { ticked, isPort: false, ends: false, base });
  };
  expect(points(send({ fog: '40' }, ['fogPoints']))).toBe(40);
  expect(points(send({}, ['fogPoints']))).toBe(30);
  expect(points(send({ fog: '40' }, ['diverted']))).toBeNull();
  expect(() => send({ fog: 'thick' }, [])).toThrow('Write it like “fog 30”.');
});

test('evaluated with its memory, notified, and listed', () => {
  const { evaluate, rulesInBrief, rulesInWords, replyAnswer, watchRules, watchState } = loaded;
  const rules = { ...watchRules.choose({}), snooze: null };
  let state: WatchState | null = null;
  const poll = (at: number, probability: number) => {
    const outcome = evaluate(state, vesselSnapshot(hour(at), { NLRTM: [probability, 400] }), rules, hour(at));
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
  expect(watchRules.isCritical(event)).toBe(true);
  const reply = replyAnswer(
    {
      messageId: 'm1',
      events: [event],
      title: 'DS CYPRESS',
      isInThread: true,
      isOfOneVessel: true,
      isShared: true,
      state: { total: 1, open: 1 },
    },
    names,
    reader,
  );
  expect(replyMessage(reply).text).toBe('🔴 DS CYPRESS · Fog at Rotterdam: 60% (was 95%)');
  expect(rulesInWords(rules, { now: reader.now, isPort: false })).toContain(
    'the probability jumps by 30 points',
  );
  expect(rulesInBrief(rules, { now: reader.now, isPort: false })).toContain('fog 30');
});

test('stored and read back: a newer rule has its default, a removed rule is forgotten', () => {
  const { readWatch, watchRules } = loaded;
  const row: Selectable<Schema['watches']> = {
    id: 'w1',
    workspace_id: 'T1',
    channel_id: 'C1',
    destination: 'channel',
    owner_id: 'U1',
    title: 'DS CYPRESS',
    fleet: null,
    port_group: null,
    condition: null,
    rules: JSON.parse(JSON.stringify({ ...watchRules.choose({}), fogPoints: 45 })),
    snooze: null,
    status: 'active',
    pause_reason: null,
    outsiders_allowed_by: null,
    card_ts: null,
    created_at: reader.now,
    restored_from: null,
  };
  expect(points(readWatch(row).rules)).toBe(45);
  const older = readWatch({ ...row, rules: JSON.parse(JSON.stringify(defaultRules)) });
  expect(points(older.rules)).toBe(30);
  const withGoneRule = { ...JSON.parse(JSON.stringify(defaultRules)), gone: 7 };
  expect(readWatch({ ...row, rules: withGoneRule }).rules).toEqual(watchRules.defaults);
});
