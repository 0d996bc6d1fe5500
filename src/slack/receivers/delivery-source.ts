import type { AuthorizeSourceData } from '@slack/bolt';
import { z } from 'zod';
import type { DeliverySource } from '../../workspaces/installations.ts';

const id = z.string().min(1).nullish();

type BoltSource = Pick<AuthorizeSourceData<boolean>, 'enterpriseId' | 'isEnterpriseInstall'>;

/** Parts of events, commands and interactions that name a workspace. */
const named = z.object({
  event: z.unknown().optional(),
  authorizations: z.array(z.object({ team_id: id })).optional(),
  context_team_id: id,
  is_ext_shared_channel: z.boolean().optional(),
  team_id: id,
  view: z.object({ app_installed_team_id: id }).nullish(),
  team: z.object({ id }).nullish(),
  user: z.object({ team_id: id }).nullish().catch(undefined),
});

/**
 * Finds the installation that a delivery is for. What Bolt says of the team isn't used: in a channel that organisations
 * share, it may be the host of the channel, or the workspace of an outsider.
 */
export function deliverySourceOf(
  body: unknown,
  { enterpriseId, isEnterpriseInstall }: BoltSource,
): DeliverySource {
  const { data } = named.safeParse(body);
  const teamId =
    data && (data.event ? teamOfEvent(data) : teamOfInteraction(data, { enterpriseId, isEnterpriseInstall }));
  return {
    isEnterpriseInstall,
    ...(teamId && { teamId }),
    ...(enterpriseId && { enterpriseId }),
  };
}

type Named = z.infer<typeof named>;

/** Of an org-wide installation, the authorization may name no team. */
function teamOfEvent({ authorizations, context_team_id, is_ext_shared_channel, team_id }: Named) {
  return authorizations?.[0]?.team_id ?? context_team_id ?? (is_ext_shared_channel ? undefined : team_id);
}

/**
 * Slack names no workspace in many interactions with an org-wide installation. Then the person's is tried: it counts only
 * if Slack lists it among those of the organisation (see installations.ts), which it doesn't for an outsider.
 */
function teamOfInteraction(
  { team_id, view, team, user }: Named,
  { enterpriseId, isEnterpriseInstall }: BoltSource,
) {
  // Of a view, Slack may name the organisation here.
  const installedAt = view?.app_installed_team_id;
  const teamId = team_id ?? (installedAt === enterpriseId ? undefined : installedAt) ?? team?.id;
  return teamId ?? (isEnterpriseInstall ? user?.team_id : undefined);
}
