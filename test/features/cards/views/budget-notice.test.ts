import { expect, test } from 'vitest';
import { budgetNoticeAnswer } from '../../../../src/features/cards/views/notices.ts';
import { replyMessage } from '../../../support/answer-message.ts';
import { asRead } from '../../../support/message-text.ts';

const need = { plannedCalls: 1_304, dailyCalls: 1_000, stretch: 1.304 };

test('names who needs most, but no personal watch', () => {
  const users = [{ title: 'fleet ALPHA', channelId: 'C0OPS00001', calls: 412.4 }, { calls: 96 }];
  expect(asRead(replyMessage(budgetNoticeAnswer({ ...need, users, isForAdmin: true })))).toContain(
    "Most calls: fleet ALPHA in <#C0OPS00001>, 412 a day · somebody's personal watch, 96 a day",
  );
});

test('owners who are not admins read why they get it', () => {
  const shown = asRead(replyMessage(budgetNoticeAnswer({ ...need, users: [], isForAdmin: false })));
  expect(shown).toContain('All watches are polled 1.4 times less often now');
  expect(shown).toContain(
    'Sent to those who own a watch or a digest, since no workspace admin uses Landfall',
  );
  expect(shown).toContain('[List my watches → watch list mine]');
});
