import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import type { PageChannel } from '../../src/page-api/page-api.ts';
import { Icon } from '../chrome/icons.tsx';
import { draftKey } from '../model/drafts.ts';
import { useDraft, usePage } from '../model/page-context.ts';
import { AttachButton } from './attach-button.tsx';
import { AttachmentList } from './attachment-list.tsx';
import { Previews } from './previews.tsx';
import { ShortcutMenu } from './shortcut-menu.tsx';
import { SuggestionList } from './suggestion-list.tsx';
import { complete, type Suggestion, suggest, usageOf } from './suggestions.ts';
import { useAttachments } from './use-attachments.ts';

interface Props {
  channel: PageChannel;
  threadTs?: string;
  placeholder: string;
}

/**
 * The field for messages and commands. Enter sends, Shift+Enter breaks the line, arrows select a suggestion,
 * Tab completes it, Escape closes the list.
 */
export function Composer({ channel, threadTs, placeholder }: Props) {
  const { world, say } = usePage();
  const [text, onText] = useDraft(draftKey(world.me.id, channel.id, threadTs));
  const field = useRef<HTMLTextAreaElement>(null);
  const listId = useId();
  const lastSent = useRef('');
  const [caret, setCaret] = useState(0);
  /** Where the caret goes with the text that is being written: a new object for each. */
  const [written, setWritten] = useState<{ at: number }>();
  const [active, setActive] = useState(0);
  const [closed, setClosed] = useState(false);
  const [sending, setSending] = useState<string[]>([]);
  const attachments = useAttachments();
  const found = suggest(text, Math.min(caret, text.length), world);
  const items = closed ? [] : found.items;
  const usage = usageOf(text, world.commands);
  useAutoHeight(field, text);
  useTypingFocus(field, text);

  const write = (next: string, at = next.length) => {
    onText(next);
    setCaret(at);
    setActive(0);
    setClosed(false);
    setWritten({ at });
  };
  // At once: in a later frame it would move the caret of somebody who already types on.
  useLayoutEffect(() => {
    if (written) field.current?.setSelectionRange(written.at, written.at);
  }, [written]);
  const choose = (item: Suggestion) => {
    write(...complete(text, found, item));
    field.current?.focus();
  };
  const send = async () => {
    const line = text.trim();
    const hasFiles = attachments.files.length > 0;
    if (!line && !hasFiles) return;
    const fileIds = hasFiles ? await attachments.upload(world.me.id) : [];
    if (!fileIds) return;
    lastSent.current = line;
    write('');
    setSending((lines) => [...lines, line]);
    const place = { channelId: channel.id, ...(threadTs && { threadTs }) };
    await say({ ...place, text: line, ...(hasFiles && { fileIds }) });
    setSending((lines) => lines.toSpliced(lines.indexOf(line), 1));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const chosen = items[active];
    const act = keyAction(event, chosen !== undefined, text === '');
    if (!act) return;
    event.preventDefault();
    if (act === 'next') setActive((active + 1) % items.length);
    else if (act === 'previous') setActive((active + items.length - 1) % items.length);
    else if (act === 'close') setClosed(true);
    else if (act === 'recall') write(lastSent.current);
    // Enter sends a command that is already complete, as in Slack; Tab only completes.
    else if (act === 'choose' && chosen && (event.key === 'Tab' || chosen.title !== text)) choose(chosen);
    else void send();
  };
  return (
    <div className="composer">
      {items.length > 0 && <SuggestionList id={listId} items={items} active={active} onChoose={choose} />}
      {items.length === 0 && usage && (
        <p className="usage-hint">
          <strong>{usage.command}</strong> {usage.hint}
        </p>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: accepts dropped files; the button does the same. */}
      <div
        className="composer-box"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          attachments.add(event.dataTransfer.files);
        }}
      >
        <Previews userId={world.me.id} text={text} />
        <AttachmentList attachments={attachments} />
        <textarea
          ref={field}
          rows={1}
          value={text}
          placeholder={placeholder}
          aria-label={placeholder}
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={items.length > 0}
          aria-controls={items.length > 0 ? listId : undefined}
          aria-activedescendant={items.length > 0 ? `${listId}-${active}` : undefined}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => {
            onText(event.target.value);
            setCaret(event.target.selectionStart);
            setActive(0);
            setClosed(false);
          }}
          onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
          onKeyDown={onKeyDown}
        />
        <div className="composer-tools">
          <AttachButton onFiles={attachments.add} />
          <ShortcutMenu channelId={channel.id} threadTs={threadTs} />
          {!threadTs && (
            <button
              type="button"
              className="icon-button"
              aria-label="Commands"
              title="Commands"
              onClick={() => {
                write('/');
                field.current?.focus();
              }}
            >
              <Icon name="slash" />
            </button>
          )}
          <output className="composer-note">
            {sending.length > 0 && (
              <>
                <span className="spinner" aria-hidden="true" /> Working on{' '}
                {sending.at(-1)?.split(/\s/)[0] || 'it'} …
              </>
            )}
          </output>
          <button
            type="button"
            className="send"
            aria-label="Send"
            disabled={!text.trim() && attachments.files.length === 0}
            onClick={() => void send()}
          >
            <Icon name="send" />
          </button>
        </div>
      </div>
    </div>
  );
}

type KeyAction = 'next' | 'previous' | 'close' | 'choose' | 'send' | 'recall';

function keyAction(event: KeyboardEvent, hasSuggestions: boolean, isEmpty: boolean): KeyAction | undefined {
  if (hasSuggestions) {
    const inList = {
      ArrowDown: 'next',
      ArrowUp: 'previous',
      Escape: 'close',
      Tab: 'choose',
      Enter: 'choose',
    } as const;
    const { key } = event;
    if (key in inList && !event.shiftKey) return inList[key as keyof typeof inList]; // `in` has just checked it.
  }
  if (event.key === 'Enter' && !event.shiftKey) return 'send';
  if (event.key === 'ArrowUp' && isEmpty) return 'recall';
  return undefined;
}

/** Focuses the field when a channel or an example is opened. On phones, only the example opens the keyboard. */
function useTypingFocus(field: { current: HTMLTextAreaElement | null }, text: string): void {
  // At once: a moment later it would take the focus from where the reader has just put it.
  useLayoutEffect(() => {
    if (matchMedia('(hover: hover)').matches) field.current?.focus({ preventScroll: true });
  }, [field]);
  useEffect(() => {
    if (text && document.activeElement !== field.current) field.current?.focus({ preventScroll: true });
  }, [field, text]);
}

/** Grows with its text, up to the maximum in the style sheet. */
function useAutoHeight(field: { current: HTMLTextAreaElement | null }, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height depends on the text.
  useLayoutEffect(() => {
    if (!field.current) return;
    field.current.style.height = 'auto';
    field.current.style.height = `${field.current.scrollHeight}px`;
  }, [text]);
}
