import { StoreUnavailable, UserError } from '../errors.ts';
import { type Logger, referenceToShow, underReference } from '../log.ts';
import { createMcpEndpoint, type ServerOf, type UnknownRequest } from '../mcp/endpoint.ts';
import { createMcpFactory } from '../mcp/server.ts';
import type { Measure } from '../measure.ts';
import type { SlackUser } from '../slack/connection/installation.ts';
import { readAssistantRequest } from '../slack/receivers/assistant-request.ts';
import type { FoundAssistantToken } from '../workspaces/assistant-tokens.ts';
import type { DeliverySource } from '../workspaces/installations.ts';
import { callLimits, createCallTurns } from './call-turns.ts';
import { listCommands } from './terminal.ts';
import type { Workspace } from './workspace.ts';

/** A command's deadline, as in Slack. */
const deadlineMs = 15_000;

export interface AssistantsOptions {
  /** Undefined without one: then only tokens open the door. */
  signingSecret: string | undefined;
  /** The names under which this server is reached. */
  hosts: readonly string[];
  /** Undefined for a token that is unknown, expired or revoked. */
  findToken(token: string): Promise<FoundAssistantToken | undefined>;
  find(source: DeliverySource): Promise<string | undefined>;
  open(workspaceId: string): Promise<Workspace | undefined>;
  version: string;
  source: 'service' | 'sandbox';
  /** The domain clock. */
  now: () => Date;
  realNow: () => number;
  measure: Measure;
  logger: Logger;
}

/** POST /mcp for assistants: Slackbot, whose requests Slack signs, and others, with a token that an admin made. */
export function createAssistants(options: AssistantsOptions) {
  const { signingSecret, hosts, findToken, find, open, realNow, logger } = options;
  const endpoint = createMcpEndpoint({ identify, hosts, logger });
  const takeTurn = createCallTurns({ ...callLimits, realNow });
  const common = { ...options, hasWorkspace: true, deadlineMs, takeTurn };

  /** Undefined for a request with neither a valid token nor Slack's signature. */
  async function identify(request: UnknownRequest): Promise<ServerOf | undefined> {
    const token = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
    return token === undefined ? identifySlack(request) : identifyToken(token);
  }

  async function identifyToken(token: string): Promise<ServerOf | undefined> {
    const found = await findToken(token);
    const workspace = found && (await open(found.workspaceId));
    if (!workspace) return undefined;
    const { personId: id, scope } = found;
    // A token outlives a membership, so Slack decides whether they still belong here.
    const user = { id, teamId: undefined };
    return serverFor(workspace, { user, mayChange: scope === 'write', showsBlocks: false });
  }

  async function identifySlack(request: UnknownRequest): Promise<ServerOf | undefined> {
    const signed = readAssistantRequest(request, { signingSecret, nowMs: realNow() });
    if (!signed) return undefined;
    const { user } = signed;
    if (!user) return serverForNobody('Slack does not say who asks.');
    const { teamId, enterpriseId } = user;
    const workspaceId = await find({ teamId, enterpriseId, isEnterpriseInstall: false });
    const workspace = workspaceId === undefined ? undefined : await open(workspaceId);
    if (!workspace) return serverForNobody('Landfall is not installed in this workspace.');
    return serverFor(workspace, { user, mayChange: true, showsBlocks: true });
  }

  const serverFor = (
    { assistant }: Workspace,
    { user, mayChange, showsBlocks }: { user: SlackUser; mayChange: boolean; showsBlocks: boolean },
  ): ServerOf =>
    createMcpFactory({
      ...common,
      ...assistant,
      async findCaller() {
        const { admit, ...caller } = await assistant.findCaller(user);
        return {
          ...caller,
          audience: 'private',
          showsBlocks,
          admit(prepared) {
            if (!mayChange && !prepared.repeatable) throw mayOnlyAsk();
            admit(prepared);
          },
        };
      },
    });

  /** It lists the tools, but none of them can be called. */
  const serverForNobody = (message: string): ServerOf =>
    createMcpFactory({
      ...common,
      commands: listCommands(),
      vessels: refuse,
      toServiceTrouble: (cause) => cause,
      async findCaller() {
        throw new UserError({ code: 'unknown-person', message });
      },
    });

  return {
    /** Under a reference of its own, which each error names. */
    answer: (request: Request): Promise<Response> =>
      underReference(() =>
        endpoint.answer(request).catch((error: unknown) => {
          if (!request.signal.aborted) return failed(error);
          // Anybody can hang up, also before it is known who asks: that is no failure.
          logger.debug({ surface: 'mcp' }, 'an assistant hung up');
          return new Response(null, { status: 400 });
        }),
      ),
    close: endpoint.close,
  };

  function failed(err: unknown): Response {
    const ref = referenceToShow();
    logger.error({ surface: 'mcp', ref, err }, 'a request of an assistant failed');
    const error = err instanceof StoreUnavailable ? 'temporarily_unavailable' : 'server_error';
    return Response.json({ error, error_description: `Try again in a minute (ref ${ref})` }, { status: 503 });
  }
}

const mayOnlyAsk = (): UserError =>
  new UserError({
    code: 'not-allowed',
    message: 'This token may only ask. Nothing was changed.',
    hint: 'An admin can make another one: type /landfall assistants in Slack.',
  });

async function refuse(): Promise<never> {
  throw new Error('nobody asks');
}
