import { Fragment, type ReactNode, useMemo, useState } from 'react';
import type { PageMessage } from '../../page-api/page-api.ts';
import { Icon } from '../chrome/icons.tsx';
import { usePage } from '../model/page-context.ts';
import { messageKey, type Notice } from '../model/page-model.ts';
import { dayLabel } from '../model/time.ts';
import { Divider } from './divider.tsx';
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
  /** In a thread's pane: replies are not offered, and the first message is the thread's. */
  threadTs?: string;
  opening?: ReactNode;
}

/** Drawing a message takes about 5 ms, so older ones are drawn when asked for. */
const DRAWN_AT_ONCE = 100;

/** Messages and notices in order of time, with day and «New» dividers. Stays at the end as it grows. */
export function MessageList({ label, messages, notices, newSince, onCloseNotice, threadTs, opening }: Props) {
  const { zone } = usePage().world.me;
  const rows = useMemo(() => rowsOf(messages, notices, zone), [messages, notices, zone]);
  const [from, setFrom] = useState(() => Math.max(0, rows.length - DRAWN_AT_ONCE));
  const { list, atEnd, toEnd } = useStickToEnd(rows.length);
  return (
    <div className="list-frame">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area is reached by the keyboard. */}
      <div className="list" ref={list} role="log" aria-label={label} tabIndex={0}>
        {from <= 0 ? (
          opening
        ) : (
          <button type="button" className="text-button earlier" onClick={() => setFrom(from - DRAWN_AT_ONCE)}>
            Show earlier messages
          </button>
        )}
        {rows.slice(Math.max(0, from)).map((row, index, drawn) => {
          const before = drawn[index - 1];
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
                  together={!isNew && isGrouped(before, row)}
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
          <Icon name="down" /> Newest
        </button>
      )}
    </div>
  );
}

function Replies({ count }: { count: number }) {
  if (count === 0) return null;
  return <Divider kind="thread">{count === 1 ? '1 reply' : `${count} replies`}</Divider>;
}
