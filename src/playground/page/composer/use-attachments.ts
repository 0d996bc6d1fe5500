import { useState } from 'react';
import { api } from '../model/api.ts';

export interface Attachment {
  /** Of the page only. */
  key: number;
  file: File;
}

export interface Attachments {
  files: Attachment[];
  /** What went wrong with the last upload. */
  trouble: string | undefined;
  add: (files: Iterable<File>) => void;
  remove: (key: number) => void;
  /** Sends them all; undefined where one failed, and all stay attached. */
  upload: (userId: string) => Promise<string[] | undefined>;
}

const MOST = 10;

/** The files that wait beside the text. They go to the server when the message is sent. */
export function useAttachments(): Attachments {
  const [files, setFiles] = useState<Attachment[]>([]);
  const [trouble, setTrouble] = useState<string>();
  const [nextKey, setNextKey] = useState(1);
  return {
    files,
    trouble,
    add(added) {
      const fresh = [...added].map((file, index) => ({ key: nextKey + index, file }));
      setNextKey(nextKey + fresh.length);
      setFiles((before) => [...before, ...fresh].slice(0, MOST));
      setTrouble(undefined);
    },
    remove: (key) => setFiles((before) => before.filter((attachment) => attachment.key !== key)),
    async upload(userId) {
      const ids: string[] = [];
      for (const { file } of files) {
        const reply = await api
          .upload(userId, file)
          .catch((error: Error) => ({ ok: false as const, error: error.message }));
        if (!reply.ok) {
          setTrouble(`${file.name}: ${reply.error}`);
          return undefined;
        }
        ids.push(reply.fileId);
      }
      setFiles([]);
      setTrouble(undefined);
      return ids;
    },
  };
}
