/** The workspace and the bot's own user, from `auth.test` at the start. */
export interface Installation {
  teamId: string;
  teamName: string;
  enterpriseId: string | undefined;
  botUserId: string;
  botId: string | undefined;
}

/** Is a person of this workspace, by the payload? `unsaid`: it names no workspace. */
export type Home = 'inside' | 'outside' | 'unsaid';

/** For `unsaid` people.ts asks `users.info`. */
export function homeOf(
  user: { teamId: string | undefined; enterpriseId?: string | undefined },
  installation: Installation,
): Home {
  if (!user.teamId) return 'unsaid';
  if (user.teamId === installation.teamId) return 'inside';
  return !installation.enterpriseId || user.enterpriseId !== installation.enterpriseId ? 'outside' : 'inside';
}

/** Is a delivery for this installation? On Enterprise Grid its team may be null. */
export function isForInstallation(
  body: { team_id?: string | null; enterprise_id?: string | null },
  { teamId, enterpriseId }: Installation,
): boolean {
  if (body.team_id) return body.team_id === teamId;
  return Boolean(enterpriseId) && body.enterprise_id === enterpriseId;
}
