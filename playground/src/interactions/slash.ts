import { ApiError } from '../blocks/content.ts';
import { createMarks, type Deliver, type DeliveryObserver } from '../delivery/deliver.ts';
import type { ResponseTarget, ResponseUrls } from '../delivery/response-url.ts';
import { newTriggerId } from '../ids.ts';
import type { JsonObject } from '../json.ts';
import type { SlashCommand } from '../manifest.ts';
import type { PageReply } from '../page-api/page-api.ts';
import type { Installation } from '../web-api/installation.ts';
import type { Store } from '../world/store.ts';
import type { Channel, User } from '../world/world.ts';
import type { Escaper } from './escape.ts';
import type { Triggers } from './triggers.ts';

export interface SlashInput {
  user: User;
  channel: Channel;
  text: string;
  threadTs?: string | undefined;
}

/** True if Slack treats the text as a command rather than a message. */
export function isSlashCommand(text: string): boolean {
  return /^\/\S/.test(text);
}

/** Delivers a slash command. Resolves once the app has acknowledged it, or with the error that Slack would show. */
export function createSlash(options: {
  store: Store;
  /** Undefined: every command goes to the app. */
  commands: ReadonlyMap<string, SlashCommand> | undefined;
  escaper: Escaper;
  deliver: Deliver;
  responseUrls: ResponseUrls;
  triggers: Triggers;
  verificationToken: string;
  installation: Installation;
  observe: DeliveryObserver;
}): (input: SlashInput) => Promise<PageReply & { deliveryId?: string }> {
  const { store, commands } = options;

  return async (input) => {
    const [, command = '', words = ''] = /^(\/\S+)\s*([\s\S]*)$/.exec(input.text.trim()) ?? [];
    const known = commands?.get(command);
    if (!options.installation.isActive() || (commands && !known))
      return { ok: false, error: unknownCommand(command) };
    if (input.threadTs) return { ok: false, error: `${command} is not supported in threads. Sorry!` };

    const deliveryId = newTriggerId();
    const label = `slash ${command}`;
    const marks = createMarks(options.observe, { id: deliveryId, label });
    const target: ResponseTarget = {
      kind: 'commands',
      channelId: input.channel.id,
      userId: input.user.id,
      onAnswer: marks.answered,
    };
    const text = (known?.shouldEscape ?? true) ? options.escaper.command(words) : words;
    const payload = {
      ...slashPayload(store, input, { command, text, token: options.verificationToken }),
      ...enterprisePayload(options.installation),
      response_url: options.responseUrls.open(target),
      trigger_id: options.triggers.open(deliveryId, { userId: input.user.id, channelId: input.channel.id }),
    };
    marks.delivered();
    const outcome = await options.deliver(label, { kind: 'slash_commands', payload });
    if (!outcome.ok) {
      marks.failed(outcome.error);
      return { ok: false, error: failed(command, outcome.error), deliveryId };
    }
    marks.acked();
    try {
      if (outcome.body !== undefined) options.responseUrls.answer(target, outcome.body);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { ok: false, error: failed(command, error.code), deliveryId };
    }
    return { ok: true, deliveryId };
  };
}

function slashPayload(
  { world }: Store,
  { user, channel }: SlashInput,
  fields: { command: string; text: string; token: string },
): JsonObject {
  const team = user.teamId === world.team.id ? world.team : { ...world.outsideTeam, id: user.teamId };
  return {
    token: fields.token,
    team_id: team.id,
    team_domain: team.domain,
    channel_id: channel.id,
    channel_name: channelName(channel),
    user_id: user.id,
    user_name: user.name,
    command: fields.command,
    text: fields.text,
    api_app_id: world.app.id,
  };
}

function enterprisePayload(installation: Installation): JsonObject {
  const { enterprise, isOrgWide } = installation.authorization();
  return {
    ...(enterprise ? { enterprise_id: enterprise.id, enterprise_name: enterprise.name } : {}),
    is_enterprise_install: String(isOrgWide),
  };
}

export function channelName(channel: Channel): string {
  if (channel.kind === 'dm') return 'directmessage';
  return channel.kind === 'private' ? 'privategroup' : channel.name;
}

function failed(command: string, error: string): string {
  return `${command} failed with the error "${error}"`;
}

function unknownCommand(command: string): string {
  return (
    `${command} is not a valid command. In Slack, all messages that start with the "/" character are ` +
    'interpreted as commands. If you are trying to send a message and not run a command, try preceding ' +
    'the "/" with an empty space.'
  );
}
