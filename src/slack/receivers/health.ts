import type { IncomingMessage, ServerResponse } from 'node:http';

interface Health {
  /** Why the bot can't answer now; empty when it can. Holds no secrets. */
  reasons(): string[];
}

interface HealthAnswer {
  status: 200 | 503;
  body: { ok: boolean; reasons?: string[] };
}

/** `/healthz`: the process is up. `/readyz`: it is connected, and its login is not refused. */
export function answerHealth(path: string, health: Health): HealthAnswer {
  if (path === '/healthz') return { status: 200, body: { ok: true } };
  const reasons = health.reasons();
  return { status: reasons.length === 0 ? 200 : 503, body: { ok: reasons.length === 0, reasons } };
}

/** True when the request was for a health page. */
export function serveHealth(request: IncomingMessage, response: ServerResponse, health: Health): boolean {
  const path = pathOf(request);
  if (path !== '/healthz' && path !== '/readyz') return false;
  const answer = answerHealth(path, health);
  response.writeHead(answer.status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(answer.body));
  return true;
}

export function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '/';
}
