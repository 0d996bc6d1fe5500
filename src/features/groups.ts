import type { Imo } from '../reference/imo.ts';
import type { Actor } from '../workspaces/permissions.ts';

/** A fleet of the workspace as it is now. */
interface FoundFleet {
  name: string;
  imos: readonly [Imo, ...Imo[]];
}

/** Throws UserError where there is none of that name; `lineOf` makes the line that a near name is offered with. */
export type FindFleet = (name: string, lineOf?: (words: string) => string) => Promise<FoundFleet>;

/** Groups of vessels that a line can name. The registry puts them together: they belong to several features. */
export interface Groups {
  findFleet: FindFleet;
  /** Those that a channel watches, or that a person owns a watch of. Throws UserError for a non-member. */
  watchedVessels(whose: { channelId: string } | { ownerId: string }, actor: Actor): Promise<readonly Imo[]>;
}
