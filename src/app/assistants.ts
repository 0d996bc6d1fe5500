import { createCache } from '../cache.ts';
import { type AllWorkspaces, storeOf } from '../database/workspace-store.ts';
import { ownLines, StoreUnavailable, UserError } from '../errors.ts';
import { createFairQueue } from '../fair-queue.ts';
import { commands } from '../features/index.ts';
import { type Logger, referenceToShow, underReference } from '../log.ts';
import { type Confirm, createMcpEndpoint, type Sender, type ServerOf } from '../mcp/endpoint.ts';
import { createMcpServers } from '../mcp/server.ts';
import type { Measure, RefusedAssistant } from '../measure.ts';
import type { SlackUser } from '../slack/people/lookups.ts';
import {
  createRateLimit,
  isLikeSlackbot,
  type ReadBody,
  readAssistantRequest,
} from '../slack/receivers/http.ts';
import {
  type FoundAssistantToken,
  findAssistantToken,
  hashOfToken,
  isAssistantToken,
  recordUse,
} from '../workspaces/assistant-tokens.ts';
import type { DeliverySource } from '../workspaces/installations.ts';
import type { Workspace } from './workspace.ts';

const refusals: ReadonlyMap<number, RefusedAssistant> = new Map([
  [401, 'unknown'],
  [413, 'body'],
  [429, 'too-many'],
  [503, 'body'],
]);

/** A command's deadline, as in Slack. */
const deadlineMs = 15_000;

export interface AssistantsOptions {
  /** Undefined without one: then only tokens open the door. */
  signingSecret: string | undefined;
  /** The names under which this server is reached. */
  hosts: readonly string[];
  readBody: ReadBody;
  db: AllWorkspaces;
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
  const { signingSecret, hosts, find, open, realNow, measure, logger } = options;
  const endpoint = createMcpEndpoint({ identify, readBody, hosts, retrySeconds, logger });
  const takeTurn = createCallTurns(callLimits);
  const takeOtherTurn = createCallTurns(otherLimits);
  const mayAsk = createRateLimit({ ...assistantLimit, realNow });
  const findToken = createFindToken(options);
  const serversFor = createMcpServers({ ...options, commands, hasWorkspace: true, deadlineMs, takeTurn });

  /** Undefined for a request with neither a valid token nor what can be Slack's signature. */
  async function identify(headers: Headers): Promise<Confirm | undefined> {
    const token = /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1];
    if (token !== undefined) return identifyToken(token);
    return isLikeSlackbot(headers, realNow()) ? (body) => identifySlack(headers, body) : undefined;
  }

  async function identifyToken(token: string): Promise<Confirm | undefined> {
    const found = await findToken(token);
    const workspace = found && (await open(found.workspaceId));
    if (!workspace) return undefined;
    const { personId: id, scope } = found;
    // A token outlives a membership, so Slack decides whether they still belong here.
    const user = { id, teamId: undefined };
    const sender = senderOf(
      id,
      serverFor(workspace, { user, mayChange: scope === 'write', showsBlocks: false }),
    );
    return async () => sender;
  }

  async function identifySlack(headers: Headers, body: string): Promise<Sender | undefined> {
    const signed = readAssistantRequest({ headers, body }, { signingSecret, nowMs: realNow() });
    if (!signed) return undefined;
    const { user } = signed;
    if (!user) return senderOf('nobody', serverForNobody('Slack does not say who asks.'));
    const { id, teamId, enterpriseId } = user;
    if (!mayAsk(`${teamId} ${id}`)) throw tooManyRequests();
    const workspaceId = await find({ teamId, enterpriseId, isEnterpriseInstall: false });
    const workspace = workspaceId === undefined ? undefined : await open(workspaceId);
    if (!workspace) return senderOf(id, serverForNobody('Landfall is not installed in this workspace.'));
    return senderOf(id, serverFor(workspace, { user, mayChange: true, showsBlocks: true }));
  }

  const senderOf = (personId: string, serverOf: ServerOf): Sender => ({
    serverOf,
    takeTurn: (signal) => takeOtherTurn(personId, signal),
  });

  async function readBody({ body, headers }: Request): Promise<string | 413 | 503> {
    if (!body) return '';
    const chunks = body.values({ preventCancel: true });
    const read = await options.readBody(chunks, headers.get('content-length'));
    return typeof read === 'number' ? read : read.toString();
  }

  const serverFor = (
    workspace: Workspace,
    { user, mayChange, showsBlocks }: { user: SlackUser; mayChange: boolean; showsBlocks: boolean },
  ): ServerOf =>
    serversFor(async () => {
      const { admit, ...caller } = await workspace.findCaller(user);
      return {
        ...caller,
        audience: 'private',
        showsBlocks,
        admit(prepared) {
          if (!mayChange && !prepared.repeatable) throw mayOnlyAsk();
          admit(prepared);
        },
      };
    });

  /** It lists the tools, but none of them can be called. */
  const serverForNobody = (message: string): ServerOf =>
    serversFor(() => {
      throw new UserError({ code: 'unknown-person', message });
    });

  return {
    /** Under a reference of its own, which each error names. */
    answer: (request: Request): Promise<Response> =>
      underReference(() =>
        endpoint
          .answer(request)
          .then(counted)
          .catch((error: unknown) => {
            if (!request.signal.aborted) return failed(error);
            // Anybody can hang up, also before it is known who asks: that is no failure.
            logger.debug({ surface: 'mcp' }, 'an assistant hung up');
            return new Response(null, { status: 400 });
          }),
      ),
    close: endpoint.close,
  };

  function counted(response: Response): Response {
    const reason = refusals.get(response.status);
    if (reason) measure({ kind: 'refused-request', surface: 'assistant', reason });
    return response;
  }

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
    hint: `An admin can make another one: type /${ownLines.assistants} in Slack.`,
  });

