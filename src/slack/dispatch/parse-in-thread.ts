import { messageOf, UserError } from '../../errors.ts';
import type { ParsedLine } from '../../features/command.ts';
import type { RunContext } from '../../features/run-context.ts';
import type { Logger } from '../../log.ts';
import type { Lookups } from '../people/lookups.ts';
import { type Ask, destinationOf } from './ask.ts';
import type { WorkspaceEdge } from './workspace-edge.ts';

type Asked = Omit<Ask, 'line'>;

/** Parses a line; one without a vessel is about those of the thread in which it was typed. Throws UserError. */
export function createParseInThread(options: {
  workspace: Pick<WorkspaceEdge, 'all' | 'ctx' | 'parseLine'>;
  lookups: Pick<Lookups, 'firstOfThread'>;
  isAgent: boolean;
  logger: Logger;
}) {
  const { workspace, lookups, isAgent, logger } = options;

  /** Those that a feature knows. Empty if they can't be read: then the line has to name its vessel. */
  async function vesselsOfThread({ channelId, threadTs }: Asked) {
    if (threadTs === undefined) return [];
    try {
      const thread = { channelId, threadTs };
      const vessels = workspace.all.map((feature) => feature.vesselsOfThread?.(thread, workspace.ctx) ?? []);
      return (await Promise.all(vessels)).flat();
    } catch (error) {
      logger.warn({ err: error }, "a thread's vessels can't be read");
      return [];
    }
  }

  /** The person's own message above: with an agent, each question begins a thread. */
  async function textAbove(ask: Asked): Promise<string | undefined> {
    const { channelId, threadTs, user } = ask;
    if (!isAgent || threadTs === undefined || destinationOf(ask) !== 'direct-message') return undefined;
    try {
      const { userId, text } = await lookups.firstOfThread({ channelId, threadTs });
      return userId === user.id ? text : undefined;
    } catch (error) {
      logger.warn({ reason: messageOf(error) }, "a thread's first message can't be read");
      return undefined;
    }
  }

  return async (line: string, ask: Asked, vessels: RunContext['vessels']): Promise<ParsedLine> => {
    const threadVessels = await vesselsOfThread(ask);
    try {
      return workspace.parseLine(line, { vessels, threadVessels });
    } catch (error) {
      // Slack is asked only where the line can't do without.
      const isIncomplete = error instanceof UserError && threadVessels.length === 0;
      const threadText = isIncomplete ? await textAbove(ask) : undefined;
      if (threadText === undefined) throw error;
      return workspace.parseLine(line, { vessels, threadText });
    }
  };
}
