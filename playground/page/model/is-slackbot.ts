import type { PageUser } from '../../src/page-api/page-api.ts';
import { SLACKBOT } from '../../src/world/world.ts';

/** Slackbot belongs to every workspace, but nobody can mention it or act as it. */
export const isSlackbot = (user: PageUser): boolean => user.id === SLACKBOT;
