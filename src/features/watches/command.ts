import { readPage } from '../../messages/frame/paging.ts';
import { defineCommand } from '../command.ts';
import { actorIn } from '../run-context.ts';
import { addWatch } from './commands/add-watch.ts';
import { changeWatches } from './commands/change-watches.ts';
import { inOtherChannel } from './commands/named-watches.ts';
import { formatWatchLine, readWatchLine, type WatchArgs } from './commands/parse-watch-line.ts';
import { watchRules } from './rules/registry.ts';
import type { WatchesContext, WatchesServices } from './service/watch-service.ts';
import { type WatchReplyAnswer, watchAnswerView } from './views/watch-answer.ts';
import { type WatchListAnswer, watchesPerPage, watchListView } from './views/watch-list.ts';

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
  // Not everybody in this channel may see other channels' watches and personal watches.
  privacy(args) {
    if (args.channelId !== undefined) return 'personal';
    if (args.kind !== 'list') return 'on-request';
    return args.scope === 'channel' ? 'open' : 'personal';
  },
  needsSlack: true,
  parse: readWatchLine,
  format: formatWatchLine,
  run,
  view: (answer, reader) =>
    answer.kind === 'watch-list' ? watchListView(answer, reader) : watchAnswerView(answer, reader),
});

async function run(args: WatchArgs, context: WatchesContext): Promise<WatchReplyAnswer | WatchListAnswer> {
  if (args.kind === 'add') {
    const rules = watchRules.resolve(args.rules, { now: context.now(), zone: context.actor.zone });
    const keepsRules = watchRules.format(args.rules) === '';
    const save = formatWatchLine({ ...args, isDryRun: false });
    return await addWatch({ ...args, rules, keepsRules, save }, context);
  }
  const { channelId } = args;
  const isElsewhere = channelId !== undefined && channelId !== context.place?.channelId;
  const there = isElsewhere ? await inOtherChannel(channelId, context) : context;
  const answer = args.kind === 'list' ? await listWatches(args, there) : await changeWatches(args, there);
  return isElsewhere ? { ...answer, channelId } : answer;
}

async function listWatches(
  args: Extract<WatchArgs, { kind: 'list' }>,
  context: WatchesContext,
): Promise<WatchListAnswer> {
  const { scope } = args;
  const found = await readPage(args.page, watchesPerPage, (page) =>
    context.watches.list(scope, actorIn(context), { ...page, withLatest: true }),
  );
  return { kind: 'watch-list', line: formatWatchLine(args), scope, ...found };
}
