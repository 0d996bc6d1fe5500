import { type Answer, ownUsage, watchesIn } from '../../../answers/answer.ts';
import { clip } from '../../../answers/message.ts';
import { pauseInWords } from '../../../answers/slack/notices.ts';
import { joined, type Text } from '../../../answers/text.ts';
import { ownLines } from '../../../errors.ts';
import { type OwnedThing, placeInWords } from '../../owned/index.ts';
import { type BudgetNotice, timesLessOften, watchActionIds } from '../../polling/index.ts';
import { droppedRulesInWords, type Rules, rulesInWords } from '../../rules/index.ts';

type Noticed = Pick<OwnedThing, 'title' | 'channelId' | 'destination'>;

const watchIn = (watch: Noticed): Text => [`watch of ${clip(watch.title, 150)} in `, placeInWords(watch)];

/** Says to the owner alone, once, that Slack refuses the messages. `watchId` is undefined for a stopped watch. */
export function pauseNoticeAnswer(notice: Noticed & { watchId: string | undefined; reason: string }): Answer {
  const { watchId: value, reason } = notice;
  const { what, advice } = pauseInWords(reason);
  return {
    isOwn: true,
    verdict: {
      strong: ['Your ', watchIn(notice), ` is paused: ${what}`],
      lines: [[advice, '. Its messages wait until then, and it makes no API calls meanwhile.']],
    },
    actions: {
      about: notice.title,
      runs:
        value === undefined
          ? []
          : [
              { label: 'Resume', press: watchActionIds.resume, value },
              { label: 'Stop', press: watchActionIds.stop, value },
            ],
    },
  };
}

/** Says to the owner alone that somebody else has changed the rules of their watch. */
export function rulesNoticeAnswer(
  notice: Noticed & { watchId: string; isPort: boolean; actorId: string; before: Rules; after: Rules },
  { now }: { now: Date },
): Answer {
  const { watchId, isPort, actorId, before, after } = notice;
  const dropped = droppedRulesInWords({ before, after }, { now, isPort });
  return {
    isOwn: true,
    verdict: {
      strong: [{ person: actorId }, ' has changed the rules of your ', watchIn(notice)],
      lines: [
        `From now on I'll post when: ${rulesInWords(after, { now, isPort }).join('; ')}.`,
        ...(dropped.length === 0 ? [] : [`No longer: ${dropped.join('; ')}.`]),
      ],
    },
    actions: { about: notice.title, runs: [{ label: 'Edit', form: 'watch', target: { watchId } }] },
  };
}

/** The watches need nearly all of their budget of calls a day, or more than that. */
export function budgetNoticeAnswer(plan: Omit<BudgetNotice, 'kind'>): Answer {
  const { plannedCalls, dailyCalls, stretch, users, isForAdmin, isOwnLimit = false } = plan;
  const [planned, budget] = [Math.round(plannedCalls), dailyCalls].map((count) => count.toLocaleString('en'));
  const percent = Math.round((100 * plannedCalls) / dailyCalls);
  const isOver = plannedCalls >= dailyCalls;
  const effect = !isOver
    ? 'Beyond the budget all watches are polled less often, so alerts may come later.'
    : stretch > 1
      ? `All watches are polled ${timesLessOften(stretch)} now, so alerts may come later. Questions are still answered.`
      : 'With one more watch, all are polled less often, and alerts may come later.';
  return {
    isOwn: true,
    verdict: {
      strong: isOver
        ? `🔴 The watches need ${planned} API calls a day, and their budget is ${budget}`
        : `🟠 The watches need ${percent}% of their budget: ${planned} of ${budget} API calls a day`,
      lines: [
        effect,
        ...(users.length === 0 ? [] : [['Most calls: ', joined(users.map(userInWords))]]),
        [
          "To use fewer calls, stop a watch, or watch one of the provider's lists instead of its vessels. ",
          ...(isOwnLimit
            ? ['A workspace admin can raise the limit: ', { code: `/${ownLines.limit}` }, '.']
            : ['Whoever runs Landfall can raise the budget (', { code: 'ANALYTICS_DAILY_CALLS' }, ').']),
        ],
      ],
    },
    notes: [
      `Sent to ${isForAdmin ? 'the workspace admins who use Landfall' : recipientsInWords}, when the need rises`,
    ],
    actions: {
      runs: [
        { label: 'What Landfall used', intent: ownUsage },
        isForAdmin
          ? { label: 'List all watches', intent: watchesIn({ scope: 'all' }) }
          : { label: 'List my watches', intent: watchesIn({ scope: 'mine' }) },
      ],
    },
  };
}

const recipientsInWords = 'those who own a watch or a digest, since no workspace admin uses Landfall';

function userInWords({ title, channelId, calls }: BudgetNotice['users'][number]): Text {
  const count = Math.max(1, Math.round(calls));
  return [
    title === undefined ? "somebody's personal watch" : clip(title, 80),
    ...(channelId === undefined ? [] : [' in ', { channel: channelId }]),
    `, ${count.toLocaleString('en')} a day`,
  ];
}
