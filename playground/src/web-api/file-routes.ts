import { type Context, Hono } from 'hono';
import { ApiError } from '../blocks/content.ts';
import type { Wire } from '../delivery/wire.ts';
import type { Workspace } from '../interactions/workspace.ts';
import type { FileStore, StoredFile } from '../world/files.ts';
import type { Store } from '../world/store.ts';
import { mayRead } from '../world/visibility.ts';
import { visibleFile } from './file-methods.ts';
import type { FindGrant } from './grant.ts';
import type { ApiWorkspace } from './route-call.ts';
import type { Bindings } from './web-api.ts';

/** True for the paths that accept files, which need a larger limit for bodies. */
export const isUpload = (path: string): boolean => /^\/(upload\/v1|playground\/upload)\b/.test(path);

/** The app uploads and downloads files here. As in Slack, a download without a token redirects to a sign-in page. */
export function createFileRoutes(options: {
  workspaces: readonly ApiWorkspace[];
  findGrant: FindGrant;
  files: FileStore;
  wire: Wire;
  now: () => number;
}): Hono<Bindings> {
  const { files, wire } = options;
  const app = new Hono<Bindings>();
  const record = (label: string, ok: boolean, request: object) =>
    wire.add({ at: new Date(options.now()).toISOString(), direction: 'from-app', label, ok, request });

  app.post('/upload/v1/:key', async (c) => {
    const file = files.fill(c.req.param('key'), await bodyOf(c));
    record('file upload', file !== undefined, file ? { id: file.id, name: file.name, size: file.size } : {});
    return file ? c.text(`OK - ${file.size}`) : c.text('not found', 404);
  });
  app.get('/files-pri/:key/*', (c) => {
    const id = c.req.param('key').split('-').at(-1) ?? '';
    const token = /^Bearer (.+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
    const file = readableFile(options, token, id);
    record('file download', file?.content !== undefined, { id });
    if (!file) return c.redirect(`/signin?redir=${encodeURIComponent(c.req.path)}`);
    return contentOf(c, file);
  });
  app.get('/signin', (c) => c.html('<!doctype html><title>Sign in</title><p>Sign in to the workspace.'));
  return app;
}

/** The file, if this token may read it in one of its workspaces. */
function readableFile(
  { workspaces, findGrant }: { workspaces: readonly ApiWorkspace[]; findGrant: FindGrant },
  token: string | undefined,
  id: string,
): StoredFile | undefined {
  try {
    const { kind, scopes, teamIds } = findGrant(token ?? '');
    if (kind !== 'bot' || scopes?.has('files:read') === false) return undefined;
    return workspaces
      .filter(({ context }) => teamIds.includes(context.store.world.team.id))
      .map(({ context }) => visibleFile(context, id))
      .find((file) => file !== undefined);
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

/** The page uploads a file here before the message that shares it, and downloads files that its user may see. */
export function createPageFiles({
  files,
  workspace,
  storeOf,
}: {
  files: FileStore;
  workspace: Workspace;
  /** The store of the user's workspace. */
  storeOf: (userId: string) => Store | undefined;
}): Hono<Bindings> {
  const app = new Hono<Bindings>().basePath('/playground');
  app.post('/upload', async (c) => {
    const { userId = '', name = '' } = c.req.query();
    return c.json(workspace.upload({ userId, name, content: await bodyOf(c) }));
  });
  app.get('/files/:id', (c) => {
    const userId = c.req.query('user') ?? '';
    const store = storeOf(userId);
    const user = store?.user(userId);
    const file = files.find(c.req.param('id'));
    const channels = [...(file?.channelIds ?? [])].map((channelId) => store?.channel(channelId));
    const isVisible =
      user && store && channels.some((channel) => channel && mayRead(user, channel, store.world));
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
