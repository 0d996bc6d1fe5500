import type { Block } from '@slack/types';
import { goodPassword } from './canned-service.ts';
import { organisationOf, otherTeam, type Process, type TeamId } from './process.ts';
import {
  channels,
  directMessageOf,
  type RecordedSlack,
  type SeenMessage,
  type SeenView,
} from './recorded-slack.ts';

/** Who sends a delivery, for which workspace. `step` makes its ids; they are the same in both workspaces. */
export interface Sender {
  team: TeamId;
  /** If they are of another workspace, in a channel that both share. */
  homeTeam?: TeamId;
  userId: string;
  step: number;
}

/** An element of a message or a view, as it comes back in a click. */
export interface Clickable {
  on: { message: SeenMessage } | { view: SeenView };
  action: { type: string; action_id: string; block_id: string; value?: string; selected_option?: object };
}

const form = 'application/x-www-form-urlencoded';

export async function typeCommand(
  bot: Process,
  sender: Sender,
  { channelId, line, url }: { channelId: string; line: string; url?: string },
): Promise<void> {
  const { team, userId, step } = sender;
  const fields = {
    command: '/landfall',
    text: line,
    team_id: team,
    ...(bot.isOrgWide(team) && { enterprise_id: organisationOf(team), is_enterprise_install: 'true' }),
    user_id: userId,
    channel_id: channelId,
    trigger_id: triggerOf(sender),
    response_url: url ?? bot.giveUrl(team, `slash-${step}`, { channelId, ts: '', isEphemeral: true }),
  };
  await bot.deliver(new URLSearchParams(fields).toString(), form);
}

/** In a direct message, or an `@mention` in a channel. */
export async function say(
  bot: Process,
  sender: Sender,
  { channelId, line, threadTs }: { channelId: string; line: string; threadTs: string | undefined },
): Promise<void> {
  const { userId, team, homeTeam = team, step } = sender;
  const isDm = channelId.startsWith('D');
  const common = { channel: channelId, user: userId, team: homeTeam, ts: `${1_780_000_000 + step}.000200` };
  const thread = threadTs === undefined ? {} : { thread_ts: threadTs };
  await sendEvent(
    bot,
    sender,
    isDm
      ? { type: 'message', channel_type: 'im', text: line, ...common, ...thread }
      : { type: 'app_mention', text: `<@U0BOT> ${line}`, ...common, ...thread },
  );
}

/** The other workspace is the host of the channel that both share, so that it is what such events name first. */
export async function sendEvent(
  bot: Process,
  { team, step }: Sender,
  event: { type: string; channel?: string; [field: string]: unknown },
): Promise<void> {
  const isShared = event.channel === channels.connect;
  const isOrgWide = bot.isOrgWide(team);
  const enterprise_id = isOrgWide ? organisationOf(team) : null;
  const delivery = {
    type: 'event_callback',
    team_id: isShared ? otherTeam(team) : team,
    enterprise_id,
    context_team_id: team,
    is_ext_shared_channel: isShared,
    event_id: `Ev${step}`,
    authorizations: [
      {
        team_id: isOrgWide ? null : team,
        enterprise_id,
        user_id: 'U0BOT',
        is_bot: true,
        is_enterprise_install: isOrgWide,
      },
    ],
    event_time: bot.clock.ms / 1000,
    event,
  };
  await bot.deliver(JSON.stringify(delivery), 'application/json');
}

export async function click(bot: Process, sender: Sender, { on, action }: Clickable): Promise<void> {
  const { team, step } = sender;
  const actions = [{ ...action, action_ts: `${step}.1` }];
  if ('view' in on) {
    const container = { type: 'view', view_id: on.view.id };
    const view = shownView(on.view, sender);
    await interact(bot, sender, { type: 'block_actions', container, view, actions });
    return;
  }
  const { channelId, ts, threadTs, isEphemeral, blocks } = on.message;
  const thread = threadTs === undefined ? {} : { thread_ts: threadTs };
  await interact(bot, sender, {
    type: 'block_actions',
    container: {
      type: 'message',
      message_ts: ts,
      channel_id: channelId,
      is_ephemeral: isEphemeral,
      ...thread,
    },
    channel: { id: channelId },
    ...(!isEphemeral && { message: { ts, blocks, ...thread } }),
    response_url: bot.giveUrl(team, `click-${step}`, { channelId, ts, isEphemeral }),
    actions,
  });
}

/** Fills in and submits a form; `fill` chooses among the possible values. Records the acknowledgement. */
export async function submit(
  bot: Process,
  sender: Sender,
  { view, fill }: { view: SeenView; fill: number },
): Promise<void> {
  const slack = bot.slackOf(sender.team);
  const delivery = { type: 'view_submission', view: shownView(view, sender, fill) };
  const answer = await interact(bot, sender, delivery);
  const response: { response_action?: string } = answer === '' ? {} : JSON.parse(answer);
  slack.record('acknowledged', { ...response });
  if (response.response_action !== 'errors') slack.closeView(view.id);
}

