import type { Block } from '@slack/types';

/** One request of the bot: a method of the Web API, a post to a response URL, or the answer to a submitted form. */
export interface Recorded {
  method: string;
  args: Record<string, unknown>;
}

/** A message or an answer that people can see, with its buttons. */
export interface SeenMessage {
  channelId: string;
  ts: string;
  threadTs?: string;
  isEphemeral: boolean;
  text: string;
  blocks: readonly Block[];
}

export interface SeenView {
  id: string;
  type: 'modal' | 'home';
  userId: string;
  callback_id: string;
  private_metadata: string;
  hash: string;
  blocks: readonly Block[];
}

export type RecordedSlack = ReturnType<typeof createRecordedSlack>;

export const apiUrl = 'https://slack.test/api/';
const uploadUrl = 'https://slack.test/upload/';

/** In which every workspace has them, with the same ids: two of the workspace, and one shared over Slack Connect. */
export const channels = { ops: 'C0OPS', desk: 'C0DESK', connect: 'C0CONNECT' } as const;
/** With the same ids in each workspace, but with names, rights and zones of their own. */
export const people = { ada: 'U0ADA', ben: 'U0BEN', eve: 'U0EVE' } as const;

/**
 * Slack as one workspace sees it: records every request and holds what people see. Ids and timestamps count up from
 * the same numbers in each workspace, so those of one workspace are valid in another.
 */
export function createRecordedSlack(team: { id: string; admin: string; guest: string; zone: string }) {
  const transcript: Recorded[] = [];
  const messages: SeenMessage[] = [];
  const views: SeenView[] = [];
  /** Channels from which the bot has been removed. */
  const closed = new Set<string>();
  /** Where each response URL was given out. */
  const urls = new Map<string, Pick<SeenMessage, 'channelId' | 'ts' | 'isEphemeral'>>();
  const counts = new Map<string, number>();
  const count = (what: string): number => {
    const next = (counts.get(what) ?? 0) + 1;
    counts.set(what, next);
    return next;
  };
  const tsIn = (channelId: string, { isEphemeral = false } = {}) =>
    isEphemeral
      ? `${1_790_000_000 + count(`ephemeral ${channelId}`)}.000300`
      : `${1_790_000_000 + count(channelId)}.000100`;
  const messageAt = ({ channelId, ts }: Pick<SeenMessage, 'channelId' | 'ts'>) =>
    messages.findIndex((message) => message.channelId === channelId && message.ts === ts);

  function show(message: SeenMessage): void {
    const index = messageAt(message);
    if (index === -1) messages.push(message);
    else messages[index] = message;
    // Messages to several channels may be posted at the same time, so their order says nothing.
    messages.sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
  }

  function showView(view: Partial<SeenView>, known: Pick<SeenView, 'id' | 'type' | 'userId'>): SeenView {
    const { callback_id = '', private_metadata = '', blocks = [] } = view;
    const shown = { ...known, callback_id, private_metadata, blocks, hash: `h${count('hash')}` };
    const index = views.findIndex(({ id }) => id === known.id);
    if (index === -1) views.push(shown);
    else views[index] = shown;
    return shown;
  }

  type Args = Record<string, unknown>;
  type Answer = Record<string, unknown> | string;
  /** By method. A string is an error code. */
  const methods: Record<string, (args: Args) => Answer> = {
    'auth.teams.list': () => (slack.isInstalled ? { teams: [{ id: team.id }] } : 'account_inactive'),
    'auth.test': () => (slack.isInstalled ? { team_id: team.id } : 'account_inactive'),
    'users.info': ({ user }) => ({
      user: {
        id: user,
        team_id: team.id,
        name: `${user} of ${team.id}`,
        tz: team.zone,
        is_admin: user === team.admin,
        is_restricted: user === team.guest,
      },
    }),
    'users.conversations': () => ({
      channels: Object.values(channels)
        .filter((id) => !closed.has(id))
        .map((id) => ({ id })),
    }),
    'conversations.info': ({ channel }) => ({
      channel: {
        id: channel,
        is_im: String(channel).startsWith('D'),
        is_member: !closed.has(String(channel)),
        is_ext_shared: channel === channels.connect,
      },
    }),
    'conversations.open': ({ users }) => ({ channel: { id: directMessageOf(String(users)) } }),
    'conversations.history': () => ({ messages: [] }),
    'conversations.replies': () => ({ messages: [] }),
    'chat.getPermalink': ({ channel, message_ts: ts }) => ({
      permalink: `https://${team.id}.slack.test/${channel}/${ts}`,
    }),
    'chat.postMessage'({ channel, text, blocks, thread_ts: threadTs }) {
      if (closed.has(String(channel))) return 'not_in_channel';
      const channelId = String(channel).startsWith('U') ? directMessageOf(String(channel)) : String(channel);
      const ts = tsIn(channelId);
      const thread = threadTs ? { threadTs: String(threadTs) } : {};
      show({ channelId, ts, ...thread, isEphemeral: false, text: String(text), blocks: blocksOf(blocks) });
      return { ts, channel: channelId };
    },
    'chat.postEphemeral'({ channel, text, blocks }) {
      const ts = tsIn(String(channel), { isEphemeral: true });
      show({
        channelId: String(channel),
        ts,
        isEphemeral: true,
        text: String(text),
        blocks: blocksOf(blocks),
      });
      return { message_ts: ts };
    },
    'chat.update'({ channel, ts, text, blocks }) {
      const index = messageAt({ channelId: String(channel), ts: String(ts) });
      const message = messages[index];
      if (!message) return 'message_not_found';
      messages[index] = { ...message, text: String(text), blocks: blocksOf(blocks) };
      return { ts };
    },
    'chat.delete'({ channel, ts }) {
      const index = messageAt({ channelId: String(channel), ts: String(ts) });
      if (index === -1) return 'message_not_found';
      messages.splice(index, 1);
      return {};
    },
    'views.open': ({ trigger_id, view }) => opened(trigger_id, view),
    'views.push': ({ trigger_id, view }) => opened(trigger_id, view),
    'views.update'({ view_id, view }) {
      const known = views.find(({ id }) => id === view_id);
      if (!known) return 'not_found';
      return { view: showView(view as Partial<SeenView>, known) };
    },
    'views.publish': ({ user_id, view }) => ({
      view: showView(view as Partial<SeenView>, {
        id: `VHOME${user_id}`,
        type: 'home',
        userId: String(user_id),
      }),
    }),
    'files.getUploadURLExternal': () => ({
      upload_url: `${uploadUrl}${team.id}`,
      file_id: `F${count('file')}`,
    }),
    'files.completeUploadExternal': () => ({ files: [] }),
  };

  const opened = (triggerId: unknown, view: unknown): Answer => ({
    // A trigger holds the person who clicked.
    view: showView(view as Partial<SeenView>, {
      id: `V${count('view')}`,
      type: 'modal',
      userId: String(triggerId).split('.')[1] ?? '',
    }),
  });

  const slack = {
    team,
    /** Slack accepts the token. */
    isInstalled: false,
    transcript,
    messages,
    views,
    closed,
    /** Registers a response URL by its path. */
    giveUrl: (path: string, origin: Pick<SeenMessage, 'channelId' | 'ts' | 'isEphemeral'>) =>
      void urls.set(path, origin),
    record: (method: string, args: Record<string, unknown>) => void transcript.push({ method, args }),
    closeView(id: string): void {
      const index = views.findIndex((view) => view.id === id && view.type === 'modal');
      if (index !== -1) views.splice(index, 1);
    },
    /** A method of the Web API. */
    call(method: string, args: Record<string, unknown>): Record<string, unknown> {
      // Asked about outsiders whom the bot doesn't know; nobody sees it.
      if (method !== 'auth.teams.list') transcript.push({ method, args });
      const answer = methods[method]?.(args) ?? 'unknown_method';
      return typeof answer === 'string' ? { ok: false, error: answer } : { ok: true, ...answer };
    },
    /** A post to a response URL. */
    respond(path: string, body: Record<string, unknown>): void {
      transcript.push({ method: `response ${path}`, args: body });
      const origin = urls.get(path);
      if (!origin) return;
      const { text = '', blocks, replace_original, delete_original, response_type, thread_ts } = body;
      if (delete_original) {
        const index = messageAt(origin);
        if (index !== -1) messages.splice(index, 1);
        return;
      }
      const content = { text: String(text), blocks: blocksOf(blocks) };
      const index = messageAt(origin);
      const before = messages[index];
      if (replace_original && before) {
        messages[index] = { ...before, ...content };
        return;
      }
      const { channelId } = origin;
      const isEphemeral = response_type !== 'in_channel';
      const ts = tsIn(channelId, { isEphemeral });
      show({ channelId, ts, isEphemeral, ...(thread_ts ? { threadTs: String(thread_ts) } : {}), ...content });
    },
  };
  return slack;
}

