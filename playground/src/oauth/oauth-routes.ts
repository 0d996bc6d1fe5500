import { Hono } from 'hono';
import { z } from 'zod';
import type { ConsentReply } from '../page-api/consent-api.ts';
import type { AdminRequest, PageReply } from '../page-api/page-api.ts';
import type { Bindings } from '../web-api/web-api.ts';
import type { Consents } from './consent.ts';

const text = z.string().max(2000).exactOptional();
const query = z.object({ client_id: text, scope: text, redirect_uri: text, state: text, team: text });
const allow = z.object({
  query,
  placeId: z.string().max(100),
  userId: z.string().max(100),
  declined: z.array(z.string().max(100)).max(100),
});
const cancel = z.object({ query });
const userId = z.string().min(1).max(100);
const admin = z.union([
  z.object({ userId, action: z.enum(['uninstall', 'revoke', 'expire']) }),
  z.object({
    userId,
    action: z.literal('change'),
    settings: z.object({
      rotation: z.boolean().exactOptional(),
      organisation: z.boolean().exactOptional(),
      revokedFirst: z.boolean().exactOptional(),
    }),
  }),
]);

/** `/oauth/v2/authorize`, the API of the consent page, and the admins' actions. */
export function createOAuthRoutes(parts: {
  consents: Consents;
  administer: (request: AdminRequest) => Promise<PageReply>;
  /** The page's address for the app in a workspace. Undefined: there is no such workspace. */
  addressOf: (teamId: string) => string | undefined;
}): Hono<Bindings> {
  const app = new Hono<Bindings>();
  // The page's assets are relative to the root.
  app.get('/oauth/v2/authorize', (c) => c.redirect(`/consent.html${new URL(c.req.url).search}`));
  // Where Bolt sends the installer of an org-wide app, to add it to workspaces. Here it is in all of them at once.
  app.get('/manage/organization/apps/profile/:appId/workspaces/add', (c) => c.redirect('/'));
  // Slack's link that opens an app, or the workspace if it isn't there.
  app.get('/app_redirect', (c) => c.redirect(parts.addressOf(c.req.query('team') ?? '') ?? '/'));
  app.get('/playground/oauth/request', (c) => {
    const parsed = query.safeParse(c.req.query());
    return c.json(parsed.success ? parts.consents.page(parsed.data) : MALFORMED);
  });
  const post = <T>(path: string, schema: z.ZodType<T>, run: (request: T) => ConsentReply) =>
    app.post(`/playground/oauth/${path}`, async (c) => {
      const request = schema.safeParse(await c.req.json().catch(() => undefined));
      return request.success ? c.json(run(request.data)) : c.json(MALFORMED, 400);
    });
  post('allow', allow, parts.consents.allow);
  post('cancel', cancel, (request) => parts.consents.cancel(request.query));
  app.post('/playground/admin', async (c) => {
    const request = admin.safeParse(await c.req.json().catch(() => undefined));
    return request.success ? c.json(await parts.administer(request.data)) : c.json(MALFORMED, 400);
  });
  return app;
}

const MALFORMED = { ok: false as const, error: 'This request is malformed.' };
