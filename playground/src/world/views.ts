import { ApiError } from '../blocks/content.ts';
import type { ViewContent } from '../blocks/view-checks.ts';
import { randomId, randomSecret } from '../ids.ts';
import type { JsonObject } from '../json.ts';
import type { World } from './world.ts';

export interface View {
  id: string;
  /** Changes with each update. */
  hash: string;
  userId: string;
  rootId: string;
  previousId: string | undefined;
  /** The conversation from which it was opened. */
  channelId: string | undefined;
  content: ViewContent;
}

/** The open modals, a stack per user, and each user's Home tab. */
export interface Views {
  /** Bottom first. */
  stack(userId: string): View[];
  home(userId: string): View | undefined;
  /** Finds a modal or a Home tab. */
  find(id: string): View | undefined;
  open(userId: string, content: ViewContent, channelId: string | undefined): View;
  /** Puts a view on top of the stack. Throws ApiError `push_limit_reached`. */
  push(userId: string, content: ViewContent): View;
  /** Throws ApiError: not_found, hash_conflict, duplicate_external_id. */
  update(key: { id?: string; externalId?: string; hash?: string }, content: ViewContent): View;
  publish(userId: string, content: ViewContent, hash: string | undefined): View;
  /** Closes a view and those above it. Returns the closed views, top first. */
  close(view: View): View[];
  /** Closes everything, and forgets the Home tabs: the app is no longer installed. */
  clear(): void;
}

const MAX_STACK = 3;

export function createViews(onChange: (userId: string) => void): Views {
  const stacks = new Map<string, View[]>();
  const homes = new Map<string, View>();

  const all = () => [...stacks.values(), [...homes.values()]].flat();
  const stack = (userId: string) => stacks.get(userId) ?? [];

  function checkExternalId(content: ViewContent, self?: View): void {
    const { external_id: externalId } = content;
    const taken =
      externalId && all().some((view) => view !== self && view.content.external_id === externalId);
    if (taken) throw new ApiError('duplicate_external_id');
  }

  function create(userId: string, content: ViewContent, place: Partial<View>): View {
    checkExternalId(content);
    const id = randomId('V');
    const origin = { rootId: id, previousId: undefined, channelId: undefined };
    return { ...origin, ...place, id, hash: randomSecret(8), userId, content };
  }

  function set(userId: string, views: View[]): void {
    if (views.length > 0) stacks.set(userId, views);
    else stacks.delete(userId);
    onChange(userId);
  }

  function replace(view: View, content: ViewContent): View {
    const next = { ...view, content, hash: randomSecret(8) };
    if (homes.get(view.userId) === view) {
      homes.set(view.userId, next);
      onChange(view.userId);
    } else {
      set(
        view.userId,
        stack(view.userId).map((other) => (other === view ? next : other)),
      );
    }
    return next;
  }

  return {
    stack,
    home: (userId) => homes.get(userId),
    find: (id) => all().find((view) => view.id === id),
    open(userId, content, channelId) {
      const view = create(userId, content, { channelId });
      set(userId, [view]);
      return view;
    },
    push(userId, content) {
      const below = stack(userId);
      const top = below.at(-1);
      if (!top) throw new ApiError('not_found');
      if (below.length >= MAX_STACK) throw new ApiError('push_limit_reached');
      const { rootId, channelId } = top;
      const view = create(userId, content, { rootId, channelId, previousId: top.id });
      set(userId, [...below, view]);
      return view;
    },
    update({ id, externalId, hash }, content) {
      const found = all().find(
        (view) => view.id === id || (externalId !== undefined && view.content.external_id === externalId),
      );
      if (!found) throw new ApiError('not_found');
      if (hash !== undefined && hash !== found.hash) throw new ApiError('hash_conflict');
      checkExternalId(content, found);
      return replace(found, content);
    },
    publish(userId, content, hash) {
      const old = homes.get(userId);
      if (old && hash !== undefined && hash !== old.hash) throw new ApiError('hash_conflict');
      checkExternalId(content, old);
      if (old) return replace(old, content);
      const view = create(userId, content, {});
      homes.set(userId, view);
      onChange(userId);
      return view;
    },
    close(view) {
      const views = stack(view.userId);
      const at = views.findIndex(({ id }) => id === view.id);
      if (at < 0) return [];
      set(view.userId, views.slice(0, at));
      return views.slice(at).reverse();
    },
    clear() {
      const userIds = new Set([...stacks.keys(), ...homes.keys()]);
      stacks.clear();
      homes.clear();
      for (const userId of userIds) onChange(userId);
    },
  };
}

/** A view as in the Web API and payloads. */
export function apiView({ content, ...view }: View, world: World, values: JsonObject = {}): JsonObject {
  return {
    id: view.id,
    team_id: world.team.id,
    app_id: world.app.id,
    app_installed_team_id: world.team.id,
    bot_id: world.app.botId,
    title: null,
    submit: null,
    close: null,
    clear_on_close: false,
    notify_on_close: false,
    external_id: '',
    ...content,
    hash: view.hash,
    root_view_id: view.rootId,
    previous_view_id: view.previousId ?? null,
    state: { values },
  };
}
