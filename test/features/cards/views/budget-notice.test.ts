import { expect, test } from 'vitest';
import { budgetNoticeAnswer } from '../../../../src/features/cards/views/notices.ts';
import { replyMessage } from '../../../support/answer-message.ts';
import { asRead } from '../../../support/message-text.ts';

const users = [
  { title: 'fleet ALPHA', channelId: 'C0OPS00001', calls: 412.4 },
  { calls: 96 },
  { title: 'port <Rotterdam>', channelId: 'C0OPS00001', calls: 1 },
];

test('80% of the budget: how much, what happens beyond, and who needs most', () => {
  const notice = budgetNoticeAnswer({
    plannedCalls: 845,
    dailyCalls: 1_000,
    stretch: 1,
    users,
    isForAdmin: true,
  });
  expect(asRead(replyMessage(notice))).toMatchInlineSnapshot(`
    "text: 🟠 The watches need 85% of their budget: 845 of 1,000 API calls a day. Beyond the budget all watches are polled less often, so alerts may come later. Most calls: fleet ALPHA in <#C0OPS00001>, 412 a day · somebody's personal watch, 96 a day · port &lt;Rotterdam&gt; in <#C0OPS00001>, 1 a day. To use fewer calls, stop a watch, or watch one of the provider's lists instead of its vessels. Whoever runs Landfall can raise the budget (\`ANALYTICS_DAILY_CALLS\`).

    *🟠 The watches need 85% of their budget: 845 of 1,000 API calls a day*
    Beyond the budget all watches are polled less often, so alerts may come later.
    Most calls: fleet ALPHA in <#C0OPS00001>, 412 a day · somebody's personal watch, 96 a day · port &lt;Rotterdam&gt; in <#C0OPS00001>, 1 a day
    To use fewer calls, stop a watch, or watch one of the provider's lists instead of its vessels. Whoever runs Landfall can raise the budget (\`ANALYTICS_DAILY_CALLS\`).
    Sent to the workspace admins who use Landfall, when the need rises
    [What Landfall used → usage bot] [List all watches → watch list all]"
  `);
});

test('all of the budget: watches are polled less often, as owners who are not admins read it', () => {
  const notice = budgetNoticeAnswer({
    ...{ plannedCalls: 1_304, dailyCalls: 1_000, stretch: 1.304, users: [] },
    isForAdmin: false,
  });
  expect(asRead(replyMessage(notice))).toMatchInlineSnapshot(`
    "text: 🔴 The watches need 1,304 API calls a day, and their budget is 1,000. All watches are polled 1.3 times less often now, so alerts may come later. Questions are still answered. To use fewer calls, stop a watch, or watch one of the provider's lists instead of its vessels. Whoever runs Landfall can raise the budget (\`ANALYTICS_DAILY_CALLS\`).

    *🔴 The watches need 1,304 API calls a day, and their budget is 1,000*
    All watches are polled 1.3 times less often now, so alerts may come later. Questions are still answered.
    To use fewer calls, stop a watch, or watch one of the provider's lists instead of its vessels. Whoever runs Landfall can raise the budget (\`ANALYTICS_DAILY_CALLS\`).
    Sent to those who own a watch or a digest, since no workspace admin uses Landfall, when the need rises
    [What Landfall used → usage bot] [List my watches → watch list mine]"
  `);
});
