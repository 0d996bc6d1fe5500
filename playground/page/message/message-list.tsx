import { memo, type ReactNode, startTransition, useEffect, useMemo, useRef, useState } from 'react';
import type { PageMessage } from '../../src/page-api/page-api.ts';
import { Icon } from '../chrome/icons.tsx';
import type { ListPlace, Notice } from '../model/notice.ts';
import { usePage } from '../model/page-context.ts';
import type { MessagePlace } from '../model/permalink.ts';
import { messageKey } from '../model/shown-messages.ts';
import type { ThreadSummary } from '../model/threads.ts';
import { dayLabel, dayOf } from '../model/time.ts';
import { useFromNow, useWorldTime } from '../model/world-time.ts';
import { LazyRow } from './lazy-row.tsx';
import { MessageRow } from './message-row.tsx';
import { NoticeRow } from './notice-row.tsx';
import { estimatedHeight } from './row-height.ts';
import { isGrouped, rowsOf } from './rows.ts';
import { type NearRows, useNear } from './use-near.ts';
import { useStickToEnd } from './use-stick-to-end.ts';

interface Props {
  label: string;
  messages: PageMessage[];
  notices: Notice[];
  newSince: string | undefined;
  /** The list shows this message when it is set. */
  linked: MessagePlace | undefined;
  /** The list goes to its end when it is set: there is what the reader has sent, and the answer. */
  sent: ListPlace | undefined;
  /** By the `ts` of the first message. */
  threads?: ReadonlyMap<string, ThreadSummary>;
  onCloseNotice: (id: number) => void;
  /** Set in the pane of a thread. There the first message is the parent, and replies have no threads. */
  threadTs?: string;
  intro?: ReactNode;
  /** Below the last message. */
  outro?: ReactNode;
}

/** Rows that the list has at first, and those that it gets in each task after that. */
const FIRST_ROWS = 60;
const MORE_ROWS = 200;

/** Messages and notices in chronological order, with dividers. Stays scrolled to the end as it grows. */
export const MessageList = memo(function MessageList(props: Props) {
  const { label, messages, notices, newSince, linked, sent, threads, threadTs } = props;
  const { onCloseNotice, intro, outro } = props;
  const { zone } = usePage().world.me;
  const { now } = useWorldTime();
  useFromNow((ms) => dayOf(ms, zone)); // After midnight, “Today” is “Yesterday”.
  const rows = useMemo(() => rowsOf(messages, notices, zone), [messages, notices, zone]);
  const from = useGrowingStart(rows.length);
  const isRendered = (ts: string | undefined) =>
    rows.findIndex((row) => 'message' in row && row.message.ts === ts) >= from;
  // As in Slack, a list opens at what is new.
  const [newAtOpening] = useState(newSince);
  const target = linked?.ts ?? newAtOpening;
  const { list, content, atEnd, toEnd } = useStickToEnd(
    rows.length,
    useMemo(() => (target === undefined ? undefined : { ts: target, linked }), [target, linked]),
    isRendered(target),
  );
  const followed = useRef(sent);
  useEffect(() => {
    if (followed.current === sent) return;
    followed.current = sent;
    if (sent) toEnd();
  });
  const near = useNear(list);
  // Those that are added to a list in view are in sight at once.
  const [isOpening, setIsOpening] = useState(true);
  useEffect(() => setIsOpening(false), []);
  return (
    <div className="list-frame">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard. */}
      <div className="list" ref={list} role="log" aria-label={label} tabIndex={0} data-at-end={atEnd}>
        <div className="list-content" ref={content}>
          {from === 0 && intro}
          {rows.slice(from).map((row, index, rendered) => {
            const before = rendered[index - 1];
            const isNew = 'message' in row && row.message.ts === newSince;
            const isParent = 'message' in row && row.message.ts === threadTs;
            return (
              <ListRow
                key={'message' in row ? messageKey(row.message) : `notice:${row.notice.id}`}
                {...('message' in row ? { message: row.message } : { notice: row.notice })}
                near={near}
                startsNear={!isOpening && index >= rendered.length - 3}
                day={row.day !== before?.day && !threadTs ? dayLabel(row.shownAt, zone, now()) : undefined}
                isNew={isNew}
                isLinked={'message' in row && row.message.ts === linked?.ts}
                {...('message' in row && threads?.get(row.message.ts))}
                grouped={!isNew && isGrouped(before, row)}
                inThread={threadTs !== undefined}
                replies={isParent ? messages.length - 1 : 0}
                onCloseNotice={onCloseNotice}
              />
            );
          })}
          {outro}
        </div>
      </div>
      {!atEnd && (
        <button type="button" className="to-end" onClick={toEnd}>
          <Icon name="down" /> Latest messages
        </button>
      )}
    </div>
  );
});

/** The first row that the list has: older ones follow in portions, after those at the end. */
function useGrowingStart(count: number): number {
  const [from, setFrom] = useState(() => Math.max(0, count - FIRST_ROWS));
  useEffect(() => {
    if (from === 0) return;
    const frame = requestAnimationFrame(() =>
      startTransition(() => setFrom((start) => Math.max(0, start - MORE_ROWS))),
    );
    return () => cancelAnimationFrame(frame);
  }, [from]);
  return from;
}

interface ListRowProps {
  message?: PageMessage;
  notice?: Notice;
  near: NearRows;
  startsNear: boolean;
  /** The label of the divider above it. */
  day: string | undefined;
  isNew: boolean;
  isLinked: boolean;
  lastReplyAt?: number;
  hasNewReplies?: boolean;
  grouped: boolean;
  inThread: boolean;
  /** The number in the divider below it. */
  replies: number;
  onCloseNotice: (id: number) => void;
}

const ListRow = memo(function ListRow(props: ListRowProps) {
  const { message, notice, near, startsNear, day, isNew, isLinked, replies, onCloseNotice } = props;
  const { grouped, inThread, lastReplyAt, hasNewReplies } = props;
  return (
    <>
      {day !== undefined && <Divider kind="day">{day}</Divider>}
      {isNew && <Divider kind="new">New</Divider>}
      {message && (
        <LazyRow
          near={near}
          startsNear={startsNear}
          estimatedPx={estimatedHeight(message)}
          text={message.text}
          ts={message.ts}
          isLinked={isLinked}
          render={() => (
            <MessageRow
              message={message}
              grouped={grouped}
              inThread={inThread}
              lastReplyAt={lastReplyAt}
              hasNewReplies={hasNewReplies}
            />
          )}
        />
      )}
      {notice && <NoticeRow notice={notice} onClose={() => onCloseNotice(notice.id)} />}
      {replies > 0 && <Divider kind="thread">{replies === 1 ? '1 reply' : `${replies} replies`}</Divider>}
    </>
  );
});

/** A line across the list with a label: a day, "New", or the number of replies. */
function Divider({ kind, children }: { kind: 'day' | 'new' | 'thread'; children: ReactNode }) {
  return (
    <div className={`divider divider-${kind}`}>
      <span>{children}</span>
    </div>
  );
}
