import { ApiError } from '../blocks/content.ts';
import type { ResponseUrls } from '../delivery/response-url.ts';
import { type JsonObject, nonEmptyString } from '../json.ts';
import { visibleFile } from './file-methods.ts';
import type { Grant } from './grant.ts';
import type { Method, MethodContext } from './method.ts';

/** A workspace as the Web API sees it. */
export interface ApiWorkspace {
  context: MethodContext;
  methods: ReadonlyMap<string, Method>;
  responseUrls: ResponseUrls;
}

/** With an org-wide token these need `team_id`; all others name a conversation, a person or something of theirs. */
const NEED_TEAM_ID = new Set(['bots.info', 'conversations.list', 'users.conversations', 'users.list']);

/** The workspace in which a call acts. Throws ApiError: account_inactive, missing_argument, team_access_not_granted. */
export function workspaceOf<W extends ApiWorkspace>(
  workspaces: readonly W[],
  { grant, name, args }: { grant: Grant; name: string; args: JsonObject },
): W {
  const reachable = workspaces.filter(({ context }) => grant.teamIds.includes(context.store.world.team.id));
  const [first] = reachable;
  if (!first) throw new ApiError('account_inactive');
  if (!grant.organisation) return first;
  const teamId = nonEmptyString(args.team_id);
  if (!teamId && NEED_TEAM_ID.has(name)) {
    const messages = ['[ERROR] missing required field: team_id'];
    throw new ApiError('missing_argument', { response_metadata: { messages } });
  }
  const named = reachable.find(({ context }) => context.store.world.team.id === teamId);
  if (teamId && !named) throw new ApiError('team_access_not_granted');
  return reachable.find(({ context }) => owns(context, args)) ?? named ?? first;
}

/** True if the arguments name something of this workspace. */
function owns(context: MethodContext, args: JsonObject): boolean {
  const { store, views } = context;
  const channelId = nonEmptyString(args.channel) ?? nonEmptyString(args.channel_id) ?? '';
  const userIds = [args.user, args.user_id, channelId, ...String(args.users ?? '').split(',')];
  const [, teamId] = String(args.trigger_id ?? '').split('.');
  return (
    store.channel(channelId)?.id === channelId ||
    userIds.some((id) => store.user(nonEmptyString(id) ?? '')?.teamId === store.world.team.id) ||
    teamId === store.world.team.id ||
    views.find(nonEmptyString(args.view_id) ?? '') !== undefined ||
    visibleFile(context, nonEmptyString(args.file) ?? '') !== undefined
  );
}
