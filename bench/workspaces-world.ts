// The service and Slack for many workspaces, in the process that measures: each only takes its time, and records.
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import type { Prediction } from '../src/analytics/answers.ts';
import { predict, vesselOfCard } from './workspaces-fleet.ts';

/** How the service treats an account, or Slack a workspace. `hangs`: it never answers. `ms`: it takes this long. */
export type Behaviour = { ms: number } | 'hangs' | 'refuses' | 'limits';

export type World = Awaited<ReturnType<typeof startWorld>>;

export const signingSecret = 'a-signing-secret-of-the-benchmark';
export const serviceAddress = (worldUrl: string): string => `${worldUrl}/service`;

const answerLimitMs = 30_000;

export async function startWorld() {
  const service = new Map<string, Behaviour>();
  const slack = new Map<string, Behaviour>();
  const usual = { serviceMs: 0, slackMs: 0 };
  /** How often each vessel's most probable port has changed. */
  const changes = new Map<number, number>();
  const alerts = new Map<number, number[]>();
  const counts = { polls: 0, posts: 0, lastPollAt: 0 };
  const questions = new Map<string, (at: number) => void>();
  const askedAbout = new Set<number>();
  const hanging = new Set<ServerResponse>();
  let asked = 0;
  let vesselsTaken = 0;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readText(request);
    const { pathname } = new URL(request.url ?? '', 'http://world');
    const [, part = '', ...path] = pathname.split('/');
    const bearer = request.headers.authorization?.replace('Bearer ', '') ?? '';
    if (part === 'service') return await serve(path, bearer, body, response);
    if (part === 'slack')
      return await answerSlack(path[1] ?? '', bearer.replace(/^xoxb-/, ''), body, response);
    if (!body.includes('Working on it')) questions.get(path[0] ?? '')?.(performance.now());
    response.end('ok');
  }

  async function serve(path: readonly string[], token: string, body: string, response: ServerResponse) {
    const isLogin = path[0] === 'authentication';
    // The service's token is the user id.
    const account = isLogin ? String(JSON.parse(body).user_id) : token;
    const behaviour = service.get(account) ?? { ms: usual.serviceMs };
    // A token that was stored before is refused too.
    if (behaviour === 'refuses') return reply(response, 401, {});
    if (isLogin) return reply(response, 200, { token: account });
    const imo = Number(path[2]);
    if (!askedAbout.has(imo)) {
      counts.polls += 1;
      counts.lastPollAt = Date.now();
    }
    if (!(await takeTime(behaviour, response))) return;
    reply(response, 200, { predictions: predict(imo, changes.get(imo) ?? 0).map(toRecord) });
  }

  async function answerSlack(method: string, workspaceId: string, body: string, response: ServerResponse) {
    const isPost = method === 'chat.postMessage' || method === 'chat.update';
    const behaviour = isPost ? slack.get(workspaceId) : undefined;
    if (behaviour === 'limits') {
      response.setHeader('retry-after', '5');
      return reply(response, 429, { ok: false, error: 'ratelimited' });
    }
    const fields = new URLSearchParams(body);
    if (isPost) {
      counts.posts += 1;
      const imo = method === 'chat.postMessage' ? vesselOfCard(fields.get('thread_ts')) : undefined;
      if (imo !== undefined) alerts.set(imo, [...(alerts.get(imo) ?? []), Date.now()]);
    }
    if (!(await takeTime(behaviour ?? { ms: usual.slackMs }, response))) return;
    reply(response, 200, { ok: true, ts: `${counts.posts}.000200`, ...slackObjects(fields, workspaceId) });
  }

  async function takeTime(behaviour: Behaviour, response: ServerResponse): Promise<boolean> {
    if (behaviour === 'hangs') hanging.add(response);
    if (typeof behaviour === 'string') return false;
    if (behaviour.ms > 0) await wait(behaviour.ms);
    return true;
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on TCP has an address with a port.
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;

  return {
    url,
    /** By account and by workspace; the others take `usual`. */
    service,
    slack,
    usual,
    counts,
    /** The number of the first of `count` vessels that nobody else has. */
    takeVessels(count: number): number {
      vesselsTaken += count;
      return vesselsTaken - count;
    },
    change: (imo: number) => changes.set(imo, (changes.get(imo) ?? 0) + 1),
    /** When Slack got the alerts about a vessel, on the wall clock. */
    alertsOf: (imo: number): readonly number[] => alerts.get(imo) ?? [],
    /** Types a command; returns the milliseconds until its answer. */
    async ask({ workspaceId, userId, imo, botUrl }: Question): Promise<number> {
      asked += 1;
      askedAbout.add(imo);
      const id = String(asked);
      const { promise, resolve, reject } = Promise.withResolvers<number>();
      const timer = setTimeout(() => reject(new Error(`no answer to question ${id}`)), answerLimitMs);
      questions.set(id, resolve);
      const startedAt = performance.now();
      const body = new URLSearchParams({
        command: '/nextport',
        text: String(imo),
        team_id: workspaceId,
        user_id: userId,
        channel_id: 'C0',
        trigger_id: id,
        response_url: `${url}/answers/${id}`,
      }).toString();
      const response = await fetch(`${botUrl}/slack/events`, { method: 'POST', body, headers: sign(body) });
      if (!response.ok) throw new Error(`a command was answered with ${response.status}`);
      const answeredAt = await promise;
      clearTimeout(timer);
      questions.delete(id);
      return answeredAt - startedAt;
    },
    /** Ends the calls that hang, and behaves as usual again. */
    calmDown() {
      service.clear();
      slack.clear();
      for (const response of hanging) response.destroy();
      hanging.clear();
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface Question {
  workspaceId: string;
  userId: string;
  imo: number;
  botUrl: string;
}

function sign(body: string): Record<string, string> {
  const at = String(Math.floor(Date.now() / 1000));
  const hash = createHmac('sha256', signingSecret).update(`v0:${at}:${body}`).digest('hex');
  return {
    'content-type': 'application/x-www-form-urlencoded',
    'x-slack-request-timestamp': at,
    'x-slack-signature': `v0=${hash}`,
  };
}

/** The parts of Slack's answers that the bot reads. */
const slackObjects = (fields: URLSearchParams, workspaceId: string) => ({
  channel: { id: fields.get('channel') ?? 'C0', is_channel: true, is_member: true },
  user: { id: fields.get('user') ?? 'U1', team_id: workspaceId, name: 'bench', tz: 'UTC' },
  channels: [],
  messages: [],
});

const toRecord = ({ imo, port, probability, eta }: Prediction) => ({
  vessel_imo_number: imo,
  un_location_code: port,
  probability,
  eta_datetime: eta?.toISOString(),
});

function reply(response: ServerResponse, status: number, content: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content));
}