const placeOf = ({ ts, channelId }: SeenMessage): string => `${ts} ${channelId}`;

export const directMessageOf = (userId: string): string => `D${userId.slice(1)}`;

/** Blocks as the bot sent them. */
const blocksOf = (blocks: unknown): readonly Block[] => (Array.isArray(blocks) ? (blocks as Block[]) : []);

/** The `fetch` of the bot: the token says which workspace a request is for. A file goes to an address without one. */
export function slackFetch(slacks: ReadonlyMap<string, RecordedSlack>): typeof globalThis.fetch {
  return async (input, init) => {
    const url = String(input);
    if (url.startsWith(uploadUrl)) {
      slacks.get(url.slice(uploadUrl.length))?.record('upload', { size: await sizeOf(init?.body) });
      return new Response('OK');
    }
    const teamId = new Headers(init?.headers).get('authorization')?.replace('Bearer xoxb-', '') ?? '';
    const args = Object.entries(Object.fromEntries(new URLSearchParams(String(init?.body))));
    const parsed = Object.fromEntries(args.map(([key, text]) => [key, jsonOr(key, text)]));
    const answer = slacks.get(teamId)?.call(url.slice(apiUrl.length), parsed);
    return Response.json(answer ?? { ok: false, error: 'invalid_auth' });
  };
}

const jsonKeys = new Set(['blocks', 'view', 'metadata', 'files']);
const jsonOr = (key: string, text: string): unknown => (jsonKeys.has(key) ? JSON.parse(text) : text);

const sizeOf = async (body: RequestInit['body']): Promise<number> =>
  (await new Response(body).arrayBuffer()).byteLength;
