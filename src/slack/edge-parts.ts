import type { Logger } from '../log.ts';
import type { SlackConnection } from './connection/connect.ts';
import { createDispatch, type Timing } from './dispatch/dispatch.ts';
import type { WorkspaceEdge } from './dispatch/workspace-edge.ts';
import { createFindForm, createOpenForm } from './forms/open-form.ts';
import { createMessenger } from './posting/messenger.ts';
import { createDeduplicate } from './receivers/deduplicate.ts';
import type { InFlight } from './receivers/in-flight.ts';

export interface EdgePartsOptions {
  connection: SlackConnection;
  workspace: WorkspaceEdge;
  fetch: typeof globalThis.fetch;
  realNow: () => number;
  newRef: () => string;
  logger: Logger;
  timing?: Partial<Timing>;
}

export type EdgeParts = ReturnType<typeof createEdgeParts>;

/** The parts that all listeners share. */
export function createEdgeParts(options: EdgePartsOptions, inFlight: InFlight) {
  const { connection, workspace, fetch, realNow } = options;
  const { slack, installation, clients, lookups } = connection;
  const { all: features, runDue } = workspace;
  const client = clients.posts;
  const findForm = createFindForm(features);
  const deduplicate = createDeduplicate({ realNow });
  const timing = { workingMs: 2_000, deadlineMs: 15_000, ...options.timing };
  return {
    features,
    actions: new Map(features.flatMap(({ actions = [] }) => actions.map((action) => [action.id, action]))),
    findForm,
    openForm: createOpenForm(client, findForm),
    dispatch: createDispatch({ ...options, installation, lookups, timing }),
    inFlight,
    /** Runs the work of one delivery once, however often Slack repeats it. A stop waits for it. */
    runOnce: (key: string, work: () => Promise<void>) => inFlight.track(deduplicate(key, work)),
    audienceOf: lookups.audienceOf,
    runDue,
    /** For files that people share. */
    download: { botToken: slack.botToken, apiUrl: slack.apiUrl, fetch },
    messenger: createMessenger(client),
    client,
    installation,
  };
}
