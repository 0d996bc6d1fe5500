import { getMimeType } from 'hono/utils/mime';
import { randomId, randomSecret } from '../ids.ts';
import type { JsonObject } from '../json.ts';
import type { World } from './world.ts';

export interface StoredFile {
  id: string;
  name: string;
  title: string;
  mimetype: string;
  userId: string;
  createdAt: number;
  size: number;
  /** Undefined before the upload, and after newer files have displaced it. */
  content: Buffer | undefined;
  channelIds: Set<string>;
}

export interface NewFile {
  userId: string;
  name: string;
  content: Buffer;
}

export interface FileStore {
  add(file: NewFile): StoredFile;
  /** Reserves a file and the key under which the app will upload it. */
  reserve(file: Omit<NewFile, 'content'>): { file: StoredFile; key: string };
  fill(key: string, content: Buffer): StoredFile | undefined;
  find(id: string): StoredFile | undefined;
}

/** The limit for one upload; Slack's own is 1 GB. */
export const MAX_FILE_BYTES = 100 * 1024 * 1024;

/** Files in memory. Only the newest contents are stored, up to `maxBytes` in total. */
export function createFileStore(options: { now: () => number; maxBytes: number }): FileStore {
  const files = new Map<string, StoredFile>();
  const reserved = new Map<string, StoredFile>();

  function create({ userId, name }: Omit<NewFile, 'content'>): StoredFile {
    const file: StoredFile = {
      id: randomId('F'),
      name,
      title: name,
      mimetype: getMimeType(name)?.split(';')[0] ?? 'application/octet-stream',
      userId,
      createdAt: options.now(),
      size: 0,
      content: undefined,
      channelIds: new Set(),
    };
    files.set(file.id, file);
    return file;
  }

  function store(file: StoredFile, content: Buffer): StoredFile {
    file.content = content;
    file.size = content.length;
    let storedBytes = content.length;
    for (const older of [...files.values()].reverse()) {
      if (older === file || !older.content) continue;
      storedBytes += older.content.length;
      if (storedBytes > options.maxBytes) older.content = undefined;
    }
    return file;
  }

  return {
    add: ({ content, ...file }) => store(create(file), content),
    reserve(details) {
      const file = create(details);
      const key = randomSecret();
      reserved.set(key, file);
      return { file, key };
    },
    fill(key, content) {
      const file = reserved.get(key);
      reserved.delete(key);
      return file && store(file, content);
    },
    find: (id) => files.get(id),
  };
}

/** Shares a user's own files in a channel. Undefined if one of them isn't theirs or is no longer stored. */
export function createSharing(options: { files: FileStore; world: World; base: () => string }) {
  return (userId: string, channelId: string, fileIds: string[]): SharedFile[] | undefined => {
    const found = fileIds.map((id) => options.files.find(id));
    if (!found.every((file) => file?.content && file.userId === userId)) return undefined;
    return found.flatMap((file) => {
      file?.channelIds.add(channelId);
      return file ? [apiFile(file, { world: options.world, base: options.base() })] : [];
    });
  };
}

/** A file as in messages, events and `files.info`; `base` is the workspace's URL. */
export function apiFile(file: StoredFile, { world, base }: { world: World; base: string }): SharedFile {
  const { id, name, title, mimetype, size, userId } = file;
  const created = Math.floor(file.createdAt / 1000);
  const path = `${base}/files-pri/${world.team.id}-${id}`;
  const safeName = encodeURIComponent(name);
  return {
    id,
    created,
    timestamp: created,
    name,
    title,
    mimetype,
    filetype: /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? 'binary',
    user: userId,
    user_team: world.team.id,
    size,
    mode: file.content ? 'hosted' : 'tombstone',
    file_access: 'visible',
    is_external: false,
    is_public: false,
    editable: false,
    url_private: `${path}/${safeName}`,
    url_private_download: `${path}/download/${safeName}`,
    permalink: `${base}/files/${userId}/${id}/${safeName}`,
  };
}

/** Slack's file object. Only the fields used here are typed. */
export type SharedFile = JsonObject & {
  id: string;
  name: string;
  title: string;
  mimetype: string;
  size: number;
  /** `tombstone`: its content is no longer stored. */
  mode: 'hosted' | 'tombstone';
};
