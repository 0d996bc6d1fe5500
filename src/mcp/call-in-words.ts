import type { CommandTool } from '../features/command.ts';
import type { ParseContext } from '../features/line.ts';
import type { Fields } from '../features/tool-fields.ts';

/** `the tool portcalls with port: "NLRTM"`. */
export function callInWords({ tool, fields }: { tool: CommandTool; fields: Fields }): string {
  const given = Object.entries(fields).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return `the tool ${tool.name}${given.length > 0 ? ` with ${given.join(', ')}` : ''}`;
}

/** The call that asks what a command line asks; undefined for a line that no tool asks, and for other words. */
export function lineAsCall(
  line: string,
  { tools, context }: { tools: readonly CommandTool[]; context: ParseContext },
): string | undefined {
  for (const tool of tools) {
    const fields = tool.fieldsOf(line, context);
    if (fields) return callInWords({ tool, fields });
  }
  return undefined;
}
