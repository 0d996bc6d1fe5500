import type { AnalyticsClient } from '../../src/analytics/client.ts';
import type { CommandTool } from '../../src/features/command.ts';
import { commands, featuresOver } from './registry.ts';
import { parsing, runContext } from './run-command.ts';

/** For parsing only. */
export const tools: readonly CommandTool[] = commands.flatMap((command) => command.tools);

export function toolNamed(name: string, among = tools): CommandTool {
  const tool = among.find((each) => each.name === name);
  if (!tool) throw new Error(`there is no tool ${name}`);
  return tool;
}

/** The canonical line that the fields become. */
export const lineOf = (name: string, input: unknown): string => toolNamed(name).prepare(input, parsing).line;

/** Returns a function that calls a tool over this client. */
export function toolsOver(analytics: AnalyticsClient, clock: () => Date) {
  const { ctx, commands } = featuresOver(analytics, { clock });
  const all = commands.flatMap((command) => command.tools);
  return async (name: string, input: unknown) => {
    const prepared = toolNamed(name, all).prepare(input, parsing);
    return await prepared.run({ ...runContext(ctx), now: clock });
  };
}