export async function runShortcut(
  bot: Process,
  sender: Sender,
  { message }: { message: SeenMessage | undefined },
): Promise<void> {
  if (!message) {
    await interact(bot, sender, { type: 'shortcut', callback_id: 'watch_vessel' });
    return;
  }
  const { channelId, ts, text, blocks } = message;
  await interact(bot, sender, {
    type: 'message_action',
    callback_id: 'watch_message',
    channel: { id: channelId },
    message: { ts, text, blocks },
    message_ts: ts,
    response_url: bot.giveUrl(sender.team, `shortcut-${sender.step}`, { channelId, ts, isEphemeral: false }),
  });
}

async function interact(bot: Process, sender: Sender, payload: object): Promise<string> {
  const { team, userId, homeTeam = team } = sender;
  const isOrgWide = bot.isOrgWide(team);
  const common = {
    team: isOrgWide || homeTeam !== team ? null : { id: team },
    enterprise: isOrgWide ? { id: organisationOf(team) } : null,
    is_enterprise_install: isOrgWide,
    user: { id: userId, team_id: homeTeam },
    api_app_id: 'A1',
    trigger_id: triggerOf(sender),
  };
  const body = new URLSearchParams({ payload: JSON.stringify({ ...common, ...payload }) });
  return await bot.deliver(body.toString(), form);
}

const triggerOf = ({ userId, step }: Sender): string => `trigger${step}.${userId}`;

const shownView = ({ userId: _, ...view }: SeenView, { team }: Sender, fill = 0) => ({
  ...view,
  app_installed_team_id: team,
  state: { values: valuesOf(view.blocks, fill) },
});

/** All that can be clicked in what a workspace sees, oldest first. `choice` chooses among the options of a menu. */
export function clickablesIn({ messages, views }: RecordedSlack, choice: number): Clickable[] {
  return [
    ...messages.map((message) => ({ on: { message }, blocks: message.blocks })),
    ...views.map((view) => ({ on: { view }, blocks: view.blocks })),
  ].flatMap(({ on, blocks }) =>
    blocks.flatMap((block) => actionsIn(block, choice)).map((action) => ({ on, action })),
  );
}

interface AnyElement {
  type: string;
  action_id?: string;
  value?: string;
  url?: string;
  options?: { value: string; text: object }[];
  initial_value?: string;
  initial_option?: { value: string };
  initial_options?: { value: string }[];
  initial_conversation?: string;
  initial_date?: string;
  initial_time?: string;
}

function actionsIn(block: Block, choice: number): Clickable['action'][] {
  // Blocks as the bot sent them: the kinds that it uses.
  const {
    type,
    block_id = 'b',
    elements = [],
    accessory,
  } = block as Block & {
    elements?: AnyElement[];
    accessory?: AnyElement;
  };
  const shown = type === 'actions' ? elements : type === 'section' && accessory ? [accessory] : [];
  return shown.flatMap((element) => {
    const { type, action_id = '', value, url, options = [] } = element;
    if (url !== undefined) return [];
    if (type === 'button') return [{ type, action_id, block_id, ...(value !== undefined && { value }) }];
    const option = options[choice % Math.max(1, options.length)];
    return option ? [{ type, action_id, block_id, selected_option: option }] : [];
  });
}

function valuesOf(blocks: readonly Block[], fill: number): Record<string, Record<string, object>> {
  return Object.fromEntries(
    blocks.flatMap((block, index) => {
      // As above.
      const { type, block_id = '', element } = block as Block & { element?: AnyElement };
      if (type !== 'input' || !element) return [];
      return [[block_id, { [element.action_id ?? '']: filledIn(element, block_id, fill + index) }]];
    }),
  );
}

function filledIn(element: AnyElement, field: string, fill: number): object {
  const { type, options = [] } = element;
  const isChanged = fill % 3 === 0;
  const other = options[fill % Math.max(1, options.length)];
  switch (type) {
    case 'static_select':
    case 'radio_buttons':
      return { type, selected_option: (isChanged ? other : element.initial_option) ?? other };
    case 'checkboxes':
      return { type, selected_options: isChanged && other ? [other] : (element.initial_options ?? []) };
    case 'conversations_select':
      return { type, selected_conversation: element.initial_conversation ?? 'C0OPS' };
    case 'datepicker':
      return { type, selected_date: element.initial_date ?? '2026-11-30' };
    case 'timepicker':
      return { type, selected_time: element.initial_time ?? '08:00' };
    default:
      return { type, value: element.initial_value ?? textOf(field) };
  }
}

const texts: Readonly<Record<string, string>> = {
  what: '9461477',
  imo: '9811000',
  name: 'A NAME OF A FORM',
  fleets: 'SOUTH',
  'line-1': 'nextport 9461477',
  times: '10:00',
  zone: 'UTC',
  apiKey: 'key-second',
  userId: 'a user',
  password: goodPassword,
};
const textOf = (field: string): string | null => texts[field] ?? null;

export const placeOf = (where: string, userId: string): string =>
  where === 'dm' ? directMessageOf(userId) : where;
