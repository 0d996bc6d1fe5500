import { type Context, Hono } from 'hono';
import { z } from 'zod';
import type { Images } from '../blocks/images.ts';
import type { Wire } from '../delivery/wire.ts';
import type { FaultSwitches } from '../fault-switches.ts';
import type { Workspace } from '../interactions/workspace.ts';
import type { Bindings } from '../web-api/web-api.ts';
import type { ClockControl } from '../world/world-clock.ts';
import type { MessagePage, PageMessage } from './page-api.ts';

const name = z.string().min(1).max(100);
const say = z.object({
  userId: name,
  channelId: name,
  text: z.string().max(20_000),
  threadTs: name.exactOptional(),
  fileIds: z.array(name).max(10).exactOptional(),
});
const write = z.object({ userId: name, text: z.string().max(20_000) });
const value = z.union([z.string().max(3000), z.array(z.string().max(3000)).max(100), z.null()]);
const values = z.record(z.string(), z.record(z.string(), value));
const click = z.object({
  userId: name,
  channelId: name,
  messageTs: name,
  unfurlUrl: z.string().max(3000).exactOptional(),
  blockId: z.string().max(255).exactOptional(),
  actionId: z.string().max(255),
  optionValue: z.string().max(2000).exactOptional(),
  value: value.exactOptional(),
});
const inView = { userId: name, viewId: name };
const viewAct = z.object({
  ...inView,
  blockId: z.string().max(255),
  actionId: z.string().max(255),
  value: value.exactOptional(),
  values,
});
const viewSubmit = z.object({ ...inView, values });
const viewClose = z.object({ ...inView, all: z.boolean() });
const shortcut = z.object({
  userId: name,
  channelId: name,
  callbackId: z.string().max(255),
  messageTs: name.exactOptional(),
});
const step = z.object({
  userId: name,
  callbackId: name,
  inputs: z.record(name, z.string().max(3000)),
});
const open = z.object({ userId: name, tab: z.enum(['home', 'messages']) });
const manage = z.object({
  userId: name,
  channelId: name,
  action: z.enum(['archive', 'unarchive', 'add_app', 'remove_app']),
});

const setClock = z.union([
  z.object({
    forwardHours: z
      .number()
      .positive()
      .max(24 * 31),
  }),
  z.object({ speed: z.number().min(0).max(3600) }),
]);

const setFaults = z.union([z.object({ id: name, isOn: z.boolean() }), z.object({ allOff: z.literal(true) })]);

/** An icon opened as a page of its own runs no script. */
const noScripts = { 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'" };

/** The routes under `/playground/` that page-api.ts describes. */
export function createPageRoutes(parts: {
  workspace: Workspace;
  wire: Wire;
  clock: ClockControl | undefined;
  faultSwitches: FaultSwitches;
  images: Pick<Images, 'load'>;
  icon: string;
}): Hono<Bindings> {
  const { workspace, wire, clock, faultSwitches, images, icon } = parts;
  const app = new Hono<Bindings>().basePath('/playground');
  const post = <T>(path: string, schema: z.ZodType<T>, run: (request: T) => Promise<object>) =>
    app.post(path, async (c) => {
      const request = schema.safeParse(await c.req.json().catch(() => undefined));
      return request.success ? c.json(await run(request.data)) : malformed(c);
    });
  app.get('/state', (c) => {
    const state = workspace.state(c.req.query('user'));
    return state
      ? c.json({ ...state, ...pageOf(state.messages) })
      : c.json({ ok: false, error: 'There is no such user.' }, 404);
  });
  app.get('/messages', (c) => {
    const state = workspace.state(c.req.query('user'));
    return state
      ? c.json(pageOf(state.messages, c.req.query('before')))
      : c.json({ ok: false, error: 'There is no such user.' }, 404);
  });
  app.get('/image', async (c) => {
    const image = await images.load(c.req.query('url') ?? '');
    if (!image) return c.json({ ok: false, error: 'There is no such image.' }, 404);
    return c.body(image.bytes, 200, { 'content-type': image.type, 'x-content-type-options': 'nosniff' });
  });
  app.get('/icon.svg', (c) => c.body(icon, 200, { 'content-type': 'image/svg+xml', ...noScripts }));
  app.get('/wire', (c) => c.json(wire.list()));
  post('/say', say, workspace.say);
  post('/write', write, workspace.write);
  post('/click', click, workspace.click);
  post('/view/act', viewAct, workspace.actInView);
  post('/view/submit', viewSubmit, workspace.submitView);
  post('/view/close', viewClose, workspace.closeView);
  post('/shortcut', shortcut, workspace.shortcut);
  post('/step', step, workspace.runStep);
  post('/manage', manage, workspace.manage);
  post('/open', open, async ({ userId, tab }) => {
    await workspace.openHome(userId, tab);
    return { ok: true };
  });
  post('/clock', setClock, async (request) => {
    if (!clock) return { ok: false, error: 'This playground has no world clock.' };
    return 'speed' in request ? clock.setSpeed(request.speed) : clock.forward(request.forwardHours);
  });
  post('/faults', setFaults, async (request) => {
    if ('allOff' in request) faultSwitches.allOff();
    else if (!faultSwitches.set(request.id, request.isOn))
      return { ok: false, error: 'There is no such fault.' };
    return { ok: true };
  });
  return app;
}

/** A page reads messages in portions, because parsing them all would block it. */
const PAGE_SIZE = 250;

function pageOf(all: readonly PageMessage[], before?: string): MessagePage {
  const older = all
    .filter(({ ts }) => before === undefined || ts < before)
    .toSorted((a, b) => (a.ts < b.ts ? -1 : 1));
  const messages = older.slice(-PAGE_SIZE);
  const [oldest] = messages;
  return { messages, ...(oldest && messages.length < older.length && { before: oldest.ts }) };
}

function malformed(c: Context): Response {
  return c.json({ ok: false, error: 'This request is malformed.' }, 400);
}
