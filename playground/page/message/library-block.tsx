import type { KnownBlock } from '@slack/types';
import { type ComponentProps, memo, type ReactNode, useMemo } from 'react';
import { Message } from 'slack-blocks-to-jsx';
import { type Page, usePage } from '../model/page-context.ts';
import { useWorldTime } from '../model/world-time.ts';
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
  date: ({ timestamp, format, fallback }) => (
    <DateToken seconds={Number(timestamp)} pattern={format} zone={me.zone} fallback={fallback} />
  ),
  link: ({ href, children, className }) => (
    <Link href={href} className={className}>
      {children}
    </Link>
  ),
});

/** A link to a message opens it here; any other one, or one that is opened by Ctrl or ⌘, a new tab. */
function Link({ href, children, className }: { href: string; children: ReactNode; className: string }) {
  const { openLink } = usePage();
  return (
    <a
      href={href}
      className={className}
      target="_blank"
      rel="noreferrer noopener"
      onClick={(event) => {
        if (!event.ctrlKey && !event.metaKey && !event.shiftKey && openLink(href)) event.preventDefault();
      }}
    >
      {children}
    </a>
  );
}

interface DateTokenProps {
  seconds: number;
  pattern: string;
  zone: string;
  fallback: string;
}

/** `today` and `tomorrow` follow the clock of the world. */
function DateToken({ fallback, ...token }: DateTokenProps) {
  const { now } = useWorldTime();
  return <time title={fallback}>{formatDateToken({ ...token, now: now() })}</time>;
}
