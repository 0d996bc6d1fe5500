import { clip, type Message } from '../../../answers/message.ts';
import { lineButtons } from '../../../answers/slack/answer-message.ts';
import { button, channelMention, escaped, personMention } from '../../../answers/slack/blocks.ts';
import { pauseInWords } from '../../../answers/slack/notices.ts';
import { droppedRulesInWords, rulesInWords } from '../../rules/in-words.ts';
import type { Rules } from '../../rules/list.ts';
import { watchActionIds } from '../action-ids.ts';
import type { BudgetPlan, BudgetUser } from '../budget/budget-alarm.ts';
import { editButton, shortMessage } from './short-message.ts';

interface OwnerNotice {
  title: string;
  channelId: string;
}

const watchIn = ({ title, channelId }: OwnerNotice): string =>
  `watch of ${escaped(clip(title, 150))} in ${channelMention(channelId)}`;

/** Tells only the owner, once, that Slack refuses the messages. `watchId` is undefined for a stopped watch. */
export function pauseNoticeView(
  notice: OwnerNotice & { watchId: string | undefined; reason: string },
): Message {
  const { watchId: value, reason } = notice;
  const { what, advice } = pauseInWords(reason);
  const heading = `Your ${watchIn(notice)} is paused: ${what}`;
  const effect = `${advice}. Its messages wait until then, and it makes no API calls meanwhile.`;
  const buttons =
    value === undefined
      ? []
      : [
          button({ id: watchActionIds.resume, label: 'Resume', value }),
          button({ id: watchActionIds.stop, label: 'Stop', value }),
        ];
  return shortMessage({ text: `${heading}. ${effect}`, lines: [`*${heading}*`, effect], buttons });
}

/** Tells only the owner that somebody else has changed the rules of their watch. */
export function rulesNoticeView(
  notice: OwnerNotice & { watchId: string; isPort: boolean; actorId: string; before: Rules; after: Rules },
  { now }: { now: Date },
): Message {
  const { watchId, isPort, actorId, before, after } = notice;
  const heading = `${personMention(actorId)} has changed the rules of your ${watchIn(notice)}`;
  const dropped = droppedRulesInWords({ before, after }, { now, isPort });
  const notes = [
    `From now on I'll post when: ${escaped(rulesInWords(after, { now, isPort }).join('; '))}.`,
    ...(dropped.length === 0 ? [] : [`No longer: ${escaped(dropped.join('; '))}.`]),
  ];
  return shortMessage({
    text: `${heading}. ${notes.join(' ')}`,
    lines: [`*${heading}*`, ...notes],
    buttons: [editButton(watchId)],
  });
}

/** The watches need nearly all of their budget of calls a day, or more than that. */
export function budgetNoticeView(plan: BudgetPlan): Message {
  const { plannedCalls, dailyCalls, stretch, users, isForAdmin } = plan;
  const [planned, budget] = [Math.round(plannedCalls), dailyCalls].map((count) => count.toLocaleString('en'));
  const percent = Math.round((100 * plannedCalls) / dailyCalls);
  const factor = stretch.toLocaleString('en', { maximumFractionDigits: 1 });
  const isOver = plannedCalls >= dailyCalls;
  const heading = isOver
    ? `The watches need ${planned} API calls a day, and their budget is ${budget}`
    : `The watches need ${percent}% of their budget: ${planned} of ${budget} API calls a day`;
  const effect = !isOver
    ? 'Beyond the budget all watches are polled less often, so alerts may come later.'
    : stretch > 1
      ? `All watches are polled ${factor} times less often now, so alerts may come later. Questions are still answered.`
      : 'With one more watch, all are polled less often, and alerts may come later.';
  const greatest = users.length === 0 ? [] : [`Most calls: ${users.map(userInWords).join(' · ')}`];
  const advice =
    "To use fewer calls, stop a watch, or watch one of the provider's lists instead of its vessels. Whoever runs Landfall can raise the budget (`ANALYTICS_DAILY_CALLS`).";
  return shortMessage({
    text: `${heading}. ${effect}`,
    lines: [`${isOver ? '🔴' : '🟠'} *${heading}*`, effect, ...greatest, advice],
    notes: [
      `Sent to ${isForAdmin ? 'the workspace admins who use Landfall' : recipientsInWords}, when the need rises`,
    ],
    buttons: lineButtons([
      { label: 'What Landfall used', line: 'usage bot' },
      isForAdmin
        ? { label: 'List all watches', line: 'watch list all' }
        : { label: 'List my watches', line: 'watch list mine' },
    ]),
  });
}

const recipientsInWords = 'those who own a watch or a digest, since no workspace admin uses Landfall';

function userInWords({ title, channelId, calls }: BudgetUser): string {
  const count = Math.max(1, Math.round(calls));
  const watch = title === undefined ? "somebody's personal watch" : escaped(clip(title, 80));
  const where = channelId === undefined ? '' : ` in ${channelMention(channelId)}`;
  return `${watch}${where}, ${count.toLocaleString('en')} a day`;
}
