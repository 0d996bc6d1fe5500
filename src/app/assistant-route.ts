import { getRequestListener } from '@hono/node-server';
import type { Pages } from '../slack/edge.ts';
import { pathOf } from '../slack/receivers/http.ts';
import type { AssistantsOptions } from './assistants.ts';

/** Where assistants reach the MCP server over HTTP. */
export const mcpPath = '/mcp';

/** The way to the MCP server, which is loaded at the first request: it takes 35 MB of memory. `open` makes it reachable. */
export function createAssistantRoute() {
  let options: AssistantsOptions | undefined;
  let loaded: Promise<ReturnType<typeof import('./assistants.ts').createAssistants>> | undefined;

  async function load(from: AssistantsOptions) {
    const { createAssistants } = await import('./assistants.ts');
    return createAssistants(from);
  }

  async function answer(request: Request): Promise<Response> {
    if (!options) return closing(new Response(null, { status: 503, headers: { 'retry-after': '5' } }));
    loaded ??= load(options);
    const response = await (await loaded).answer(request);
    return response.ok ? response : closing(response);
  }

  const listener = getRequestListener(answer, { overrideGlobalObjects: false });
  const handle: Pages = (request, response) => {
    if (pathOf(request) !== mcpPath) return false;
    void listener(request, response);
    return true;
  };

  return {
    open(from: AssistantsOptions): void {
      options = from;
    },
    /** For the bot's own server. */
    handle,
    /** For the playground's. */
    routes: { [mcpPath]: answer },
    close: async () => await (await loaded)?.close(),
  };
}

/** Whatever a refused sender still has to send is not read. */
function closing({ status, headers: own, body }: Response): Response {
  const headers = new Headers(own);
  headers.set('connection', 'close');
  return new Response(body, { status, headers });
}
