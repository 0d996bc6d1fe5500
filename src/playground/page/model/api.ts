import type {
  ClickRequest,
  ManageRequest,
  PageReply,
  PageState,
  SayRequest,
  ShortcutRequest,
  UploadReply,
  ViewActRequest,
  ViewCloseRequest,
  ViewReply,
  ViewSubmitRequest,
  WireEntry,
} from '../../page-api/page-api.ts';

/** The requests to the local server. Each throws an `Error` with a message for the reader. */
export const api = {
  /** Without a user, the state of the first one. Undefined for an unknown user. */
  state: async (userId?: string): Promise<PageState | undefined> => {
    const answer = await call<PageState | PageReply>(
      `state${userId ? `?user=${encodeURIComponent(userId)}` : ''}`,
    );
    return isReply(answer) ? undefined : answer;
  },
  /** The inspector's entries so far. */
  wire: (): Promise<WireEntry[]> => call('wire'),
  say: (request: SayRequest): Promise<PageReply> => call('say', request),
  click: (request: ClickRequest): Promise<PageReply> => call('click', request),
  actInView: (request: ViewActRequest): Promise<PageReply> => call('view/act', request),
  submitView: (request: ViewSubmitRequest): Promise<ViewReply> => call('view/submit', request),
  closeView: (request: ViewCloseRequest): Promise<PageReply> => call('view/close', request),
  shortcut: (request: ShortcutRequest): Promise<PageReply> => call('shortcut', request),
  openHome: (userId: string, tab: 'home' | 'messages'): Promise<PageReply> => call('open', { userId, tab }),
  manage: (request: ManageRequest): Promise<PageReply> => call('manage', request),
  clock: (request: { forwardHours: number } | { speed: number }): Promise<PageReply> =>
    call('clock', request),
  upload: (userId: string, file: File): Promise<UploadReply> =>
    send(`upload?${new URLSearchParams({ userId, name: file.name })}`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: file,
    }),
  fileUrl: (id: string, userId: string): string =>
    `/playground/files/${encodeURIComponent(id)}?user=${encodeURIComponent(userId)}`,
  liveUrl: (userId: string): string => {
    const url = new URL(`playground/live?user=${encodeURIComponent(userId)}`, location.origin);
    url.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
    return url.href;
  },
};

function call<T>(path: string, body?: unknown): Promise<T> {
  if (body === undefined) return send(path, {});
  const headers = { 'content-type': 'application/json' };
  return send(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function send<T>(path: string, init: RequestInit): Promise<T> {
  const response = await fetch(`/playground/${path}`, init).catch(() => {
    throw new Error("The playground isn't responding. Is it still running?");
  });
  const answer: unknown = await response.json().catch(() => undefined);
  // A refused request has `ok: false` and a message for the reader, with any status.
  if (!response.ok && !isReply(answer))
    throw new Error(`The playground answered with status ${response.status}.`);
  return answer as T; // Page and server are built from the same repository and share these types.
}

const isReply = (answer: unknown): answer is PageReply =>
  typeof answer === 'object' && answer !== null && 'ok' in answer;