/** In the whole process. */
export const callLimits = { maxAtOnce: 4, maxWaiting: 40, maxWaitingOfPerson: 12 };

/** Of other requests, such as the list of tools: they only compute, so they don't wait for calls, which wait for the service. */
const otherLimits = { ...callLimits, maxAtOnce: 1 };

/** About as long as the calls that wait take. */
export const retrySeconds = 5;

/**
 * Bounds the calls of assistants. People take turns, so a burst of one assistant delays neither people in Slack nor other
 * assistants much. Returns a function that waits for a person's turn and returns the function that ends it. It throws
 * UserError too-busy if too many calls wait already, and the signal's reason.
 */
export function createCallTurns({
  maxAtOnce,
  maxWaiting,
  maxWaitingOfPerson,
}: {
  maxAtOnce: number;
  maxWaiting: number;
  maxWaitingOfPerson: number;
}): (personId: string, signal: AbortSignal) => Promise<() => void> {
  const queue = createFairQueue({ max: () => maxAtOnce });
  return async (personId, signal) => {
    // A few people with many calls each shut nobody else out.
    const maxOwn = queue.waiting() < maxWaiting ? maxWaitingOfPerson : 1;
    if (queue.waiting(personId) >= maxOwn) throw tooBusy();
    return await queue.enter({ takers: () => [personId], signal });
  };
}

/** A sender who sends more than `assistantLimit` allows. */
export const tooManyRequests = (): UserError =>
  new UserError({
    code: 'too-busy',
    message: 'This assistant sends too many requests.',
    hint: `Try again in ${retrySeconds} seconds.`,
  });

const tooBusy = (): UserError =>
  new UserError({
    code: 'too-busy',
    message: 'Landfall is busy: too many calls of assistants are waiting.',
    hint: `Try again in ${retrySeconds} seconds, with fewer calls at once.`,
  });

/** Requests with one token, or of one person whom Slackbot asks for: more than an assistant needs for a conversation. */
export const assistantLimit = { max: 60, perMinute: 120 };

/**
 * Tokens that this process looks up without having found them before. Anybody can make tokens up, so others' new tokens
 * have to get through among them: a look-up costs little more than the request itself.
 */
export const unknownTokenLimit = { max: 600, perMinute: 6_000 };

const rememberedMs = 24 * 3_600_000;

/**
 * Returns a function that finds a valid token in the store, each time, so that a revoked one is refused at once. Before that, a
 * token that was found before counts against its own limit, and all others against one. Throws UserError too-busy.
 */
export function createFindToken({ db, realNow }: { db: AllWorkspaces; realNow: () => number }) {
  const mayAsk = createRateLimit({ ...assistantLimit, realNow });
  const mayTry = createRateLimit({ ...unknownTokenLimit, realNow });
  /** The hashes of tokens that were found. */
  const known = createCache<string>({ ttlMs: rememberedMs, realNow });

  return async (token: string): Promise<FoundAssistantToken | undefined> => {
    if (!isAssistantToken(token)) return undefined;
    const hash = hashOfToken(token);
    const isAllowed = known.get(hash) === undefined ? mayTry('all') : mayAsk(hash);
    if (!isAllowed) throw tooManyRequests();
    const at = new Date(realNow());
    const found = await findAssistantToken(db, token, at);
    if (!found) {
      known.delete(hash);
      return undefined;
    }
    known.set(hash, found.id);
    await recordUse(storeOf(db, found.workspaceId), found.id, at);
    return found;
  };
}
