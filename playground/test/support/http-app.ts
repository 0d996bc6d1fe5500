import { createServer, type Server } from 'node:http';
import { afterEach } from 'vitest';
import { createPlayground, type Playground, type PlaygroundOptions } from '../../src/index.ts';

export const ADA = 'U0ADA0001';
export const OPS = 'C0OPS00001';

export interface Received {
  headers: Record<string, string | string[] | undefined>;
  raw: string;
  /** The fields of a form. A click's `payload` is parsed into `json`. */
  form: Record<string, string>;
  json: Record<string, unknown>;
}

/** In order of arrival. `until` resolves once this many requests have arrived. */
export type Inbox = Received[] & { until(count: number): Promise<void> };

export type Answer = { status?: number; body?: string; type?: string } | 'never';

interface HttpApp {
  /** Starts a local Slack with a bare HTTP app that gives the planned answers, then an empty 200. */
  start(options?: Partial<PlaygroundOptions>, plan?: Answer[]): Promise<Inbox>;
  /** Starts a local Slack without an app. */
  startWithoutApp(options: Partial<PlaygroundOptions>): Promise<void>;
  slack(): Playground;
  /** Ada types this in #ops. */
  say(text: string): ReturnType<Playground['say']>;
  respond(url: string | undefined, body: unknown): Promise<Response>;
  /** The texts of all messages in #ops. */
  texts(): string[];
}

/** Registers the hook that stops everything after each test. */
export function httpApp(): HttpApp {
  let running: Playground | undefined;
  let server: Server | undefined;
  afterEach(async () => {
    server?.closeAllConnections();
    server?.close();
    await running?.close();
    server = undefined;
    running = undefined;
  });
  const slack = () => {
    if (!running) throw new Error('the local Slack has not been started');
    return running;
  };
  return {
    async start(options = {}, plan = []) {
      const received = inbox();
      server = recordingServer(received, plan);
      const listening = server;
      await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
      const address = listening.address();
      const port = typeof address === 'object' ? address?.port : undefined;
      running = await createPlayground({ mode: 'http', requestUrl: `http://127.0.0.1:${port}/`, ...options });
      return received;
    },
    async startWithoutApp(options) {
      running = await createPlayground({ mode: 'socket', ...options });
    },
    slack,
    say: (text) => slack().say({ userId: ADA, channelId: OPS, text }),
    respond: (url, body) =>
      fetch(url ?? '', {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    texts: () =>
      slack()
        .messages(OPS)
        .map((message) => message.text),
  };
}

function recordingServer(received: Inbox, plan: Answer[]): Server {
  return createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const raw = Buffer.concat(chunks).toString();
    const form = Object.fromEntries(new URLSearchParams(raw));
    const isJson = request.headers['content-type'] === 'application/json';
    received.push({
      headers: request.headers,
      raw,
      form,
      json: JSON.parse(isJson ? raw : (form.payload ?? '{}')),
    });
    const answer = plan.shift() ?? {};
    if (answer === 'never') return;
    response.writeHead(answer.status ?? 200, { 'content-type': answer.type ?? 'text/plain' });
    response.end(answer.body ?? '');
  });
}

function inbox(): Inbox {
  const waiting: { count: number; resolve: () => void }[] = [];
  const received: Received[] = [];
  return Object.assign(received, {
    push(...items: Received[]) {
      const length = Array.prototype.push.apply(received, items);
      for (const { count, resolve } of waiting) if (length >= count) resolve();
      return length;
    },
    until: (count: number) =>
      new Promise<void>((resolve) => {
        if (received.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
  });
}
