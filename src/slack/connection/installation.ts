/** The workspace that the bot is installed in, and the bot itself: what `auth.test` says at start. */
export interface Installation {
  teamId: string;
  teamName: string;
  enterpriseId: string | undefined;
  botUserId: string;
  botId: string | undefined;
}

/**
 * Does a payload's own word for the user's home name another organisation? Where it says nothing, what
 * `users.info` says decides (people.ts).
 */
export function isOutside(
  user: { teamId: string | undefined; enterpriseId?: string | undefined },
  installation: Installation,
): boolean {
  if (!user.teamId || user.teamId === installation.teamId) return false;
  return !installation.enterpriseId || user.enterpriseId !== installation.enterpriseId;
}

/** Does a delivery's own word for its place name this installation? On Enterprise Grid its team may be null. */
export function isForInstallation(
  body: { team_id?: string | null; enterprise_id?: string | null },
  { teamId, enterpriseId }: Installation,
): boolean {
  if (body.team_id) return body.team_id === teamId;
  return Boolean(enterpriseId) && body.enterprise_id === enterpriseId;
}
