/** The workspace that the bot is installed in, and the bot itself: what `auth.test` says at start. */
export interface Installation {
  teamId: string;
  teamName: string;
  enterpriseId: string | undefined;
  botUserId: string;
  botId: string | undefined;
}

/** Whose a person is by the payload's own word; `unsaid` where it names no workspace. */
export type Home = 'inside' | 'outside' | 'unsaid';

/** Where it says nothing, what `users.info` says decides (people.ts). */
export function homeOf(
  user: { teamId: string | undefined; enterpriseId?: string | undefined },
  installation: Installation,
): Home {
  if (!user.teamId) return 'unsaid';
  if (user.teamId === installation.teamId) return 'inside';
  return !installation.enterpriseId || user.enterpriseId !== installation.enterpriseId ? 'outside' : 'inside';
}

/** Does a delivery's own word for its place name this installation? On Enterprise Grid its team may be null. */
export function isForInstallation(
  body: { team_id?: string | null; enterprise_id?: string | null },
  { teamId, enterpriseId }: Installation,
): boolean {
  if (body.team_id) return body.team_id === teamId;
  return Boolean(enterpriseId) && body.enterprise_id === enterpriseId;
}
