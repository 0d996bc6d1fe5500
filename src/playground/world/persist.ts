import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isJsonObject, parseJson } from '../json.ts';
import type { Message } from './message.ts';
import type { Store } from './store.ts';

const WRITE_AFTER_MS = 500;

/**
 * Preserves the messages of a store in a file across restarts. An unreadable file is replaced by a new one.
 * A failed write is reported to `onError` and retried after the next change.
 */
export function persistMessages(
  store: Store,
  file: string,
  onError: (error: unknown) => void,
): { close(): void } {
  const saved = readSaved(file);
  // An earlier run wrote the file. Anything that doesn't look like a message is skipped.
  const messages = (Array.isArray(saved) ? saved : []).filter(isMessage) as Message[];
  store.restore(messages.map(withoutContents));

  let timer: NodeJS.Timeout | undefined;
  const write = () => {
    timer = undefined;
    const all = [...store.channels()].flatMap((channel) => store.messages(channel.id));
    try {
      mkdirSync(dirname(file), { recursive: true });
      // The process id prevents two processes from renaming each other's file.
      writeFileSync(`${file}.${process.pid}`, JSON.stringify(all), { mode: 0o600 });
      renameSync(`${file}.${process.pid}`, file);
    } catch (error) {
      onError(error);
    }
  };
  const unsubscribe = store.subscribe(() => {
    timer ??= setTimeout(write, WRITE_AFTER_MS).unref();
  });
  return {
    close() {
      unsubscribe();
      if (!timer) return;
      clearTimeout(timer);
      write();
    },
  };
}

/** File contents exist only in memory. */
function withoutContents(message: Message): Message {
  const files = message.files?.map((file) => ({ ...file, mode: 'tombstone' as const }));
  return files ? { ...message, files } : message;
}

function readSaved(file: string): unknown {
  try {
    return parseJson(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function isMessage(value: unknown): boolean {
  return (
    isJsonObject(value) &&
    [value.ts, value.channelId, value.userId, value.text].every((field) => typeof field === 'string')
  );
}
