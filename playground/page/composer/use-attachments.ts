import { useState } from 'react';
import { api } from '../model/api.ts';

interface Attachment {
  /** Unique within this composer. */
  key: number;
  file: File;
}

export interface Attachments {
  files: Attachment[];
  /** Why the last upload failed. */
  error: string | undefined;
  add: (files: Iterable<File>) => void;
  remove: (key: number) => void;
  /** Uploads all files. If one fails, resolves with undefined and all stay attached. */
  upload: (userId: string) => Promise<string[] | undefined>;
}

const MAX_ATTACHMENTS = 10;

/** The files attached to the unsent message. They are uploaded when it is sent. */
export function useAttachments(): Attachments {
  const [files, setFiles] = useState<Attachment[]>([]);
  const [error, setError] = useState<string>();
  const [nextKey, setNextKey] = useState(1);
  return {
    files,
    error,
    add(added) {
      const fresh = [...added].map((file, index) => ({ key: nextKey + index, file }));
      setNextKey(nextKey + fresh.length);
      setFiles((before) => [...before, ...fresh].slice(0, MAX_ATTACHMENTS));
      setError(undefined);
    },
    remove: (key) => setFiles((before) => before.filter((attachment) => attachment.key !== key)),
    async upload(userId) {
      const ids: string[] = [];
      for (const { file } of files) {
        const reply = await api
          .upload(userId, file)
          .catch((reason: Error) => ({ ok: false as const, error: reason.message }));
        if (!reply.ok) {
          setError(`${file.name}: ${reply.error}`);
          return undefined;
        }
        ids.push(reply.fileId);
      }
      setFiles([]);
      setError(undefined);
      return ids;
    },
  };
}
