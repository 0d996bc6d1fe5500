import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isJson, parseJson } from '../json.ts';
import type { Message } from './message.ts';
import type { Store } from './store.ts';

const WRITE_AFTER_MS = 500;

/**
 * Keeps the messages of a store in one file across restarts. A file that can't be read is begun anew; what
 * can't be written is told to `failed`, and tried again with the next change.
 */
export function keepMessages(
  store: Store,
  file: string,
  failed: (error: unknown) => void,
): { close(): void } {
  const saved = readSaved(file);
  // Written by this function; what does not look like a message is left out.
  const messages = (Array.isArray(saved) ? saved : []).filter(isMessage) as Message[];
  store.restore(messages.map(withoutContents));

  let timer: NodeJS.Timeout | undefined;
  const write = () => {
    timer = undefined;
    const all = [...store.channels()].flatMap((channel) => store.messages(channel.id));
    try {
      mkdirSync(dirname(file), { recursive: true });
      // A name of its own: another process on this directory would else rename it away.
      writeFileSync(`${file}.${process.pid}`, JSON.stringify(all));
      renameSync(`${file}.${process.pid}`, file);
    } catch (error) {
      failed(error);
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

/** The contents of files are in memory only. */
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
    isJson(value) &&
    [value.ts, value.channelId, value.userId, value.text].every((field) => typeof field === 'string')
  );
}
