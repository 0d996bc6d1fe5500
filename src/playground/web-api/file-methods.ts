import { ApiError } from '../blocks/content.ts';
import { isJson, type Json, parseJson, stringOf } from '../json.ts';
import { apiFile, MAX_FILE_BYTES, type SharedFile, type StoredFile } from '../world/files.ts';
import { isMember, type Method, type MethodContext, threadOf, writableChannel } from './method.ts';

export function fileMethods(context: MethodContext): Record<string, Method> {
  return {
    'files.info': { token: 'bot', scopes: ['files:read'], run: (args) => info(context, args) },
    'files.getUploadURLExternal': {
      token: 'bot',
      scopes: ['files:write'],
      run: (args) => uploadUrl(context, args),
    },
    'files.completeUploadExternal': {
      token: 'bot',
      scopes: ['files:write'],
      run: (args) => complete(context, args),
    },
  };
}

/** The app sees its own files, and those shared where it is a member. */
export function visibleFile({ store, files }: MethodContext, id: string): StoredFile | undefined {
  const file = files.find(id);
  const rooms = [...(file?.channelIds ?? [])].map((channelId) => store.channel(channelId));
  const isShared = rooms.some((channel) => channel && isMember(channel, store));
  return isShared || file?.userId === store.world.app.botUserId ? file : undefined;
}

function info(context: MethodContext, args: Json): Json {
  const file = visibleFile(context, stringOf(args.file) ?? '');
  if (!file) throw new ApiError('file_not_found');
  return { file: shown(context, file), comments: [], response_metadata: { next_cursor: '' } };
}

function uploadUrl({ files, store, url }: MethodContext, args: Json): Json {
  const name = stringOf(args.filename);
  const length = Number(args.length);
  if (!name || !(length > 0)) throw new ApiError('missing_argument');
  if (length > MAX_FILE_BYTES) throw new ApiError('file_upload_size_restricted');
  const { file, key } = files.expect({ userId: store.world.app.botUserId, name });
  return { upload_url: `${url()}/upload/v1/${key}`, file_id: file.id };
}

function complete(context: MethodContext, args: Json): Json {
  const { store } = context;
  const files = filesOf(context, args.files);
  const channel = stringOf(args.channel_id) ?? stringOf(args.channels);
  if (channel) {
    const { id: channelId } = writableChannel(context, channel);
    const threadTs = threadOf(context, channelId, args.thread_ts);
    for (const file of files) file.channelIds.add(channelId);
    const comment = { text: stringOf(args.initial_comment) ?? '', blocks: args.blocks };
    store.post({
      channelId,
      userId: store.world.app.botUserId,
      botId: store.world.app.botId,
      ...(comment.text || comment.blocks ? context.readContent(comment) : { text: '' }),
      ...(threadTs ? { threadTs } : {}),
      files: files.map((file) => shown(context, file)),
    });
  }
  return { files: files.map((file) => shown(context, file)) };
}

/** Only what the app itself has uploaded, and whole. */
function filesOf({ files, store }: MethodContext, value: unknown): StoredFile[] {
  const list = typeof value === 'string' ? parseJson(value) : value;
  if (!Array.isArray(list) || list.length === 0) throw new ApiError('invalid_arguments');
  return list.filter(isJson).map(({ id, title }) => {
    const file = files.find(String(id));
    if (!file?.content || file.userId !== store.world.app.botUserId) throw new ApiError('file_not_found');
    file.title = stringOf(title) ?? file.name;
    return file;
  });
}

function shown({ store, url }: MethodContext, file: StoredFile): SharedFile {
  return apiFile(file, { world: store.world, base: url() });
}
