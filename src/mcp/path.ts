/** Where assistants reach the server over HTTP. Apart from the rest, which takes 35 MB of memory once it is loaded. */
export const mcpPath = '/mcp';
