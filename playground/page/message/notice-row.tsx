import { Icon } from '../chrome/icons.tsx';
import type { Notice } from '../model/notice.ts';
import { usePage } from '../model/page-context.ts';
import { clockTime } from '../model/time.ts';

/** A message that Slack itself would show to this reader only, such as a failed command. */
export function NoticeRow({ notice, onClose }: { notice: Notice; onClose: () => void }) {
  const { zone } = usePage().world.me;
  return (
    <article className="message ephemeral" aria-label="Slackbot">
      <p className="message-above">
        <Icon name="eye" /> Only visible to you
      </p>
      <div className="message-side">
        <span className="slackbot" aria-hidden="true">
          <Icon name="warn" />
        </span>
      </div>
      <div className="message-main">
        <header className="message-head">
          <span className="message-name">Slackbot</span>
          <time className="message-time" dateTime={new Date(notice.shownAt).toISOString()}>
            {clockTime(notice.shownAt, zone)}
          </time>
        </header>
        <p className="notice-text" role="alert">
          {notice.text}
        </p>
        <button type="button" className="link-button dismiss" onClick={onClose}>
          Dismiss message
        </button>
      </div>
    </article>
  );
}
