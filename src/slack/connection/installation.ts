/** The workspace and the bot's own user there. */
export interface Installation {
  teamId: string;
  teamName: string;
  enterpriseId: string | undefined;
  botUserId: string;
  botId: string | undefined;
  /** The token is that of the organisation, and works in several of its workspaces. */
  isOrgWide?: boolean;
  /** Where an admin allows more scopes. Undefined with the token in the settings. */
  grantUrl?: string | undefined;
}

/** The workspace of a person, as far as a payload names it. */
interface Team {
  teamId: string | undefined;
  enterpriseId?: string | undefined;
}

/** A person, as a payload names them. */
export interface SlackUser extends Team {
  id: string;
}

export function userOf(body: {
  user: { id: string; team_id?: string };
  enterprise?: { id: string } | null;
}): SlackUser {
  return { id: body.user.id, teamId: body.user.team_id, enterpriseId: body.enterprise?.id };
}

/** Does the person belong to this workspace? `unknown`: the payload names no workspace, so `users.info` decides. */
export type Membership = 'inside' | 'outside' | 'unknown';

export function membershipOf({ teamId, enterpriseId }: Team, installation: Installation): Membership {
  if (!teamId) return 'unknown';
  if (teamId === installation.teamId) return 'inside';
  return !installation.enterpriseId || enterpriseId !== installation.enterpriseId ? 'outside' : 'inside';
}
