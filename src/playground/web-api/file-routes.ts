import { type Context, Hono } from 'hono';
import type { Wire } from '../delivery/wire.ts';
import type { Workspace } from '../interactions/workspace.ts';
import type { StoredFile } from '../world/files.ts';
import { mayRead } from '../world/visibility.ts';
import { visibleFile } from './file-methods.ts';
import type { MethodContext } from './method.ts';
import type { Bindings } from './web-api.ts';

/** True for the paths that accept files, which need a larger limit for bodies. */
export const isUpload = (path: string): boolean => /^\/(upload\/v1|playground\/upload)\b/.test(path);

/** The app uploads and downloads files here. As in Slack, a download without a token redirects to a sign-in page. */
export function createFileRoutes(options: {
  context: MethodContext;
  /** True if this token may currently read files. */
  isAllowed: (token: string | undefined) => boolean;
  wire: Wire;
  now: () => number;
}): Hono<Bindings> {
  const { context, wire } = options;
  const app = new Hono<Bindings>();
  const record = (label: string, ok: boolean, payload: object) =>
    wire.add({ at: new Date(options.now()).toISOString(), direction: 'from-app', label, ok, payload });

  app.post('/upload/v1/:key', async (c) => {
    const file = context.files.fill(c.req.param('key'), await bodyOf(c));
    record('file upload', file !== undefined, file ? { id: file.id, name: file.name, size: file.size } : {});
    return file ? c.text(`OK - ${file.size}`) : c.text('not found', 404);
  });
  app.get('/files-pri/:key/*', (c) => {
    const id = c.req.param('key').split('-').at(-1) ?? '';
    const token = /^Bearer (.+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
    const file = options.isAllowed(token) ? visibleFile(context, id) : undefined;
    record('file download', file?.content !== undefined, { id });
    if (!file) return c.redirect(`/signin?redir=${encodeURIComponent(c.req.path)}`);
    return contentOf(c, file);
  });
  app.get('/signin', (c) => c.html('<!doctype html><title>Sign in</title><p>Sign in to the workspace.'));
  return app;
}

/** The page uploads a file here before the message that shares it, and downloads files that its user may see. */
export function createPageFiles({
  context: { store, files },
  workspace,
}: {
  context: Pick<MethodContext, 'store' | 'files'>;
  workspace: Workspace;
}): Hono<Bindings> {
  const app = new Hono<Bindings>().basePath('/playground');
  app.post('/upload', async (c) => {
    const { userId = '', name = '' } = c.req.query();
    return c.json(workspace.upload({ userId, name, content: await bodyOf(c) }));
  });
  app.get('/files/:id', (c) => {
    const user = store.user(c.req.query('user') ?? '');
    const file = files.find(c.req.param('id'));
    const channels = [...(file?.channelIds ?? [])].map((channelId) => store.channel(channelId));
    const isVisible = user && channels.some((channel) => channel && mayRead(user, channel, store.world));
    return file && isVisible ? contentOf(c, file) : c.text('There is no such file.', 404);
  });
  return app;
}

/** The raw body, or the first file of a form, as `uploadV2` sends it. */
async function bodyOf(c: Context): Promise<Buffer> {
  if (!c.req.header('content-type')?.includes('multipart/form-data')) {
    return Buffer.from(await c.req.arrayBuffer());
  }
  const file = Object.values(await c.req.parseBody()).find((value) => value instanceof File);
  return file ? Buffer.from(await file.arrayBuffer()) : Buffer.alloc(0);
}

/** Always a download: an uploaded file must never run with the page's origin. */
function contentOf(c: Context, { content, mimetype, name }: StoredFile): Response {
  if (!content) return c.text('The content of this file is no longer stored.', 404);
  return c.body(new Uint8Array(content), 200, {
    'content-type': mimetype,
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
    'x-content-type-options': 'nosniff',
  });
}
