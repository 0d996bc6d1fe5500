import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isJsonObject, type JsonObject, parseJson } from '../json.ts';
import type { Message } from './message.ts';
import type { Store } from './store.ts';

const WRITE_AFTER_MS = 500;

export interface Persistence {
  /** Call this after a change of what `app` returns. */
  changed(): void;
  close(): void;
}

/**
 * Preserves the messages of all workspaces in a file across restarts, and what `app` returns. An unreadable file is
 * replaced by a new one. A failed write is reported to `onError` and retried after the next change.
 */
export function persist(
  stores: readonly Store[],
  file: string,
  options: {
    onError: (error: unknown) => void;
    app?: () => JsonObject;
    /** Called at once with what an earlier run saved of `app`. */
    restoreApp?: (saved: unknown) => void;
  },
): Persistence {
  const saved = readSaved(file);
  // An earlier run wrote the file. Anything that doesn't look like a message is skipped.
  const messages = (Array.isArray(saved.messages) ? saved.messages : []).filter(isMessage) as Message[];
  options.restoreApp?.(saved.app);
  for (const store of stores) store.restore(messages.map(withoutContents));

  let timer: NodeJS.Timeout | undefined;
  const write = () => {
    timer = undefined;
    const all = stores.flatMap((store) =>
      [...store.channels()].flatMap((channel) => store.messages(channel.id)),
    );
    const content = { messages: all, ...(options.app && { app: options.app() }) };
    try {
      mkdirSync(dirname(file), { recursive: true });
      // The process id prevents two processes from renaming each other's file.
      writeFileSync(`${file}.${process.pid}`, JSON.stringify(content), { mode: 0o600 });
      renameSync(`${file}.${process.pid}`, file);
    } catch (error) {
      options.onError(error);
    }
  };
  const changed = () => {
    timer ??= setTimeout(write, WRITE_AFTER_MS).unref();
  };
  const unsubscribes = stores.map((store) => store.subscribe(changed));
  return {
    changed,
    close() {
      for (const unsubscribe of unsubscribes) unsubscribe();
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

function readSaved(file: string): { messages?: unknown; app?: unknown } {
  try {
    const saved = parseJson(readFileSync(file, 'utf8'));
    return isJsonObject(saved) ? saved : {};
  } catch {
    return {};
  }
}

function isMessage(value: unknown): boolean {
  return (
    isJsonObject(value) &&
    [value.ts, value.channelId, value.userId, value.text].every((field) => typeof field === 'string')
  );
}
