import { memo } from 'react';
import type { PageMessage, PageUser } from '../../src/page-api/page-api.ts';
import { RootStatus } from '../agent/status.tsx';
import { Avatar } from '../chrome/avatar.tsx';
import { Icon } from '../chrome/icons.tsx';
import { ShortcutMenu } from '../composer/shortcut-menu.tsx';
import { usePage } from '../model/page-context.ts';
import { clockTime, dayAndTime, dayOf, fullTime, shownAt } from '../model/time.ts';
import { useFromNow, useWorldTime } from '../model/world-time.ts';
import { MessageBody } from './message-body.tsx';

interface Props {
  message: PageMessage;
  /** True if it follows a message of the same person: then it has no picture and no name. */
  grouped: boolean;
  inThread: boolean;
  /** In its thread, in milliseconds. */
  lastReplyAt: number | undefined;
  hasNewReplies: boolean | undefined;
}

/** One message with its author, its time and its tools. */
export const MessageRow = memo(function MessageRow(props: Props) {
  const { message, grouped, inThread, lastReplyAt, hasNewReplies } = props;
  const { world, dismiss, openThread } = usePage();
  const user = world.users.find(({ id }) => id === message.userId);
  const name = user?.realName || user?.name || message.userId;
  const ephemeral = message.ephemeralTo !== undefined;
  const threaded = !ephemeral && !inThread;
  return (
    <article
      className={`message${grouped ? ' grouped' : ''}${ephemeral ? ' ephemeral' : ''}`}
      aria-label={name}
      // A tap gives it the focus, which shows its tools.
      tabIndex={-1}
    >
      {ephemeral && (
        <p className="message-above">
          <Icon name="eye" /> Only visible to you
        </p>
      )}
      {message.broadcast && !inThread && (
        <p className="message-above">
          <Icon name="reply" /> replied to a thread:{' '}
          <button type="button" className="link-button" onClick={() => openThread(message.threadTs)}>
            View thread
          </button>
        </p>
      )}
      <div className="message-side">{grouped ? <Time ms={shownAt(message)} /> : <Avatar user={user} />}</div>
      <div className="message-main">
        {!grouped && <Head user={user} name={name} ms={shownAt(message)} inThread={inThread} />}
        <MessageBody message={message} />
        {ephemeral && (
          <button type="button" className="link-button dismiss" onClick={() => dismiss(message)}>
            Dismiss message
          </button>
        )}
        {threaded && (message.replyCount ?? 0) > 0 && (
          <button type="button" className="replies" onClick={() => openThread(message.ts)}>
            {hasNewReplies && <strong className="replies-new">New</strong>}
            {message.replyCount === 1 ? '1 reply' : `${message.replyCount} replies`}
            {lastReplyAt !== undefined && <LastReply ms={lastReplyAt} />}
          </button>
        )}
        {threaded && <RootStatus message={message} />}
      </div>
      {!ephemeral && (
        <div className="message-tools">
          {threaded && (
            <button
              type="button"
              className="icon-button"
              aria-label="Reply in thread"
              title="Reply in thread"
              onClick={() => openThread(message.threadTs ?? message.ts)}
            >
              <Icon name="reply" />
            </button>
          )}
          <ShortcutMenu channelId={message.channelId} messageTs={message.ts} threadTs={message.threadTs} />
        </div>
      )}
    </article>
  );
});

interface HeadProps {
  user: PageUser | undefined;
  name: string;
  ms: number;
  inThread: boolean;
}

function Head({ user, name, ms, inThread }: HeadProps) {
  return (
    <header className="message-head">
      <span className="message-name">{name}</span>
      {user?.isBot && <span className="app-badge">App</span>}
      {user?.isOutside && <span className="outside-badge">other organisation</span>}
      {inThread ? <DayAndTime ms={ms} /> : <Time ms={ms} />}
    </header>
  );
}

function LastReply({ ms }: { ms: number }) {
  const { zone } = usePage().world.me;
  const { now } = useWorldTime();
  useFromNow((at) => dayOf(at, zone));
  return <span>Last reply {dayAndTime(ms, zone, now())}</span>;
}

function DayAndTime({ ms }: { ms: number }) {
  const { zone } = usePage().world.me;
  const { now } = useWorldTime();
  useFromNow((at) => dayOf(at, zone)); // After midnight it has a day.
  return <Time ms={ms}>{dayAndTime(ms, zone, now())}</Time>;
}

function Time({ ms, children }: { ms: number; children?: string }) {
  const { zone } = usePage().world.me;
  return (
    <time className="message-time" dateTime={new Date(ms).toISOString()} title={fullTime(ms, zone)}>
      {children ?? clockTime(ms, zone)}
    </time>
  );
}
