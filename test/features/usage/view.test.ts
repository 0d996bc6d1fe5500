import { expect, test } from 'vitest';
import { type UsageAnswer, usageView } from '../../../src/features/usage/view.ts';
import { asRead, blockLines } from '../../support/message-text.ts';
import { asked, pushRecord, reader, usageRecord } from '../../support/view-fixtures.ts';

const answer: UsageAnswer = {
  kind: 'usage',
  line: 'usage october',
  year: 2026,
  month: 10,
  insteadOfCurrent: false,
  records: [
    usageRecord('/nextport/vessel', 1234),
    usageRecord('/nextport/vessel', 66, { status: 'ERROR' }),
    pushRecord('Total container count', 777, "Bill of lading number transports' container count"),
    pushRecord('Container with data count', 512),
    pushRecord('Total container count', 3, 'a new classifier'),
  ],
  lastUpdatedAt: new Date('2026-10-01T00:00:00Z'),
  truncated: false,
  neighbours: [{ label: 'September 2026', line: 'usage 2026-09' }],
  ...asked,
};

test('requests by endpoint; containers are separate and never added to them', () => {
  const message = usageView(answer, reader);
  expect(asRead(message)).toMatchInlineSnapshot(`
    "text: API usage, October 2026: 1,300 requests, 66 of them errors (5%); Container with data count · 512; Total container count · 777 · containers of initiated bill-of-lading transports; Total container count · 3 · a new classifier

    *API usage, October 2026* · API account u1
    *Requests* 1,300 · 66 errors (5%)
    (table: Requests by endpoint)
    | Endpoint | Success | Error |
    | GET /nextport/vessel | 1,234 | 66 |
    *Containers (PUSH)*
    Container with data count · 512
    Total container count · 777 · containers of initiated bill-of-lading transports
    Total container count · 3 · a new classifier
    Updated 1 Oct 2026 00:00 UTC (51 d ago) · the provider refreshes quarterly · an endpoint not listed was not called · asked 09:05 UTC
    [Refresh → usage october] [September 2026 → usage 2026-09] [Share → usage october]"
  `);
  expect(message.plain?.flatMap(blockLines)[0]).toMatchInlineSnapshot(`
    "*API usage, October 2026* · API account u1
    *Requests* 1,300 · 66 errors (5%)"
  `);
});

test('November 2022 has a note', () => {
  expect(asRead(usageView({ ...answer, year: 2022, month: 11 }, reader))).toContain(
    'not fully correct before December 2022',
  );
  expect(asRead(usageView({ ...answer, year: 2022, month: 12 }, reader))).not.toContain('not fully correct');
});

test('an older month shown instead of the current one says so', () => {
  expect(asRead(usageView({ ...answer, insteadOfCurrent: true }, reader))).toContain(
    'The current month has no entries yet; this is the newest month that has',
  );
});

test('several accounts have separate rows', () => {
  const records = [usageRecord('/nextport/ship', 1), usageRecord('/nextport/ship', 2, { userId: 'u2' })];
  const shown = asRead(usageView({ ...answer, records }, reader));
  expect(shown).toContain('API accounts u1, u2');
  expect(shown).toContain('| u2: GET /nextport/ship | 2 | 0 |');
});

test('people of another organisation see nothing', () => {
  expect(asRead(usageView(answer, { ...reader, audience: 'outside' }))).toMatchInlineSnapshot(`
    "text: API usage is not shown in a channel with people from another organisation

    API usage is not shown in a channel with people from another organisation. Ask again in an internal channel, or in a direct message with me."
  `);
});

test('a month without entries', () => {
  expect(usageView({ ...answer, records: [] }, reader).text).toBe('API usage, October 2026: no entries');
});
