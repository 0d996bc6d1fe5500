import fc from 'fast-check';
import {
  type Clickable,
  click,
  clickablesIn,
  placeOf,
  runShortcut,
  say,
  sendEvent,
  submit,
  typeCommand,
} from './deliveries.ts';
import { otherTeam, type Process, type TeamId } from './process.ts';
import { channels, people, type RecordedSlack, type SeenMessage, type SeenView } from './recorded-slack.ts';

/**
 * `pick` counts back from the newest thing that there is to click. `theirs`: one of the other workspace. `outsider`: by
 * somebody of the other workspace, in the channel that both share.
 */
export type Operation = { userId: string } & (
  | { kind: 'type'; where: string; line: string }
  | { kind: 'say'; where: string; line: string; thread: number | null; outsider: boolean }
  | { kind: 'click'; pick: number; choice: number; theirs: boolean; outsider: boolean }
  | { kind: 'submit'; pick: number; fill: number; theirs: boolean }
  | { kind: 'shortcut'; pick: number | null; theirs: boolean }
  | { kind: 'home' }
  | { kind: 'leave'; where: string }
  | { kind: 'join'; where: string }
  | { kind: 'uninstall' }
  | { kind: 'install' }
);

/** What an operation is about, in a certain state of a workspace. */
type Target = { clickable: Clickable } | { view: SeenView } | { message: SeenMessage };

/** Undefined if there is nothing to click, submit or use. */
export function targetOf(operation: Operation, slack: RecordedSlack): Target | undefined {
  const { messages, views } = slack;
  const back = <Item>(items: readonly Item[], pick: number): Item | undefined =>
    items[items.length - 1 - (pick % Math.max(1, items.length))];
  switch (operation.kind) {
    case 'click': {
      const clickable = back(clickablesIn(slack, operation.choice), operation.pick);
      return clickable && { clickable };
    }
    case 'submit': {
      const forms = views.filter(({ callback_id }) => callback_id.startsWith('form:'));
      const view = back(forms, operation.pick);
      return view && { view };
    }
    case 'say':
    case 'shortcut': {
      const pick = operation.kind === 'say' ? operation.thread : operation.pick;
      const posted = messages.filter(({ isEphemeral }) => !isEphemeral);
      const message = pick === null ? undefined : back(posted, pick);
      return message && { message };
    }
    default:
      return undefined;
  }
}

/** Does what the person does; `target` as from `targetOf`, of this workspace or of the other one. */
export async function perform(
  bot: Process,
  {
    team,
    step,
    operation,
    target,
  }: { team: TeamId; step: number; operation: Operation; target: Target | undefined },
): Promise<void> {
  const { userId, kind } = operation;
  const isOutsider = 'outsider' in operation && operation.outsider;
  const sender = { team, userId, step, ...(isOutsider && { homeTeam: otherTeam(team) }) };
  const message = target && 'message' in target ? target.message : undefined;
  const ofTeam = (line: string) => line.replaceAll('{team}', team);
  switch (kind) {
    case 'type':
      return await typeCommand(bot, sender, {
        channelId: placeOf(operation.where, userId),
        line: ofTeam(operation.line),
      });
    case 'say': {
      if (isOutsider) {
        const inShared = { channelId: channels.connect, line: ofTeam(operation.line), threadTs: undefined };
        return await say(bot, sender, inShared);
      }
      const channelId =
        message && !message.channelId.startsWith('D') ? message.channelId : placeOf(operation.where, userId);
      const threadTs =
        message && message.channelId === channelId ? (message.threadTs ?? message.ts) : undefined;
      return await say(bot, sender, { channelId, line: ofTeam(operation.line), threadTs });
    }
    case 'click':
      if (target && 'clickable' in target) await click(bot, sender, target.clickable);
      return;
    case 'submit':
      if (target && 'view' in target) await submit(bot, sender, { view: target.view, fill: operation.fill });
      return;
    case 'shortcut':
      return await runShortcut(bot, sender, { message });
    case 'home':
      return await sendEvent(bot, sender, { type: 'app_home_opened', user: userId, tab: 'home' });
    case 'leave':
      bot.slackOf(team).closed.add(operation.where);
      return await sendEvent(bot, sender, { type: 'channel_left', channel: operation.where });
    case 'join':
      bot.slackOf(team).closed.delete(operation.where);
      return;
    case 'uninstall':
      bot.slackOf(team).isInstalled = false;
      return await sendEvent(bot, sender, { type: 'app_uninstalled' });
    case 'install':
      return await bot.install(team);
  }
}

