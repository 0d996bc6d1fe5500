import type { PageChannel } from '../../src/page-api/page-api.ts';
import { plainText } from '../message/plain-text.ts';
import { isPresent } from '../model/app-user.ts';
import { channelTitle } from '../model/channel-title.ts';
import { isSlackbot } from '../model/is-slackbot.ts';
import { usePage } from '../model/page-context.ts';
import type { PageWorld } from '../model/page-model.ts';
import type { FieldElement } from './field-element.ts';

export interface PickerOption {
  value: string;
  label: string;
  detail?: string;
  group?: string;
}

/** The options of a select: the app's own, or the people and conversations of the workspace. */
export function usePickerOptions(element: FieldElement): PickerOption[] {
  const { world } = usePage();
  switch (element.type) {
    case 'static_select':
    case 'multi_static_select':
      return [
        ...(element.options ?? []).map((option) => toPickerOption(option)),
        ...(element.option_groups ?? []).flatMap(({ label, options }) =>
          options.map((option) => ({ ...toPickerOption(option), group: plainText(label) })),
        ),
      ];
    case 'users_select':
    case 'multi_users_select':
      return world.users
        .filter((user) => !isSlackbot(user) && isPresent(user, world))
        .map((user) => ({
          value: user.id,
          label: user.realName || user.name,
          ...(user.isBot && { detail: 'app' }),
        }));
    case 'channels_select':
    case 'multi_channels_select':
      return conversations(world, ({ kind }) => kind === 'public');
    case 'conversations_select':
    case 'multi_conversations_select':
      return conversations(world, (channel) => matchesFilter(channel, element.filter ?? {}, world));
    default:
      return [];
  }
}

type Option = Parameters<typeof plainText>[0];

const toPickerOption = ({
  text,
  value = '',
  description,
}: {
  text: Option;
  value?: string;
  description?: Option;
}) => ({
  value,
  label: plainText(text),
  ...(description && { detail: plainText(description) }),
});

const conversations = (world: PageWorld, accepts: (channel: PageChannel) => boolean): PickerOption[] =>
  world.channels
    .filter((channel) => !channel.isArchived && accepts(channel))
    .map((channel) => ({ value: channel.id, label: channelTitle(channel, world) }));

interface Filter {
  include?: ('im' | 'mpim' | 'private' | 'public')[];
  exclude_external_shared_channels?: boolean;
  exclude_bot_users?: boolean;
}

function matchesFilter(channel: PageChannel, filter: Filter, { users }: PageWorld): boolean {
  const kind = channel.kind === 'dm' ? 'im' : channel.kind;
  const members = users.filter(({ id }) => channel.memberIds.includes(id));
  if (filter.include && !filter.include.includes(kind)) return false;
  if (filter.exclude_external_shared_channels && members.some(({ isOutside }) => isOutside)) return false;
  return !(filter.exclude_bot_users && kind === 'im' && members.some(({ isBot }) => isBot));
}
