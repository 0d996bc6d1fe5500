import type { PageUser } from '../../page-api/page-api.ts';
import { SLACKBOT } from '../../world/world.ts';

/** Slackbot is in every workspace, but nobody mentions it, and nobody can be it. */
export const isSomebody = (user: PageUser): boolean => user.id !== SLACKBOT;
