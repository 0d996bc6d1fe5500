import { McpServer, type StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { Command, CommandTool } from '../features/command.ts';
import { type CallServices, createCallTool } from './call-tool.ts';
import type { FindCaller } from './caller.ts';
import { instructions } from './instructions.ts';
import { withReadableErrors } from './readable-errors.ts';
import { registerResources } from './resources.ts';

interface McpOptions extends CallServices {
  commands: readonly Command[];
  version: string;
  /** Offers the tools about what a Slack workspace has stored. The caller then needs a `place`. */
  hasWorkspace: boolean;
  findCaller: FindCaller;
}

/**
 * Returns a factory of servers, for any transport: it is asked for one for each connection, or for each HTTP request. They
 * share nothing but the services.
 */
export function createMcpFactory({
  commands,
  version,
  hasWorkspace,
  findCaller,
  ...services
}: McpOptions): () => McpServer {
  const tools = commands
    .flatMap((command) => command.tools)
    .filter(({ needsSlack }) => hasWorkspace || !needsSlack);
  const callTool = createCallTool(services, { tools, findCaller });
  return () => {
    const server = new McpServer(
      { name: 'landfall', title: 'Landfall', version },
      { instructions: instructions(services.source) },
    );
    for (const tool of tools)
      server.registerTool(tool.name, shapeOf(tool), (input, context) => callTool(tool, input, context));
    registerResources(server);
    return withReadableErrors(server);
  };
}

const shapeOf = ({ title, description, effect, input, output }: CommandTool) => ({
  title,
  description,
  inputSchema: advertised(input.strict()),
  outputSchema: output,
  annotations: {
    title,
    readOnlyHint: effect === 'reads',
    destructiveHint: effect === 'removes',
    idempotentHint: true,
    // It asks a service whose answers change.
    openWorldHint: true,
  },
  _meta: { slack: { supportsBlockKit: true } },
});

/** Only tells what the fields are: the tool itself reads them, so that errors are in its own words. */
function advertised(schema: z.ZodObject): StandardSchemaWithJSON<unknown, unknown> {
  const { version, vendor, jsonSchema } = schema['~standard'];
  return { '~standard': { version, vendor, jsonSchema, validate: (value) => ({ value }) } };
}
