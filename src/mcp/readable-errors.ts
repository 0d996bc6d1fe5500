import { isJSONRPCErrorResponse, type McpServer, ProtocolErrorCode } from '@modelcontextprotocol/server';

/** What zod says about a value, as JSON, and the colon before it. */
const issues = /:?\s*\[\s*\{.*$/s;

/** Shortens the errors in which the SDK quotes zod about a malformed request: a model reads them. */
export function withReadableErrors(server: McpServer): McpServer {
  const connect = server.connect.bind(server);
  server.connect = (transport) => {
    const send = transport.send.bind(transport);
    transport.send = (message, options) =>
      send(
        isJSONRPCErrorResponse(message) ? { ...message, error: reworded(message.error) } : message,
        options,
      );
    return connect(transport);
  };
  return server;
}

function reworded<Reply extends { code: number; message: string }>(error: Reply): Reply {
  if (!issues.test(error.message)) return error;
  const what = error.message.replace(issues, '').trim();
  const message = what === '' ? 'The parameters of this request are not valid' : what;
  return { ...error, code: ProtocolErrorCode.InvalidParams, message };
}
