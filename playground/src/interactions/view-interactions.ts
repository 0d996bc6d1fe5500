import { interactiveElements } from '../blocks/block-checks.ts';
import { ApiError } from '../blocks/content.ts';
import type { ViewReader } from '../blocks/view-checks.ts';
import type { Deliver } from '../delivery/deliver.ts';
import type { ResponseUrls } from '../delivery/response-url.ts';
import { newTriggerId } from '../ids.ts';
import { isJsonObject, type JsonObject, nonEmptyString } from '../json.ts';
import type {
  FieldValues,
  PageReply,
  ViewActRequest,
  ViewCloseRequest,
  ViewReply,
  ViewSubmitRequest,
} from '../page-api/page-api.ts';
import type { Installation } from '../web-api/installation.ts';
import type { Store } from '../world/store.ts';
import { apiView, type View, type Views } from '../world/views.ts';
import type { User } from '../world/world.ts';
import { actionOf } from './action.ts';
import { actorPayload } from './click.ts';
import type { Triggers } from './triggers.ts';
import { fieldErrors, stateValues } from './view-state.ts';

/** The actions of people in modals and on the Home tab. */
export interface ViewInteractions {
  act(user: User, request: ViewActRequest): Promise<PageReply>;
  submit(user: User, request: ViewSubmitRequest): Promise<ViewReply>;
  close(user: User, request: ViewCloseRequest): Promise<PageReply>;
}

const VIEW_CLOSED = { ok: false as const, error: 'This view is no longer open.' };
const CONNECTION_TROUBLE = 'We had some trouble connecting. Try again?';

export function createViewInteractions(options: {
  store: Store;
  views: Views;
  readView: ViewReader;
  triggers: Triggers;
  deliver: Deliver;
  responseUrls: ResponseUrls;
  verificationToken: string;
  installation: Installation;
  now: () => number;
}): ViewInteractions {
  const { store, views, triggers, deliver } = options;
  const { world } = store;

  const viewOf = (user: User, id: string): View | undefined => {
    const view = views.find(id);
    return view?.userId === user.id ? view : undefined;
  };
  const payloadOf = (type: string, user: User, view: View, values: FieldValues): JsonObject => ({
    type,
    ...actorPayload(store, user, options),
    view: apiView(view, world, stateValues(view, values)),
  });
  const triggerFor = (user: User, view: View): string =>
    triggers.open(newTriggerId(), {
      userId: user.id,
      viewId: view.id,
      ...(view.channelId && { channelId: view.channelId }),
    });

  /** Applies the app's answer to a submission. Throws ApiError if Slack would refuse it. */
  function applyAnswer(view: View, answer: unknown): ViewReply {
    const body = isJsonObject(answer) ? answer : {};
    switch (body.response_action) {
      case undefined:
        views.close(view);
        return { ok: true };
      case 'clear': {
        const [root] = views.stack(view.userId);
        if (root) views.close(root);
        return { ok: true };
      }
      case 'update':
        views.update({ id: view.id }, options.readView(body.view, 'modal'));
        return { ok: true };
      case 'push':
        views.push(view.userId, options.readView(body.view, 'modal'));
        return { ok: true };
      case 'errors':
        return { ok: false, error: '', errors: errorsOf(view, body.errors) };
      default:
        throw new ApiError('unknown response_action');
    }
  }

  /** A URL for each selected conversation whose element asks for one. */
  function responseUrls(user: User, view: View, values: JsonObject): JsonObject[] {
    return view.content.blocks.flatMap((block) =>
      interactiveElements(block)
        .filter((element) => element.response_url_enabled === true)
        .flatMap((element) => {
          const [blockId, actionId] = [String(block.block_id), String(element.action_id)];
          const state = isJsonObject(values[blockId]) ? values[blockId][actionId] : undefined;
          const selected = isJsonObject(state)
            ? (state.selected_conversation ?? state.selected_channel)
            : undefined;
          const channelId = nonEmptyString(selected);
          if (!channelId) return [];
          const url = options.responseUrls.open({ kind: 'commands', channelId, userId: user.id });
          return [{ block_id: blockId, action_id: actionId, channel_id: channelId, response_url: url }];
        }),
    );
  }

  return {
    async act(user, { viewId, blockId, actionId, value, values }) {
      const view = viewOf(user, viewId);
      const block = view?.content.blocks.find((candidate) => candidate.block_id === blockId);
      const element = interactiveElements(block).find((candidate) => candidate.action_id === actionId);
      const action = element && actionOf(element, { blockId, value, now: options.now() });
      if (!view || !action) return VIEW_CLOSED;
      const payload = {
        ...payloadOf('block_actions', user, view, values),
        container: { type: 'view', view_id: view.id },
        trigger_id: triggerFor(user, view),
        actions: [action],
      };
      const outcome = await deliver(`block_actions ${actionId}`, { kind: 'interactive', payload });
      return outcome.ok ? { ok: true } : { ok: false, error: CONNECTION_TROUBLE };
    },
    async submit(user, { viewId, values }) {
      const view = viewOf(user, viewId);
      if (view?.content.type !== 'modal') return VIEW_CLOSED;
      const errors = fieldErrors(view, values);
      if (Object.keys(errors).length > 0) return { ok: false, error: '', errors };
      const state = stateValues(view, values);
      const payload = {
        ...payloadOf('view_submission', user, view, values),
        trigger_id: triggerFor(user, view),
        response_urls: responseUrls(user, view, state),
      };
      const label = `view_submission ${view.content.callback_id}`;
      const outcome = await deliver(label, { kind: 'interactive', payload });
      if (!outcome.ok) return { ok: false, error: CONNECTION_TROUBLE };
      try {
        // The app may have changed the view before it answered.
        return applyAnswer(viewOf(user, viewId) ?? view, outcome.body);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        return { ok: false, error: `${CONNECTION_TROUBLE} (${reasonOf(error)})` };
      }
    },
    async close(user, { viewId, all }) {
      const view = viewOf(user, viewId);
      if (view?.content.type !== 'modal') return VIEW_CLOSED;
      const isCleared = all || view.content.clear_on_close;
      const closed = views.close((isCleared && views.stack(user.id)[0]) || view);
      for (const closedView of closed) {
        const { content } = closedView;
        if (content.type !== 'modal' || !content.notify_on_close) continue;
        const payload = { ...payloadOf('view_closed', user, closedView, {}), is_cleared: isCleared };
        await deliver(`view_closed ${content.callback_id}`, { kind: 'interactive', payload });
      }
      return { ok: true };
    },
  };
}

/** Slack accepts errors for input blocks only. */
function errorsOf(view: View, value: unknown): Record<string, string> {
  const given = isJsonObject(value) ? Object.entries(value) : [];
  const inputs = new Set(
    view.content.blocks.filter(({ type }) => type === 'input').map((block) => block.block_id),
  );
  const unknown = given.find(([blockId]) => !inputs.has(blockId));
  if (unknown || given.length === 0) throw new ApiError(`errors: no input block ${unknown?.[0] ?? ''}`);
  return Object.fromEntries(given.map(([blockId, message]) => [blockId, String(message)]));
}

function reasonOf(error: ApiError): string {
  const metadata = error.detail.response_metadata;
  const messages = isJsonObject(metadata) && Array.isArray(metadata.messages) ? metadata.messages : [];
  return [error.code, ...messages].join(' ');
}
