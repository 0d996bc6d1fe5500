import { readPage } from '../../messages/frame/paging.ts';
import { sinceHelp } from '../changes/index.ts';
import { type Command, legacyCommand } from '../command.ts';
import { withDetails } from '../outsiders.ts';
import { actorIn, knownVessel, pageIn } from '../run-context.ts';
import { stability, stabilityHelp, stabilityTool } from '../stability/index.ts';
import { command } from '../variant.ts';
import { changes } from './changes.ts';
import { addWatch } from './commands/add-watch.ts';
import { changeWatches } from './commands/change-watches.ts';
import { inOtherChannel } from './commands/named-watches.ts';
import {
  formatWatchLine,
  notAView,
  readView,
  readWatchLine,
  type WatchArgs,
} from './commands/parse-watch-line.ts';
import { watchQuestions } from './questions.ts';
import { watchRules } from './rules/registry.ts';
import type { WatchesContext, WatchesServices } from './service/watch-service.ts';
import { vesselsIn } from './store/watch-list.ts';
import { watchTools } from './tools.ts';
import { type WatchDone, type WatchStopQuestion, watchAnswerView } from './views/watch-answer.ts';
import { type WatchListAnswer, watchesPerPage, watchListView } from './views/watch-list.ts';
import { type WatchAnswer, watchTable, watchTables } from './views/watch-tables.ts';
import { isOneVessel } from './words/subject.ts';

const help = {
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
} as const;

/** The lines that are variants already. Once all are, this is the command. */
const views = command({
  ...help,
  variants: [changes, stability],
  tools: [stabilityTool],
  parse: (words, context) => readView(words, context) ?? notAView(words),
});

/** The command with its services. */
export function watch(services: WatchesServices): Command {
  const others = otherLines(services);
  return {
    ...others,
    tables: [...others.tables, ...views.tables],
    tools: [...others.tools, ...views.tools],
    prepare: (words, context) => (readView(words, context) ? views : others).prepare(words, context),
  };
}

const otherLines = legacyCommand<WatchArgs, WatchAnswer, WatchesServices>({
  ...help,
  repeatable: ({ kind }) => kind === 'list',
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
  view: (answer, reader) =>
    answer.kind === 'watch-list' ? watchListView(answer, reader) : watchAnswerView(answer, reader),
  tools: watchTools,
  tables: watchTables,
  table: watchTable,
});

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
): Promise<WatchDone | WatchStopQuestion | WatchListAnswer> {
  return args.kind === 'list' ? await listWatches(args, context) : await changeWatches(args, context);
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
