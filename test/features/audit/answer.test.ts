import { expect, test } from 'vitest';
import { type PageNumbers, pageNumbers, type Reader } from '../../../src/answers/message.ts';
import { changeAnswer, changesAnswer, type Filter } from '../../../src/features/audit/answer.ts';
import type { ChangeFacts, ShownChange } from '../../../src/features/audit/change-words.ts';
import { defaultRules } from '../../../src/features/rules/registry.ts';
import { messageOf } from '../../support/answer-message.ts';
import { asRead } from '../../support/message-text.ts';

const now = new Date('2026-11-21T09:05:00Z');
const reader: Reader = { now, zone: 'Europe/Berlin', source: 'service', audience: 'private' };
const other = (values: Record<string, unknown>): ChangeFacts => ({ other: values });

const change = (more: Partial<ShownChange> & { before?: ChangeFacts; after?: ChangeFacts }): ShownChange => ({
  id: 'e1',
  at: new Date('2026-11-21T08:00:00Z'),
  actorId: 'U0ADA0001',
  action: 'watch.stop',
  subject: 'DS CYPRESS',
  channelId: 'C0OPS00001',
  ...more,
});

const changed = { ...defaultRules, etaMoved: { hours: 6, isScaled: false }, diverted: false };
const rules = { rules: defaultRules, other: {} };
type Page = Partial<PageNumbers> & { line?: string; filter?: Filter };
function list(changes: ShownChange[], { line = 'landfall audit', filter = {}, ...page }: Page = {}) {
  const found = { ...pageNumbers(changes.length, 1, 10), ...page, changes };
  const lineOf = (id: string) => `landfall audit entry ${id}`;
  return asRead(messageOf(changesAnswer(found, filter, { reader, lineOf }), line, reader));
}

test('what the story of test/features/audit/command.test.ts has not: digests, alerts, Landfall itself, a later version', () => {
  const digest = {
    ownerId: 'U0ADA0001',
    title: 'Morning',
    lines: ['usage'],
    onlyNews: false,
    status: 'active',
  };
  const shown = list([
    change({ action: 'watch.change', before: rules, after: { rules: changed, other: {} } }),
    change({ action: 'alert.acknowledge', after: other({ alerts: 2 }) }),
    change({
      action: 'watch.pause',
      actorId: 'landfall',
      after: other({ status: 'paused', reason: 'is_archived' }),
    }),
    change({
      action: 'digest.change',
      subject: 'Morning',
      channelId: 'U0ADA0001',
      isPersonal: true,
      before: { when: 'weekdays 08:00 Europe/Berlin', other: digest },
      after: {
        when: 'daily 06:00 Europe/Berlin',
        other: { ...digest, onlyNews: true, lines: ['usage', 'nextport 9461477'] },
      },
    }),
    change({ action: 'digest.add', subject: 'Morning', after: { when: 'daily 06:00 UTC', other: digest } }),
    change({ action: 'later.version', subject: 'a thing', before: other({ value: [{ deep: { x: 1 } }] }) }),
  ]);
  const lines = shown.split('\n').filter((line) => !/^text: |^newest/.test(line));
  expect(lines.map((line) => line.replace('Sat 21 Nov 09:00 (08:00 UTC) · ', ''))).toMatchInlineSnapshot(`
    [
      "",
      "*6 changes*",
      "*1* <@U0ADA0001> changed the watch of DS CYPRESS in <#C0OPS00001>",
      "notifies when: another port becomes the likeliest before the call, the ETA moves by 12 h or more, once it is within 10 days → the ETA moves by 6 h or more",
      "*2* <@U0ADA0001> acknowledged alerts of DS CYPRESS in <#C0OPS00001>",
      "alerts: 2",
      "*3* Landfall paused the watch of DS CYPRESS in <#C0OPS00001>",
      "state: paused · why: the channel is archived",
      "*4* <@U0ADA0001> changed the digest “Morning” in a direct message",
      "when: weekdays 08:00 Europe/Berlin → daily 06:00 Europe/Berlin · lines: usage → usage, nextport 9461477 · sent: always → only with news",
      "*5* <@U0ADA0001> added the digest “Morning” in <#C0OPS00001>",
      "when: daily 06:00 UTC · lines: usage · sent: always",
      "*6* <@U0ADA0001> later.version: a thing in <#C0OPS00001>",
      "value: {"deep":{"x":1}}",
    ]
  `);
});

test('shows ten changes on a page, with buttons for those that do not fit', () => {
  const names = Array.from({ length: 40 }, (_, index) => ({
    imo: 9461477,
    before: null,
    after: `SHIP ${index}`,
  }));
  const imported = change({
    id: '6f0c',
    action: 'vessel.import',
    subject: 'ours.csv',
    after: other({ names: 40, added: 40, renamed: 0, changes: names }),
  });
  expect(
    list([imported], {
      ...pageNumbers(21, 2, 10),
      filter: { channelId: 'C0OPS00001' },
      line: 'landfall audit of <#C0OPS00001> page 2',
    }),
  ).toMatchInlineSnapshot(`
    "text: 21 changes in <#C0OPS00001>: 11 Sat 21 Nov 09:00 (08:00 UTC) · <@U0ADA0001> imported ours.csv in <#C0OPS00001>, names: 40 · new: 40 · changes: 9461477 SHIP 0, 9461477 SHIP 1, 9461477 SHIP 2 (and 37 more). Newest first · 11–20 of 21 shown

    *21 changes in <#C0OPS00001>*
    *11* Sat 21 Nov 09:00 (08:00 UTC) · <@U0ADA0001> imported ours.csv in <#C0OPS00001>
    names: 40 · new: 40 · changes: 9461477 SHIP 0, 9461477 SHIP 1, 9461477 SHIP 2, 9461477 SHIP 3, 9461477 SHIP 4, 9461477 SHIP 5, 9461477 SHIP 6, 9461477 SHIP 7, 9461477 SHIP 8, 9461477 SHIP 9 (and 30 more)
    newest first · 11–20 of 21 shown
    [Next 1 → landfall audit of <#C0OPS00001> page 3] [Back → landfall audit of <#C0OPS00001>]"
  `);
  const entry = asRead(
    messageOf(changeAnswer(imported, { page: 3, reader }), 'landfall audit entry 6f0c', reader),
  );
  expect(entry.match(/^changes, after: 9461477 SHIP .*/gm)).toHaveLength(12);
  expect(entry).toContain(
    '31–42 of 42 shown\n[Back → landfall audit entry 6f0c page 2] [All changes → landfall audit]',
  );
});
