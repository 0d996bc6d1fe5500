import { getMimeType } from 'hono/utils/mime';
import { randomId, randomSecret } from '../ids.ts';
import type { Json } from '../json.ts';
import type { World } from './world.ts';

export interface StoredFile {
  id: string;
  name: string;
  title: string;
  mimetype: string;
  userId: string;
  createdAt: number;
  size: number;
  /** Undefined before the app has sent it, and once too much has come after it. */
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
  /** A file that is to come under this key, as the app uploads them. */
  expect(file: Omit<NewFile, 'content'>): { file: StoredFile; key: string };
  fill(key: string, content: Buffer): StoredFile | undefined;
  find(id: string): StoredFile | undefined;
}

/** A whole upload may be this large; Slack's own bound is 1 GB. */
export const MAX_FILE_BYTES = 100 * 1024 * 1024;

/** Files in memory: the contents of the newest ones, `keepBytes` in all. */
export function createFileStore(options: { now: () => number; keepBytes: number }): FileStore {
  const files = new Map<string, StoredFile>();
  const expected = new Map<string, StoredFile>();

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
    let held = content.length;
    for (const older of [...files.values()].reverse()) {
      if (older === file || !older.content) continue;
      held += older.content.length;
      if (held > options.keepBytes) older.content = undefined;
    }
    return file;
  }

  return {
    add: ({ content, ...file }) => store(create(file), content),
    expect(about) {
      const file = create(about);
      const key = randomSecret();
      expected.set(key, file);
      return { file, key };
    },
    fill(key, content) {
      const file = expected.get(key);
      expected.delete(key);
      return file && store(file, content);
    },
    find: (id) => files.get(id),
  };
}

/** Marks this user's own files as shared in a channel; undefined where one of them is not theirs, or gone. */
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

/** A file as messages, events and `files.info` show it; `base` is the workspace's address. */
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

/** Slack's own shape of a file, with what is read here typed. */
export type SharedFile = Json & {
  id: string;
  name: string;
  title: string;
  mimetype: string;
  size: number;
  /** `tombstone`: its content is gone. */
  mode: 'hosted' | 'tombstone';
};
