import { McpServer } from '@modelcontextprotocol/server';
import type { Command } from '../features/command.ts';
import { type CallServices, createCallTool } from './call-tool.ts';
import type { FindCaller } from './caller.ts';
import { instructions } from './instructions.ts';
import { withReadableErrors } from './readable-errors.ts';
import { registerResources } from './resources.ts';
import { createToolShapes, type ToolShapes } from './tool-shapes.ts';

interface McpOptions extends CallServices {
  commands: readonly Command[];
  version: string;
  /** Offers the tools about what a Slack workspace has stored. The caller then needs a `place`. */
  hasWorkspace: boolean;
  findCaller: FindCaller;
  /** To be shared by the factories of a process. */
  shapeOf?: ToolShapes;
}

/** Nobody has to be notified of a change, so no subscription holds a connection open. */
const unchanging = { listChanged: false };

/**
 * Returns a factory of servers, for any transport: it is asked for one for each connection, or for each HTTP request. They
 * share nothing but the services.
 */
export function createMcpFactory({
  commands,
  version,
  hasWorkspace,
  findCaller,
  shapeOf = createToolShapes(),
  ...services
}: McpOptions): () => McpServer {
  const tools = commands
    .flatMap((command) => command.tools)
    .filter(({ needsSlack }) => hasWorkspace || !needsSlack);
  const callTool = createCallTool(services, { tools, findCaller });
  return () => {
    const server = new McpServer(
      { name: 'landfall', title: 'Landfall', version },
      {
        instructions: instructions(services.source),
        capabilities: { tools: unchanging, resources: unchanging },
      },
    );
    for (const tool of tools)
      server.registerTool(tool.name, shapeOf(tool), (input, context) => callTool(tool, input, context));
    registerResources(server);
    return withReadableErrors(server);
  };
}
