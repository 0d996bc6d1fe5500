import { readPage } from '../../messages/frame/paging.ts';
import type { Message, Reader } from '../../messages/message.ts';
import { legacyCommand } from '../command.ts';
import { withDetails } from '../outsiders.ts';
import { actorIn, knownVessel, pageIn } from '../run-context.ts';
import { addWatch } from './commands/add-watch.ts';
import { changeWatches } from './commands/change-watches.ts';
import { inOtherChannel } from './commands/named-watches.ts';
import { formatWatchLine, readWatchLine, type WatchArgs } from './commands/parse-watch-line.ts';
import { showChanges } from './commands/show-changes.ts';
import { showStability } from './commands/show-stability.ts';
import { watchQuestions } from './questions.ts';
import { watchRules } from './rules/registry.ts';
import type { WatchesContext, WatchesServices } from './service/watch-service.ts';
import { vesselsIn } from './store/watch-list.ts';
import { watchTools } from './tools.ts';
import { type StabilityAnswer, stabilityView } from './views/stability-view.ts';
import { type WatchDone, type WatchStopQuestion, watchAnswerView } from './views/watch-answer.ts';
import { type WatchChangesAnswer, watchChangesView } from './views/watch-changes.ts';
import { type WatchListAnswer, watchesPerPage, watchListView } from './views/watch-list.ts';
import { type WatchAnswer, watchTable, watchTables } from './views/watch-tables.ts';
import { sinceHelp } from '../changes/index.ts';
import { stabilityHelp } from '../stability/index.ts';
import { isOneVessel } from './words/subject.ts';

const reading: readonly WatchArgs['kind'][] = ['list', 'changes', 'stability'];

export const watch = legacyCommand<WatchArgs, WatchAnswer, WatchesServices>({
  name: 'watch',
  summary: 'Be notified in a thread when the next port or the ETA of a vessel changes',
  usage:
    '<vessel[, vessel …] | fleet:NAME | list:NAME [at PORT] | port PORT> [rules] [in #channel | to me] [dry run] | list | changes [since WHEN] | stability [vessel | fleet:NAME | list:NAME | ORIGIN DESTINATION] | stop | snooze | acknowledge | assign @PERSON | hand over [in #channel]',
  examples: [
    'watch 9461477',
    'watch 9461477 eta 6h',
    'watch list:FEEDERS only next port, due NLRTM 27 Nov 18:00',
    'watch port Rotterdam quiet 22:00-06:00',
    'watch fleet:NORTH at Rotterdam',
    'watch 9461477 below 40% arriving 24h dry run',
    'watch list',
    'watch changes since yesterday',
    'watch stability 9461477',
    'watch snooze 9461477 until 24h before eta',
    'watch stop 9461477',
  ],
  options: [
    ...watchRules.help,
    ...sinceHelp.map(({ typed, help }) => ({ typed: `changes ${typed}`, help })),
    ...stabilityHelp,
  ],
  optionsNote:
    'Rules, in any order; what is not typed has its default. Changes are those in the channel (in a direct message: of your own watches), by default since midnight; in a digest, since the one before',
  questions: watchQuestions,
  repeatable: ({ kind }) => reading.includes(kind),
  // Not everybody in this channel may see other channels' watches and personal watches.
  privacy(args) {
    if (args.channelId !== undefined) return 'personal';
    if (!('scope' in args)) return 'on-request';
    return args.scope === 'channel' ? 'open' : 'personal';
  },
  needsSlack: true,
  dependsOnPlace: true,
  parse: readWatchLine,
  format: formatWatchLine,
  run,
  view: watchView,
  tools: watchTools,
  tables: watchTables,
  table: watchTable,
  lineOutside: (answer) => (answer.kind === 'watch-changes' ? answer.line : undefined),
  hasNews: (answer) => answer.kind === 'watch-changes' && answer.changes.length > 0,
});

function watchView(answer: WatchAnswer, reader: Reader): Message {
  if (answer.kind === 'watch-list') return watchListView(answer, reader);
  if (answer.kind === 'watch-stability') return stabilityView(answer, reader);
  return answer.kind === 'watch-changes' ? watchChangesView(answer, reader) : watchAnswerView(answer, reader);
}

async function run(args: WatchArgs, context: WatchesContext): Promise<WatchAnswer> {
  if (args.kind === 'add') {
    const rules = watchRules.resolve(args.rules, {
      now: context.now(),
      zone: context.actor.zone,
      isOneVessel: isOneVessel(args.subject),
    });
    const keepsRules = watchRules.format(args.rules) === '';
    const save = formatWatchLine({ ...args, isDryRun: false });
    const { toMe: isPersonal = false } = args;
    const toMe = { value: formatWatchLine({ ...args, channelId: undefined, toMe: true }) };
    const saveAsList = (name: string) =>
      formatWatchLine({ ...args, subject: { kind: 'list', name }, isDryRun: false });
    const adding = addWatch({ ...args, isPersonal, rules, keepsRules, save, saveAsList }, context);
    return await adding.catch(withDetails({ toMe }));
  }
  const { channelId } = args;
  const isElsewhere = channelId !== undefined && channelId !== context.place?.channelId;
  const there = isElsewhere ? await inOtherChannel(channelId, context) : context;
  const answer = await answerAbout(args, there);
  return isElsewhere ? { ...answer, channelId } : answer;
}

async function answerAbout(
  args: Exclude<WatchArgs, { kind: 'add' }>,
  context: WatchesContext,
): Promise<WatchDone | WatchStopQuestion | WatchListAnswer | WatchChangesAnswer | StabilityAnswer> {
  if (args.kind === 'list') return await listWatches(args, context);
  if (args.kind === 'stability') return await showStability(args, context);
  return args.kind === 'changes' ? await showChanges(args, context) : await changeWatches(args, context);
}

async function listWatches(
  args: Extract<WatchArgs, { kind: 'list' }>,
  context: WatchesContext,
): Promise<WatchListAnswer> {
  const { scope } = args;
  const found = await readPage(...pageIn(context, args.page, watchesPerPage), (page) =>
    context.watches.list(scope, actorIn(context), { ...page, withLatest: true }),
  );
  const { vessels } = context;
  const named = [
    ...new Set(found.watches.flatMap(({ followedSubjects }) => vesselsIn(followedSubjects))),
  ].map((imo) => knownVessel(imo, vessels));
  // Guests who may only ask see no costs.
  const plan = context.actor.asksOnly ? { ...found.plan, plannedCalls: 0 } : found.plan;
  return { kind: 'watch-list', line: formatWatchLine(args), scope, named, ...found, plan };
}
