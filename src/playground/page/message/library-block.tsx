import type { KnownBlock } from '@slack/types';
import { type ComponentProps, memo, useMemo } from 'react';
import { Message } from 'slack-blocks-to-jsx';
import { type Page, usePage } from '../model/page-context.ts';
import { formatDateToken } from './date-token.ts';
import { renderable } from './renderable.ts';

/** A block rendered by slack-blocks-to-jsx, with names, time zone and theme of the page. */
export const LibraryBlock = memo(function LibraryBlock({ block }: { block: KnownBlock }) {
  const { world, theme } = usePage();
  const blocks = useMemo(() => [renderable(block)], [block]);
  return (
    <Message
      // The library has its own types for the same blocks.
      blocks={blocks as ComponentProps<typeof Message>['blocks']}
      data={{ users: world.users, channels: world.channels }}
      hooks={hooksFor(world)}
      theme={theme}
      withoutWrapper
      logo=""
      name=""
    />
  );
});

const hooksFor = ({
  users,
  channels,
  me,
}: Page['world']): NonNullable<ComponentProps<typeof Message>['hooks']> => ({
  user: ({ id }) => <span className="mention">@{users.find((user) => user.id === id)?.name ?? id}</span>,
  channel: ({ id }) => {
    const [channelId, name] = id.split('|');
    const known = channels.find((channel) => channel.id === channelId)?.name;
    return <span className="mention">#{known ?? name ?? channelId}</span>;
  },
  date: ({ timestamp, format, fallback }) => {
    const text = formatDateToken({
      seconds: Number(timestamp),
      pattern: format,
      zone: me.zone,
      now: Date.now(),
    });
    return <time title={fallback}>{text}</time>;
  },
  link: ({ href, children, className }) => (
    <a href={href} className={className} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  ),
});
