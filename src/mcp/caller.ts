import type { ServerContext } from '@modelcontextprotocol/server';
import type { Asker } from '../run/run-line.ts';

/**
 * The person for whom an assistant asks, and what they may see. `place`: their direct message with the bot, in which their own
 * watches stand; left out where there is no workspace.
 */
export interface Caller extends Asker {
  /** The assistant shows Block Kit: Slackbot. */
  showsBlocks: boolean;
}

/** Throws UserError for somebody whom Landfall does not serve. */
export type FindCaller = (context: ServerContext) => Promise<Caller> | Caller;
