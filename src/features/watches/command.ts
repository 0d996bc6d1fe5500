import { defineCommand } from '../command.ts';
import { addWatchOf } from './commands/add-watch.ts';
import {
  acknowledgeOf,
  confirmStopAll,
  handOver,
  listWatchesOf,
  resumeOf,
  snoozeOf,
  stopAll,
  stopOf,
} from './commands/change-watches.ts';
import { formatWatchLine, readWatchLine, type WatchArgs } from './commands/parse-watch-line.ts';
import { inOtherChannel } from './commands/watched-subject.ts';
import { watchRules } from './rules/registry.ts';
import type { WatchesContext, WatchesServices } from './services.ts';
import {
  type WatchDone,
  type WatchReplyAnswer,
  type WatchStopQuestion,
  watchAnswerView,
} from './views/watch-answer.ts';
import { type WatchListAnswer, watchListView } from './views/watch-list.ts';

export const watch = defineCommand<WatchArgs, WatchReplyAnswer | WatchListAnswer, WatchesServices>({
  name: 'watch',
  summary: 'Be notified in a thread when the next port or the ETA of a vessel changes',
  usage:
    '<vessel[, vessel …] | fleet:NAME | list:NAME | port PORT> [rules] [in #channel] [dry run] | list | stop | snooze | hand over [in #channel]',
  examples: [
    'watch 9461477',
    'watch 9461477 eta 6h',
    'watch list:FEEDERS only next port, due NLRTM 27 Nov 18:00',
    'watch port Rotterdam quiet 22:00-06:00',
    'watch 9461477 below 40% arriving 24h dry run',
    'watch list',
    'watch snooze 9461477 until 24h before eta',
    'watch stop 9461477',
  ],
  more: [
    'Rules, in any order; what is not typed has its default:',
    ...watchRules.help.map(({ typed, help }) => `\`${typed}\`: ${help}`),
  ],
  repeatable: ({ kind }) => kind === 'list',
  // Other channels, and what somebody has for themselves, are not for everybody in this one.
  privacy(args) {
    if (args.channelId !== undefined) return 'personal';
    if (args.kind !== 'list') return 'asked';
    return args.scope === 'channel' ? 'open' : 'personal';
  },
  inSlack: true,
  parse: readWatchLine,
  format: formatWatchLine,
  run,
  view: (answer, reader) =>
    answer.kind === 'watch-list' ? watchListView(answer, reader) : watchAnswerView(answer, reader),
});

async function run(args: WatchArgs, here: WatchesContext): Promise<WatchReplyAnswer | WatchListAnswer> {
  if (args.kind === 'add') {
    const rules = watchRules.resolve(args.rules, { now: here.now(), zone: here.actor.zone });
    return await addWatchOf(
      { ...args, rules, keepsRules: watchRules.format(args.rules) === '' },
      { save: formatWatchLine({ ...args, isDryRun: false }) },
      here,
    );
  }
  const { channelId } = args;
  if (channelId === undefined || channelId === here.place?.channelId) return await change(args, here);
  return { ...(await change(args, await inOtherChannel(channelId, here))), channelId };
}

type Change = Exclude<WatchArgs, { kind: 'add' }>;

function change(
  args: Change,
  context: WatchesContext,
): Promise<WatchDone | WatchStopQuestion | WatchListAnswer> {
  switch (args.kind) {
    case 'list':
      return listWatchesOf(args, formatWatchLine(args), context);
    case 'stop':
      return stopOf(args.subject, args.isSure, context);
    case 'stop-all':
      return args.isSure
        ? stopAll(context)
        : confirmStopAll(formatWatchLine({ ...args, isSure: true }), context);
    case 'resume':
      return resumeOf(args.subject, context);
    case 'acknowledge':
      return acknowledgeOf(args.subject, context);
    case 'wake':
      return snoozeOf(args.subject, null, context);
    case 'snooze':
      return snoozeOf(args.subject, args.snooze, context);
    case 'hand-over':
      return handOver(args.subject, args.to, context);
  }
}