const lines = [
  'nextport 9461477',
  'nextport 9461477 public',
  'nextport 9461477, 9755933',
  'nextport {team} STAR',
  'nextport list:FEEDERS',
  'nextport 9811000 compare',
  'nextport 9461477 history',
  'nextport watched',
  'nextport fleet:NORTH',
  'portcalls NLRTM',
  'portcalls Hamburg by probability',
  'lane Singapore Rotterdam',
  'usage',
  'usage bot',
  'usage bot public',
  'landfall',
  'landfall status',
  'landfall nextprt 9461477',
  'landfall settings',
  'landfall settings guests full',
  'landfall settings guests none',
  'landfall account',
  'landfall audit',
  'landfall audit by <@U0ADA>',
  'landfall audit of <#C0OPS>',
  'vessel list',
  'vessel export',
  'vessel fleets',
  'vessel name 9461477 {team} STAR',
  'vessel name 9811000 {team} PRIDE',
  'vessel forget 9461477',
  'vessel fleet NORTH',
  'vessel fleet NORTH add 9461477, 9811000',
  'vessel fleet NORTH remove 9811000',
  'vessel fleet {team} add 9755933',
  'vessel fleet NORTH forget',
] as const;

const watchLines = [
  'watch 9461477',
  'watch 9461477',
  'watch 9755933 eta 6h',
  'watch 9811000 quiet 22:00-06:00',
  'watch list:FEEDERS',
  'watch port Rotterdam',
  'watch fleet:NORTH',
  'watch 9461477 dry run',
  'watch list',
  'watch list mine',
  'watch changes',
  'watch changes since yesterday mine',
  'watch stability',
  'watch stability 9461477',
  'watch stability list:FEEDERS',
  'watch stability NLRTM DEHAM all',
  'watch stop 9461477',
  'watch stop all',
  'watch snooze 9461477 8h',
  'watch wake 9461477',
  'watch ack 9461477',
  'watch resume 9461477',
  'watch hand over <@U0BEN>',
  'watch assign 9461477 <@U0BEN>',
] as const;

const digestLines = [
  'digest add daily 10:00: nextport 9461477; portcalls NLRTM',
  'digest add weekdays 12:00 UTC only news: nextport 9461477',
  'digest add "{team}" daily 10:30 to me: nextport 9755933; usage',
  'digest list',
  'digest list mine',
  'digest show 1',
  'digest run 1',
  'digest pause 1',
  'digest resume 1',
  'digest remove 1',
  'digest restore 1',
  'digest edit 1 daily 06:00, 18:00',
] as const;

const threadLines = ['', 'watch snooze 8h', 'watch stop', 'watch ack', 'nextport'] as const;

const pick = fc.nat({ max: 30 });
const userId = fc.constantFrom(people.ada, people.ada, people.ada, people.ben, people.ben, people.eve);
const channelId = fc.constantFrom(...Object.values(channels));
const where = fc.oneof({ weight: 4, arbitrary: channelId }, { weight: 1, arbitrary: fc.constant('dm') });
const theirs = fc.oneof(
  { weight: 3, arbitrary: fc.constant(false) },
  { weight: 1, arbitrary: fc.constant(true) },
);
const outsider = fc.oneof(
  { weight: 4, arbitrary: fc.constant(false) },
  { weight: 1, arbitrary: fc.constant(true) },
);
const line = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...watchLines) },
  { weight: 2, arbitrary: fc.constantFrom(...lines) },
  { weight: 2, arbitrary: fc.constantFrom(...digestLines) },
);

const of = <Kind extends Operation['kind']>(
  kind: Kind,
  fields: {
    [Key in keyof Omit<Extract<Operation, { kind: Kind }>, 'kind' | 'userId'>]: fc.Arbitrary<
      Extract<Operation, { kind: Kind }>[Key]
    >;
  },
): fc.Arbitrary<Operation> =>
  // The fields of that kind.
  fc.record({ kind: fc.constant(kind), userId, ...fields }) as fc.Arbitrary<Operation>;

/** Any operation of a person in one workspace. */
export const operations: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 12, arbitrary: of('type', { where, line }) },
  { weight: 2, arbitrary: of('say', { where, line, thread: fc.constant(null), outsider }) },
  {
    weight: 2,
    arbitrary: of('say', { where, line: fc.constantFrom(...threadLines), thread: pick, outsider }),
  },
  { weight: 12, arbitrary: of('click', { pick, choice: pick, theirs, outsider }) },
  { weight: 6, arbitrary: of('submit', { pick: fc.nat({ max: 2 }), fill: pick, theirs }) },
  { weight: 2, arbitrary: of('shortcut', { pick: fc.option(pick), theirs }) },
  { weight: 2, arbitrary: of('home', {}) },
  { weight: 1, arbitrary: of('leave', { where: channelId }) },
  { weight: 1, arbitrary: of('join', { where: channelId }) },
  { weight: 1, arbitrary: of('uninstall', {}) },
  { weight: 2, arbitrary: of('install', {}) },
);
