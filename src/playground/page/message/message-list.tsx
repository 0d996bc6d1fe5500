import { Fragment, type ReactNode, useMemo, useState } from 'react';
import type { PageMessage } from '../../page-api/page-api.ts';
import { Icon } from '../chrome/icons.tsx';
import { usePage } from '../model/page-context.ts';
import { messageKey, type Notice } from '../model/page-model.ts';
import { dayLabel } from '../model/time.ts';
import { MessageRow } from './message-row.tsx';
import { NoticeRow } from './notice-row.tsx';
import { isGrouped, rowsOf } from './rows.ts';
import { useStickToEnd } from './use-stick-to-end.ts';

interface Props {
  label: string;
  messages: PageMessage[];
  notices: Notice[];
  newSince: string | undefined;
  onCloseNotice: (id: number) => void;
  /** Set in the pane of a thread. There the first message is the parent, and replies have no threads. */
  threadTs?: string;
  intro?: ReactNode;
}

/** Rendering a message takes about 5 ms, so older ones are rendered on demand. */
const BATCH_SIZE = 100;

/** Messages and notices in chronological order, with dividers. Stays scrolled to the end as it grows. */
export function MessageList({ label, messages, notices, newSince, onCloseNotice, threadTs, intro }: Props) {
  const { zone } = usePage().world.me;
  const rows = useMemo(() => rowsOf(messages, notices, zone), [messages, notices, zone]);
  const [from, setFrom] = useState(() => Math.max(0, rows.length - BATCH_SIZE));
  const { list, atEnd, toEnd } = useStickToEnd(rows.length);
  return (
    <div className="list-frame">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard. */}
      <div className="list" ref={list} role="log" aria-label={label} tabIndex={0}>
        {from <= 0 ? (
          intro
        ) : (
          <button type="button" className="text-button earlier" onClick={() => setFrom(from - BATCH_SIZE)}>
            Show earlier messages
          </button>
        )}
        {rows.slice(Math.max(0, from)).map((row, index, rendered) => {
          const before = rendered[index - 1];
          const isNew = 'message' in row && row.message.ts === newSince;
          return (
            <Fragment key={'message' in row ? messageKey(row.message) : `notice:${row.notice.id}`}>
              {row.day !== before?.day && !threadTs && (
                <Divider kind="day">{dayLabel(row.at, zone, Date.now())}</Divider>
              )}
              {isNew && <Divider kind="new">New</Divider>}
              {'message' in row ? (
                <MessageRow
                  message={row.message}
                  grouped={!isNew && isGrouped(before, row)}
                  inThread={threadTs !== undefined}
                />
              ) : (
                <NoticeRow notice={row.notice} onClose={() => onCloseNotice(row.notice.id)} />
              )}
              {'message' in row && row.message.ts === threadTs && <Replies count={messages.length - 1} />}
            </Fragment>
          );
        })}
      </div>
      {!atEnd && (
        <button type="button" className="to-end" onClick={toEnd}>
          <Icon name="down" /> Latest messages
        </button>
      )}
    </div>
  );
}

/** A line across the list with a label: a day, "New", or the number of replies. */
function Divider({ kind, children }: { kind: 'day' | 'new' | 'thread'; children: ReactNode }) {
  return (
    <div className={`divider divider-${kind}`}>
      <span>{children}</span>
    </div>
  );
}

function Replies({ count }: { count: number }) {
  if (count === 0) return null;
  return <Divider kind="thread">{count === 1 ? '1 reply' : `${count} replies`}</Divider>;
}
