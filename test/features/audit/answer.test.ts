import { expect, test } from 'vitest';
import { type PageNumbers, pageNumbers } from '../../../src/answers/limits.ts';
import type { Reader } from '../../../src/answers/message.ts';
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

const rules = { rules: defaultRules, other: {} };
type Page = Partial<PageNumbers> & { line?: string; filter?: Filter };
function list(changes: ShownChange[], { line = 'landfall audit', filter = {}, ...page }: Page = {}) {
  const found = { ...pageNumbers(changes.length, 1, 10), ...page, changes };
  const lineOf = (id: string) => `landfall audit entry ${id}`;
  return asRead(messageOf(changesAnswer(found, filter, { reader, lineOf }), line, reader));
}

test('shows who changed what and when, with the values before and after', () => {
  const digest = {
    ownerId: 'U0ADA0001',
    title: 'Morning',
    lines: ['usage'],
    onlyNews: false,
    status: 'active',
  };
  expect(
    list([
      change({ action: 'watch.stop', before: rules }),
      change({
        action: 'watch.change',
        before: rules,
        after: {
          rules: { ...defaultRules, etaMoved: { hours: 6, isScaled: false }, diverted: false },
          other: {},
        },
      }),
      change({
        action: 'watch.change',
        before: other({ ownerId: 'U0ADA0001' }),
        after: other({ ownerId: 'U0BEN0001' }),
      }),
      change({
        action: 'watch.change',
        before: { snooze: null, other: {} },
        after: { snooze: { kind: 'until-next-port' }, other: {} },
      }),
      change({
        action: 'alert.acknowledge',
        after: other({ alerts: 2 }),
      }),
      change({
        action: 'watch.pause',
        actorId: 'landfall',
        after: other({ status: 'paused', reason: 'is_archived' }),
      }),
      change({
        action: 'digest.change',
        subject: 'Morning',
        channelId: 'U0ADA0001',
        before: { when: 'weekdays 08:00 Europe/Berlin', other: digest },
        after: {
          when: 'daily 06:00 Europe/Berlin',
          other: { ...digest, onlyNews: true, lines: ['usage', 'nextport 9461477'] },
        },
      }),
      change({
        action: 'vessel.name',
        subject: 'IMO 9461477',
        before: other({ names: [{ imo: 9461477, name: 'OLD' }] }),
        after: other({ names: [{ imo: 9461477, name: 'DS CYPRESS' }] }),
      }),
      change({
        action: 'channel.settings',
        before: other({ mode: 'thread', visibility: 'private', whoMayAdd: 'members' }),
        after: other({ mode: 'thread', visibility: 'public', whoMayAdd: 'admins' }),
      }),
      change({ action: 'digest.add', subject: 'Morning', after: { when: 'daily 06:00 UTC', other: digest } }),
      change({ action: 'later.version', subject: 'a thing', before: other({ value: [{ deep: { x: 1 } }] }) }),
    ]),
  ).toMatchInlineSnapshot(`
    "text: 11 changes: 1 Sat 21 Nov 09:00 (08:00 UTC) · <@U0ADA0001> stopped the watch of DS CYPRESS in <#C0OPS00001>; 2 Sat 21 Nov 09:00 (08:00 UTC) · <@U0ADA0001> changed the watch of DS CYPRESS in <#C0OPS00001>; 3 Sat 21 Nov 09:00 (08:00 UTC) · <@U0ADA0001> handed over the watch of DS CYPRESS in <#C0OPS00001>; 4 Sat 21 Nov 09:00 (08:00 UTC) · <@U0ADA0001> snoozed the watch of DS CYPRESS in <#C0OPS00001>; 5 Sat 21 Nov 09:00 (08:00 UTC) · <@U0ADA0001> acknowledged alerts of DS CYPRESS in <#C0OPS00001>; 6 Sat 21 Nov 09:00 (08:00 UTC) · Landfall paused the watch of DS CYPRESS in <#C0OPS00001>; 7 Sat 21 Nov 09:00 (08:00 UTC) · <@U0ADA0001> changed the digest “Morning” in a direct message; 8 Sat 21 Nov 09:00 (08:00 UTC) · <@U0ADA0001> named IMO 9461477 in <#C0OPS00001>; 9 Sat 21 Nov 09:00 (08:00 UTC) · <@U0ADA0001> changed the settings in <#C0OPS00001>; 10 Sat 21 Nov 09:00 (08:00 UTC) · <@U0ADA0001> added the digest “Morning” in <#C0OPS00001>; 11 Sat 21 Nov 09:00 (08:00 UTC) · <@U0ADA0001> later.version: a thing in <#C0OPS00001>

    *11 changes*
    *1* Sat 21 Nov 09:00 (08:00 UTC) · <@U0ADA0001> stopped the watch of DS CYPRESS in <#C0OPS00001>
    rules: ETA 12 h, under 50%
    *2* Sat 21 Nov 09:00 (08:00 UTC) · <@U0ADA0001> changed the watch of DS CYPRESS in <#C0OPS00001>
    notifies when: another port becomes the likeliest before the call, the ETA moves by 12 h or more, once it is within 10 days → the ETA moves by 6 h or more
    *3* Sat 21 Nov 09:00 (08:00 UTC) · <@U0ADA0001> handed over the watch of DS CYPRESS in <#C0OPS00001>
    owner: <@U0ADA0001> → <@U0BEN0001>
    *4* Sat 21 Nov 09:00 (08:00 UTC) · <@U0ADA0001> snoozed the watch of DS CYPRESS in <#C0OPS00001>
    snooze: awake → until the next port changes
    *5* Sat 21 Nov 09:00 (08:00 UTC) · <@U0ADA0001> acknowledged alerts of DS CYPRESS in <#C0OPS00001>
    alerts: 2
    *6* Sat 21 Nov 09:00 (08:00 UTC) · Landfall paused the watch of DS CYPRESS in <#C0OPS00001>
    state: paused · why: the channel is archived
    *7* Sat 21 Nov 09:00 (08:00 UTC) · <@U0ADA0001> changed the digest “Morning” in a direct message
    when: weekdays 08:00 Europe/Berlin → daily 06:00 Europe/Berlin · lines: usage → usage, nextport 9461477 · sent: always → only with news
    *8* Sat 21 Nov 09:00 (08:00 UTC) · <@U0ADA0001> named IMO 9461477 in <#C0OPS00001>
    names: 9461477 OLD → 9461477 DS CYPRESS
    *9* Sat 21 Nov 09:00 (08:00 UTC) · <@U0ADA0001> changed the settings in <#C0OPS00001>
    answers: private → public · who may add: every member → admins only
    *10* Sat 21 Nov 09:00 (08:00 UTC) · <@U0ADA0001> added the digest “Morning” in <#C0OPS00001>
    when: daily 06:00 UTC · lines: usage · sent: always
    *11* Sat 21 Nov 09:00 (08:00 UTC) · <@U0ADA0001> later.version: a thing in <#C0OPS00001>
    value: {"deep":{"x":1}}
    newest first · 1–10 of 11 shown
    [Next 1 → landfall audit page 2]"
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
    "text: 21 changes in <#C0OPS00001>: 11 Sat 21 Nov 09:00 (08:00 UTC) · <@U0ADA0001> imported vessel names from ours.csv in <#C0OPS00001>

    *21 changes in <#C0OPS00001>*
    *11* Sat 21 Nov 09:00 (08:00 UTC) · <@U0ADA0001> imported vessel names from ours.csv in <#C0OPS00001>
    names: 40 · new: 40 · renamed: 0 · changes: 9461477 SHIP 0, 9461477 SHIP 1, 9461477 SHIP 2, 9461477 SHIP 3, 9461477 SHIP 4, 9461477 SHIP 5, 9461477 SHIP 6, 9461477 SHIP 7, 9461477 SHIP 8, 9461477 SHIP 9 (and 30 more)
    newest first · 11–20 of 21 shown
    [Next 1 → landfall audit of <#C0OPS00001> page 3] [Back → landfall audit of <#C0OPS00001>]"
  `);
  expect(
    asRead(messageOf(changeAnswer(imported, { page: 3, reader }), 'landfall audit entry 6f0c', reader)),
  ).toMatchInlineSnapshot(`
    "text: Sat 21 Nov 09:00 (08:00 UTC) · <@U0ADA0001> imported vessel names from ours.csv in <#C0OPS00001>; changes, after: 9461477 SHIP 27; changes, after: 9461477 SHIP 28; changes, after: 9461477 SHIP 29; changes, after: 9461477 SHIP 30; changes, after: 9461477 SHIP 31; changes, after: 9461477 SHIP 32; changes, after: 9461477 SHIP 33; changes, after: 9461477 SHIP 34; changes, after: 9461477 SHIP 35; changes, after: 9461477 SHIP 36; changes, after: 9461477 SHIP 37; changes, after: 9461477 SHIP 38; changes, after: 9461477 SHIP 39

    *Sat 21 Nov 09:00 (08:00 UTC) · <@U0ADA0001> imported vessel names from ours.csv in <#C0OPS00001>*
    changes, after: 9461477 SHIP 27
    changes, after: 9461477 SHIP 28
    changes, after: 9461477 SHIP 29
    changes, after: 9461477 SHIP 30
    changes, after: 9461477 SHIP 31
    changes, after: 9461477 SHIP 32
    changes, after: 9461477 SHIP 33
    changes, after: 9461477 SHIP 34
    changes, after: 9461477 SHIP 35
    changes, after: 9461477 SHIP 36
    changes, after: 9461477 SHIP 37
    changes, after: 9461477 SHIP 38
    changes, after: 9461477 SHIP 39
    31–43 of 43 shown
    [Back → landfall audit entry 6f0c page 2] [All changes → landfall audit]"
  `);
});

test('says what will be listed if nothing has been changed yet', () => {
  expect(list([])).toMatchInlineSnapshot(`
    "text: No changes yet

    *No changes yet*
    Changes of watches, digests, names, fleets, settings and tokens will be listed here"
  `);
  expect(list([], { filter: { channelId: 'C0OPS00001', actorId: 'U0BEN0001' } })).toContain(
    'No changes in <#C0OPS00001> by <@U0BEN0001> yet',
  );
});
