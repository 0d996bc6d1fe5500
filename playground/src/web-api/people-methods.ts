import { tzOffset } from '@date-fns/tz';
import { ApiError } from '../blocks/content.ts';
import { isTrue, type JsonObject, nonEmptyString } from '../json.ts';
import type { Store } from '../world/store.ts';
import type { User } from '../world/world.ts';
import type { Grant } from './grant.ts';
import { botName, isMember, type Method, type MethodContext, pageOf } from './method.ts';

/** Methods about people, the workspace and the app itself. */
export function peopleMethods(context: MethodContext): Record<string, Method> {
  const { store } = context;
  const { world } = store;
  return {
    'api.test': {
      token: 'none',
      run(args) {
        if (nonEmptyString(args.error)) throw new ApiError(String(args.error), { args });
        return { args };
      },
    },
    'auth.test': { token: 'bot', run: (_args, { grant }) => authTest(context, grant) },
    'apps.connections.open': { token: 'app', run: () => ({ url: context.openConnection() }) },
    'users.info': {
      token: 'bot',
      scopes: ['users:read'],
      run: (args, { grant }) => usersInfo(context, args, grant),
    },
    'users.conversations': {
      token: 'bot',
      scopes: ['channels:read', 'groups:read'],
      run: (args) => usersConversations(context, args),
    },
    'users.list': {
      token: 'bot',
      scopes: ['users:read'],
      run(args) {
        const { items, next } = pageOf(world.users, args, 100);
        const members = items.map((user) => userJson(user, context, isTrue(args.include_locale)));
        return { members, response_metadata: { next_cursor: next } };
      },
    },
    'team.info': {
      token: 'bot',
      scopes: ['team:read'],
      run: () => ({ team: { ...world.team, email_domain: '', icon: {} } }),
    },
    'bots.info': {
      token: 'bot',
      scopes: ['users:read'],
      run(args) {
        if (args.bot && args.bot !== world.app.botId) throw new ApiError('bot_not_found');
        const { app } = world;
        return {
          bot: {
            id: app.botId,
            app_id: app.id,
            user_id: app.botUserId,
            name: botName(store),
            deleted: false,
          },
        };
      },
    },
  };
}

/** The channels of a user; private ones only if the app is also a member. */
function usersConversations({ store }: MethodContext, args: JsonObject): JsonObject {
  const user = store.user(nonEmptyString(args.user) ?? store.world.app.botUserId);
  if (!user) throw new ApiError('user_not_found');
  const types = (nonEmptyString(args.types) ?? 'public_channel').split(',');
  const visible = [...store.channels()].filter(
    (channel) =>
      channel.memberIds.includes(user.id) &&
      types.includes(channel.kind === 'dm' ? 'im' : `${channel.kind}_channel`) &&
      (channel.kind === 'public' || isMember(channel, store)) &&
      !(isTrue(args.exclude_archived) && channel.isArchived),
  );
  const { items, next } = pageOf(visible, args, 100);
  const channels = items.map(({ id, name }) => ({ id, name }));
  return { channels, response_metadata: { next_cursor: next } };
}

function authTest({ store, url }: MethodContext, { organisation }: Grant): JsonObject {
  const { app } = store.world;
  const team = organisation ?? store.world.team;
  return {
    url: `${url()}/`,
    team: team.name,
    team_id: team.id,
    user: store.user(app.botUserId)?.name,
    user_id: app.botUserId,
    bot_id: app.botId,
    app_id: app.id,
    ...(organisation ? { enterprise_id: organisation.id } : {}),
    is_enterprise_install: organisation !== undefined,
  };
}

function usersInfo(context: MethodContext, args: JsonObject, grant: Grant): JsonObject {
  const user = context.store.user(nonEmptyString(args.user) ?? '');
  if (!user) throw new ApiError('user_not_found');
  return {
    user: { ...userJson(user, context, isTrue(args.include_locale)), ...enterpriseUser(user, grant) },
  };
}

function enterpriseUser(
  { id, teamId, orgRole, otherTeamIds = [] }: User,
  { organisation, teamIds }: Grant,
): JsonObject {
  if (!organisation || !teamIds.includes(teamId)) return {};
  const { id: enterprise_id, name: enterprise_name } = organisation;
  const role = { is_admin: orgRole !== undefined, is_owner: orgRole === 'owner' };
  return {
    enterprise_user: { id, enterprise_id, enterprise_name, ...role, teams: [teamId, ...otherTeamIds] },
  };
}

function userJson(user: User, { store, now }: MethodContext, withLocale: boolean): JsonObject {
  const { world } = store;
  const isOutside = user.teamId !== world.team.id;
  return {
    id: user.id,
    team_id: user.teamId,
    name: user.name,
    real_name: user.realName,
    deleted: user.isDeactivated ?? (user.isBot && user.id !== world.app.botUserId),
    tz: user.zone,
    tz_label: user.zone,
    tz_offset: tzOffset(user.zone, new Date(now())) * 60,
    profile: { real_name: user.realName, display_name: user.name, team: user.teamId },
    is_admin: user.isAdmin,
    is_owner: user.isAdmin,
    is_primary_owner: user.isAdmin,
    is_restricted: user.isGuest ?? false,
    is_ultra_restricted: false,
    is_bot: user.isBot,
    is_app_user: false,
    // Slack's definition: from another workspace, and in no shared channel that the app can see.
    ...(isOutside ? { is_stranger: !sharesChannel(user, store) } : {}),
    ...(withLocale ? { locale: user.locale ?? 'en-GB' } : {}),
    updated: 0,
  };
}

function sharesChannel(user: User, store: Store): boolean {
  for (const channel of store.channels()) {
    if (channel.isShared && channel.memberIds.includes(user.id) && isMember(channel, store)) return true;
  }
  return false;
}
