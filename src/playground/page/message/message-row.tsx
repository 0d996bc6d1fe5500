import { memo } from 'react';
import type { PageMessage, PageUser } from '../../page-api/page-api.ts';
import { Avatar } from '../chrome/avatar.tsx';
import { Icon } from '../chrome/icons.tsx';
import { ShortcutMenu } from '../composer/shortcut-menu.tsx';
import { usePage } from '../model/page-context.ts';
import { clockTime, fullTime, tsToMs } from '../model/time.ts';
import { MessageBody } from './message-body.tsx';

interface Props {
  message: PageMessage;
  /** True if it follows a message of the same person: then it has no picture and no name. */
  grouped: boolean;
  inThread: boolean;
}

/** One message with its author, its time and its tools. */
export const MessageRow = memo(function MessageRow({ message, grouped, inThread }: Props) {
  const { world, dismiss, openThread } = usePage();
  const user = world.users.find(({ id }) => id === message.userId);
  const name = user?.realName || user?.name || message.userId;
  const ephemeral = message.ephemeralTo !== undefined;
  const threaded = !ephemeral && !inThread;
  return (
    <article
      className={`message${grouped ? ' grouped' : ''}${ephemeral ? ' ephemeral' : ''}`}
      aria-label={name}
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
      <div className="message-side">{grouped ? <Time ts={message.ts} /> : <Avatar user={user} />}</div>
      <div className="message-main">
        {!grouped && <Head user={user} name={name} ts={message.ts} />}
        <MessageBody message={message} />
        {ephemeral && (
          <button type="button" className="link-button dismiss" onClick={() => dismiss(message)}>
            Dismiss message
          </button>
        )}
        {threaded && (message.replyCount ?? 0) > 0 && (
          <button type="button" className="replies" onClick={() => openThread(message.ts)}>
            {message.replyCount === 1 ? '1 reply' : `${message.replyCount} replies`}
            <span aria-hidden="true">View thread</span>
          </button>
        )}
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

function Head({ user, name, ts }: { user: PageUser | undefined; name: string; ts: string }) {
  return (
    <header className="message-head">
      <span className="message-name">{name}</span>
      {user?.isBot && <span className="app-badge">App</span>}
      {user?.isOutside && <span className="outside-badge">other organisation</span>}
      <Time ts={ts} />
    </header>
  );
}

function Time({ ts }: { ts: string }) {
  const { zone } = usePage().world.me;
  const ms = tsToMs(ts);
  return (
    <time className="message-time" dateTime={new Date(ms).toISOString()} title={fullTime(ms, zone)}>
      {clockTime(ms, zone)}
    </time>
  );
}
