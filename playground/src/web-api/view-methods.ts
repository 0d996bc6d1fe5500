import { ApiError } from '../blocks/content.ts';
import { type JsonObject, nonEmptyString } from '../json.ts';
import { apiView, type View } from '../world/views.ts';
import type { Method, MethodContext } from './method.ts';

export function viewMethods(context: MethodContext): Record<string, Method> {
  const { views, triggers, readView, store } = context;
  const bot = (run: (args: JsonObject) => View): Method => ({
    token: 'bot',
    run: (args) => ({ view: apiView(run(args), store.world) }),
  });
  return {
    'views.open': bot((args) => {
      const content = readView(args.view, 'modal');
      const { userId, channelId } = triggers.exchange(args.trigger_id);
      return views.open(userId, content, channelId);
    }),
    'views.push': bot((args) => {
      const content = readView(args.view, 'modal');
      const { userId, viewId } = triggers.exchange(args.trigger_id);
      // Only an action in an open view can push another view onto it.
      if (!viewId || !views.stack(userId).some(({ id }) => id === viewId)) throw new ApiError('not_found');
      return views.push(userId, content);
    }),
    'views.update': bot((args) => {
      const [id, externalId, hash] = [args.view_id, args.external_id, args.hash].map(nonEmptyString);
      const known = id ? views.find(id) : undefined;
      const content = readView(args.view, known?.content.type ?? 'modal');
      return views.update(
        { ...(id && { id }), ...(externalId && { externalId }), ...(hash && { hash }) },
        content,
      );
    }),
    'views.publish': bot((args) => {
      if (!context.homeEnabled) throw new ApiError('not_enabled');
      const userId = nonEmptyString(args.user_id) ?? '';
      if (!store.user(userId)) throw new ApiError('invalid_arguments');
      return views.publish(userId, readView(args.view, 'home'), nonEmptyString(args.hash));
    }),
  };
}
