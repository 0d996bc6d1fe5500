import type {
  AllowRequest,
  AuthorizeQuery,
  ConsentPageState,
  ConsentReply,
} from '../../src/page-api/consent-api.ts';
import type { FaultRequest, WireEntry } from '../../src/page-api/inspector-api.ts';
import type {
  AdminRequest,
  ClickRequest,
  ManageRequest,
  MessagePage,
  PageReply,
  PageState,
  SayReply,
  SayRequest,
  ShortcutRequest,
  UploadReply,
  ViewActRequest,
  ViewCloseRequest,
  ViewReply,
  ViewSubmitRequest,
  WriteRequest,
} from '../../src/page-api/page-api.ts';
import type { StepReply, StepRequest } from '../../src/page-api/step-api.ts';

/** The requests to the local server. Each throws an `Error` with a message for the reader. */
export const api = {
  /** Without a user, the state of the first one, with the newest messages. Undefined for an unknown user. */
  state: async (userId?: string): Promise<PageState | undefined> => {
    const answer = await get<PageState | PageReply>(
      `state${userId ? `?user=${encodeURIComponent(userId)}` : ''}`,
    );
    return isReply(answer) ? undefined : answer;
  },
  olderMessages: (userId: string, before: string): Promise<MessagePage> =>
    get(`messages?${new URLSearchParams({ user: userId, before })}`),
  /** The inspector's entries so far. */
  wire: (): Promise<WireEntry[]> => get('wire'),
  say: (request: SayRequest): Promise<SayReply> => post('say', request),
  write: (request: WriteRequest): Promise<PageReply> => post('write', request),
  click: (request: ClickRequest): Promise<PageReply> => post('click', request),
  actInView: (request: ViewActRequest): Promise<PageReply> => post('view/act', request),
  submitView: (request: ViewSubmitRequest): Promise<ViewReply> => post('view/submit', request),
  closeView: (request: ViewCloseRequest): Promise<PageReply> => post('view/close', request),
  shortcut: (request: ShortcutRequest): Promise<PageReply> => post('shortcut', request),
  /** Resolves when the app has ended the step. */
  runStep: (request: StepRequest): Promise<StepReply> => post('step', request),
  openHome: (userId: string, tab: 'home' | 'messages'): Promise<PageReply> => post('open', { userId, tab }),
  manage: (request: ManageRequest): Promise<PageReply> => post('manage', request),
  administer: (request: AdminRequest): Promise<PageReply> => post('admin', request),
  /** `search` is the query of `/oauth/v2/authorize`. */
  consent: (search: string): Promise<ConsentPageState | { ok: false; error: string }> =>
    get(`oauth/request${search}`),
  allow: (request: AllowRequest): Promise<ConsentReply> => post('oauth/allow', request),
  cancelConsent: (query: AuthorizeQuery): Promise<ConsentReply> => post('oauth/cancel', { query }),
  clock: (request: { forwardHours: number } | { speed: number }): Promise<PageReply> =>
    post('clock', request),
  faults: (request: FaultRequest): Promise<PageReply> => post('faults', request),
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

const get = <T>(path: string): Promise<T> => send(path, {});

function post<T>(path: string, body: unknown): Promise<T> {
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
