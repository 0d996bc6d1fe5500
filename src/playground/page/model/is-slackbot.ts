import type { PageUser } from '../../page-api/page-api.ts';
import { SLACKBOT } from '../../world/world.ts';

/** Slackbot belongs to every workspace, but nobody can mention it or act as it. */
export const isSlackbot = (user: PageUser): boolean => user.id === SLACKBOT;
