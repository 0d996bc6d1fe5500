import type { ServerContext } from '@modelcontextprotocol/server';
import type { PreparedTool } from '../features/command.ts';
import type { RunContext } from '../features/run-context.ts';
import type { Reader } from '../messages/message.ts';

/**
 * The person for whom an assistant asks, and what they may see. `place`: their direct message with the bot, in which their own
 * watches stand; left out where there is no workspace.
 */
export interface Caller extends Pick<RunContext, 'actor' | 'place' | 'idempotencyKey'> {
  audience: Reader['audience'];
  /** The assistant shows Block Kit: Slackbot. */
  showsBlocks: boolean;
  /** Throws UserError if this person may not call the tool. */
  admit?(prepared: PreparedTool): Promise<void> | void;
}

/** Throws UserError for somebody whom Landfall does not serve. */
export type FindCaller = (context: ServerContext) => Promise<Caller> | Caller;
