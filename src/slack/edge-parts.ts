import type { Context } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import type { Logger } from '../log.ts';
import type { Measure } from '../measure.ts';
import type { SlackConnection } from './connection/connect.ts';
import { createDispatch, type Timing } from './dispatch/dispatch.ts';
import type { WorkspaceEdge } from './dispatch/workspace-edge.ts';
import { createChangeForm } from './forms/change-form.ts';
import { createSharedAck } from './forms/form-replies.ts';
import { createFindForm, createOpenForm } from './forms/open-form.ts';
import { createDrawHome } from './home/draw-home.ts';
import { createSuggestPrompts } from './home/suggest-prompts.ts';
import { createFindAssistantCaller } from './people/assistant-caller.ts';
import { createMessenger } from './posting/messenger.ts';
import { createStartStatus } from './posting/thread-status.ts';
import { createDeduplicate } from './receivers/deduplicate.ts';
import { createInFlight } from './receivers/in-flight.ts';
import { createRunStep } from './steps/run-step.ts';

export type EdgeBasis = ReturnType<typeof createEdgeBasis>;

/** What the workspaces of a process share at the edge. */
export function createEdgeBasis(options: {
  fetch: typeof globalThis.fetch;
  realNow: () => number;
  /** Slack treats direct messages with the app as those with an agent (SLACK_AGENT). */
  isAgent: boolean;
  measure: Measure;
  logger: Logger;
  timing?: Partial<Timing>;
}) {
  return {
    ...options,
    timing: { workingMs: 2_000, deadlineMs: 15_000, ...options.timing },
    inFlight: createInFlight(),
    deduplicate: createDeduplicate(options),
  };
}

export type EdgeParts = ReturnType<typeof createEdgeParts>;

/** The edge of one workspace: what the listeners need to answer a delivery for it. */
export function createEdgeParts({
  connection,
  workspace,
  basis,
}: {
  connection: SlackConnection;
  workspace: WorkspaceEdge;
  basis: EdgeBasis;
}) {
  const { fetch, inFlight, deduplicate, isAgent, measure, logger } = basis;
  const { apiUrl, getToken, installation, clients, lookups, refused } = connection;
  const { all: features, runDue, workspaceId, newId } = workspace;
  const client: WebClient = clients.posts;
  const findForm = createFindForm(features);
  const dispatch = createDispatch({ ...basis, workspace, installation, lookups });
  const findAssistantCaller = createFindAssistantCaller({ workspace, installation, lookups });
  const home = createDrawHome({ ...basis, workspace, dispatch, client });
  workspace.setAuditListener(({ actorId, ownerIds = [] }) => {
    for (const userId of new Set([actorId, ...ownerIds])) void inFlight.track(home.refresh(userId));
  });
  return {
    features,
    ctx: workspace.ctx,
    actions: new Map(features.flatMap(({ actions = [] }) => actions.map((action) => [action.id, action]))),
    shortcuts: new Map(
      features.flatMap(({ shortcuts = [] }) => shortcuts.map((shortcut) => [shortcut.id, shortcut])),
    ),
    findForm,
    openForm: createOpenForm({ client, findForm, newId }),
    changeForm: createChangeForm(client),
    shareAck: createSharedAck(),
    newId,
    dispatch,
    home,
    isAgent,
    suggestPrompts: createSuggestPrompts({ ...basis, workspace, dispatch, client: clients.reads }),
    inFlight,
    /** Runs the work of one delivery once, however often Slack repeats it. A stop waits for it. */
    runOnce: (key: string, work: () => Promise<void>) =>
      inFlight.track(deduplicate(`${workspaceId} ${key}`, work)),
    /** What a link asks; undefined for a link that no feature reads. */
    readLink: (url: string) =>
      features.map(({ readLink }) => readLink?.(url)).find((question) => question !== undefined),
    linkMode: workspace.linkMode,
    findAssistantCaller,
    runStep: createRunStep({ ...basis, workspace, findCaller: findAssistantCaller }),
    audienceOf: lookups.audienceOf,
    readersOf: lookups.readersOf,
    markUnavailable: workspace.markUnavailable,
    runDue,
    /** For files that people share. */
    download: { getToken, apiUrl, fetch, grantUrl: installation.grantUrl },
    messenger: createMessenger(client, { refused }),
    startStatus: createStartStatus({ client: clients.statuses, logger }),
    /** The block types that the workspace refuses, for answers to a response URL. */
    refused,
    measure,
    client,
    /** A client with a short timeout. */
    reads: clients.reads,
    installation,
  };
}

/** The key in Bolt's context under which edge.ts stores the edge of the delivery's workspace. */
export const partsKey = 'landfall';

/** The edge of the workspace that a delivery is for. A delivery without one reaches no listener: see edge.ts. */
export const partsOf = (context: Context): EdgeParts =>
  // Bolt's context holds what `authorize` in edge.ts returns, as `any`.
  context[partsKey] as EdgeParts;
