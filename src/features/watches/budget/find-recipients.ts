import type { WorkspaceStore } from '../../../database/workspace-store.ts';
import type { SlackServices } from '../../services.ts';

const maxAsked = 100;
const maxFound = 20;

/**
 * The admins who use Landfall: they own a watch or a digest, have changed something, connected the account or installed
 * the app. Slack has no list of admins for a bot. If there are none, the owners of watches, who can stop them.
 */
export async function findRecipients({
  store,
  slack,
}: {
  store: WorkspaceStore;
  slack: Pick<SlackServices, 'personOf' | 'asksOnly'>;
}): Promise<{ userIds: string[]; areAdmins: boolean }> {
  const owners = store
    .selectFrom('watches')
    .select('owner_id as userId')
    .where('status', '=', 'active')
    .union(store.selectFrom('digests').select('owner_id as userId'));
  const users = await owners
    .union(store.selectFrom('audit').select('actor_id as userId'))
    .union(store.selectFrom('accounts').select('updated_by as userId'))
    .union(
      store.allWorkspaces
        .selectFrom('installations')
        .select('installer_id as userId')
        .where('id', '=', store.selectFrom('workspaces').select('installation_id')),
    )
    .orderBy('userId')
    .limit(maxAsked)
    .execute();
  const reachable = await keep(users, async (userId) => {
    const { isGone, isOutside } = await slack.personOf(userId);
    // Guests who may only ask don't see costs.
    return !isGone && !isOutside && !(await slack.asksOnly(userId));
  });
  const admins = await keep(reachable, async (userId) => (await slack.personOf(userId)).isAdmin);
  const areAdmins = admins.length > 0;
  const found = areAdmins ? admins : intersection(reachable, await owners.execute());
  return { userIds: found.slice(0, maxFound).map(({ userId }) => userId), areAdmins };
}

interface User {
  userId: string;
}

async function keep(users: readonly User[], isKept: (userId: string) => Promise<boolean>): Promise<User[]> {
  const kept = await Promise.all(users.map(({ userId }) => isKept(userId)));
  return users.filter((_, index) => kept[index]);
}

function intersection(users: readonly User[], others: readonly User[]): User[] {
  const ids = new Set(others.map(({ userId }) => userId));
  return users.filter(({ userId }) => ids.has(userId));
}
