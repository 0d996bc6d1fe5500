import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { AnalyticsClient } from '../analytics/answers.ts';
import type { Config } from '../config.ts';
import { createDueLoop, type DueLoop } from '../database/due-loop.ts';
import { forgetRemovedDigests } from '../features/digests/digest-store.ts';
import { renderDigest } from '../features/digests/render-digest.ts';
import type { Kept, RunContext } from '../features/feature.ts';
import { createChannelSettingsService } from '../features/settings/service.ts';
import { createRender, type Render } from '../features/watches/messages/render-post.ts';
import { forgetHistory } from '../features/watches/polling/history.ts';
import { createPoller } from '../features/watches/polling/poll.ts';
import { createWatchService } from '../features/watches/service/create-watch-service.ts';
import { createWatchStore } from '../features/watches/store/watch-store.ts';
import { createOutbox } from '../outbox/outbox.ts';
import type { SlackConnection } from '../slack/connection/connect.ts';
import { createOwnerCheck } from '../slack/people/check-owner.ts';
import { createMemberships } from '../slack/people/memberships.ts';
import { createOwnDms } from '../slack/people/own-dms.ts';
import { createCardPoster } from '../slack/posting/card-poster.ts';
import { createPoster } from '../slack/posting/poster.ts';
import { createAccess } from '../workspaces/access.ts';
import { createAuditLog, forgetChanges } from '../workspaces/audit.ts';
import { createGuestSetting } from '../workspaces/guests.ts';
import { createDesk, createRunner } from './digesting.ts';
import { createPausing } from './pausing.ts';
import type { Store, WorkspaceStore } from './store.ts';

export interface WatchingOptions {
  config: Config;
  store: Store;
  workspace: WorkspaceStore;
  connection: SlackConnection;
  analytics: AnalyticsClient;
  source: 'service' | 'sandbox';
  settings: RunContext['settings'];
  /** A reference that people can read out. */
  newRef: () => string;
  /** The domain clock. */
  now: () => Date;
  /** Milliseconds of the real clock. */
  realNow: () => number;
  logger: Logger;
}

export interface Watching {
  kept: Kept;
  render: Render;
  /** A channel in which nothing can be posted any more: what stands there is paused, and its owners are told. */
  markUnavailable(channel: { channelId: string; code: string }): Promise<void>;
  /** Polls, digests, messages, what is too old. */
  work: DueLoop;
}

const dayMs = 24 * 3_600_000;

/** What the bot does by itself, and what people do with it. */
export function createWatching(options: WatchingOptions): Watching {
  const { config, store, workspace, connection, analytics, source, now, logger } = options;
  const { watches: settings, leaseMs } = config;
  const { db, names, fleets } = store;
  const { workspaceId, credentialId, directory } = workspace;
  const realNow = () => new Date(options.realNow());
  const newId = randomUUID;
  const common = { db, realNow, newId, logger, leaseMs };
  const fixedMinutes = settings.pollMinutes;
  const { reads, posts, background } = connection.clients;
  const { people, audiences } = connection;
  const render = createRender({ db, client: background, people, audiences, names: directory, source, now });

  const poller = createPoller({
    ...common,
    fixedMinutes,
    credentialId,
    analyticsOf: () => analytics,
  });
  const { maxPerChannel } = config.digests;
  const digesting = { ...common, connection, workspaceId, now, newRef: options.newRef, maxPerChannel };
  const channelsOf = createMemberships({ client: reads, realNow: options.realNow });
  const access = createAccess({ db, workspaceId, channelsOf });
  const guests = createGuestSetting({ db, workspaceId, now, newId, realNow: options.realNow });
  const checkOwner = createOwnerCheck({ people, channelsOf, guests });
  const watches = createWatchService({
    db,
    store: createWatchStore({ db, newId, maxPerChannel: settings.maxPerChannel }),
    analytics,
    cards: createCardPoster({
      client: posts,
      render: render.card,
      renderStopped: render.stopped,
      logger,
    }),
    access,
    dmOf: createOwnDms({ client: reads }).of,
    names: directory,
    checkOwner,
    workspaceId,
    credentialId,
    now,
    realNow,
    newId,
    fixedMinutes,
  });
  const forget = oncePerDay(async (time) => {
    const before = new Date(time.getTime() - settings.historyDays * dayMs);
    await forgetHistory(db, before);
    await forgetChanges(db, before);
    await forgetRemovedDigests(db, before);
  });
  const kept: Kept = {
    watches,
    names,
    fleets,
    digests: createDesk({ ...digesting, access, checkOwner, vessels: directory }),
    channels: createChannelSettingsService({ db, workspaceId, access, now, newId, realNow: options.realNow }),
    guests,
    audit: createAuditLog({ db, workspaceId }),
  };
  const { settings: asked } = options;
  const commands = { analytics, now, source, settings: asked, kept, vessels: directory };
  const digests = createRunner({ ...digesting, commands });
  const pausing = createPausing({ db, actorId: connection.installation.botUserId, newId });
  const outbox = createOutbox({
    ...common,
    workspaceId,
    onDeadLetter: pausing.onDeadLetter,
    poster: createPoster({
      client: background,
      render: (post) =>
        post.message.kind.startsWith('digest')
          ? renderDigest(post, { commands, people, audiences })
          : render.post(post),
    }),
  });
  return {
    kept,
    render,
    markUnavailable: (channel) =>
      pausing.markUnavailable({ workspaceId, ...channel, now: now(), realNow: realNow() }),
    work: createDueLoop({ jobs: [poller.runDue, digests.runDue, outbox.runDue, forget], now, logger }),
  };
}

/** On the domain clock; once at the start too. */
function oncePerDay(job: (now: Date) => Promise<unknown>): (now: Date) => Promise<void> {
  let doneAt = Number.NEGATIVE_INFINITY;
  return async (now) => {
    if (Math.abs(now.getTime() - doneAt) < dayMs) return;
    await job(now);
    doneAt = now.getTime();
  };
}
