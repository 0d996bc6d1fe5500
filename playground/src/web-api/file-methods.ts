import { ApiError } from '../blocks/content.ts';
import { isJsonObject, type JsonObject, nonEmptyString, parseJson } from '../json.ts';
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

/** The app sees its own files and those shared in conversations that it is a member of. */
export function visibleFile({ store, files }: MethodContext, id: string): StoredFile | undefined {
  const file = files.find(id);
  const channels = [...(file?.channelIds ?? [])].map((channelId) => store.channel(channelId));
  const isShared = channels.some((channel) => channel && isMember(channel, store));
  return isShared || file?.userId === store.world.app.botUserId ? file : undefined;
}

function info(context: MethodContext, args: JsonObject): JsonObject {
  const file = visibleFile(context, nonEmptyString(args.file) ?? '');
  if (!file) throw new ApiError('file_not_found');
  return { file: fileJson(context, file), comments: [], response_metadata: { next_cursor: '' } };
}

function uploadUrl({ files, store, url }: MethodContext, args: JsonObject): JsonObject {
  const name = nonEmptyString(args.filename);
  const length = Number(args.length);
  if (!name || !(length > 0)) throw new ApiError('missing_argument');
  if (length > MAX_FILE_BYTES) throw new ApiError('file_upload_size_restricted');
  const { file, key } = files.reserve({ userId: store.world.app.botUserId, name });
  return { upload_url: `${url()}/upload/v1/${key}`, file_id: file.id };
}

function complete(context: MethodContext, args: JsonObject): JsonObject {
  const { store } = context;
  const files = filesOf(context, args.files);
  const channel = nonEmptyString(args.channel_id) ?? nonEmptyString(args.channels);
  if (channel) {
    const { id: channelId } = writableChannel(context, channel);
    const threadTs = threadOf(context, channelId, args.thread_ts);
    for (const file of files) file.channelIds.add(channelId);
    const comment = { text: nonEmptyString(args.initial_comment) ?? '', blocks: args.blocks };
    store.post({
      channelId,
      userId: store.world.app.botUserId,
      botId: store.world.app.botId,
      ...(comment.text || comment.blocks ? context.readContent(comment) : { text: '' }),
      ...(threadTs ? { threadTs } : {}),
      files: files.map((file) => fileJson(context, file)),
    });
  }
  return { files: files.map((file) => fileJson(context, file)) };
}

/** The files to share: only those that the app itself has uploaded completely. */
function filesOf({ files, store }: MethodContext, value: unknown): StoredFile[] {
  const list = typeof value === 'string' ? parseJson(value) : value;
  if (!Array.isArray(list) || list.length === 0) throw new ApiError('invalid_arguments');
  return list.filter(isJsonObject).map(({ id, title }) => {
    const file = files.find(String(id));
    if (!file?.content || file.userId !== store.world.app.botUserId) throw new ApiError('file_not_found');
    file.title = nonEmptyString(title) ?? file.name;
    return file;
  });
}

function fileJson({ store, url }: MethodContext, file: StoredFile): SharedFile {
  return apiFile(file, { world: store.world, base: url() });
}
