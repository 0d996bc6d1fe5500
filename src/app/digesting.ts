import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Schema } from '../database/schema.ts';
import { createDigestStore } from '../features/digests/digest-store.ts';
import { createDigestRunner, type DigestRunner } from '../features/digests/run-due.ts';
import { createDigestLines } from '../features/digests/run-lines.ts';
import {
  createDigestService,
  type DigestService,
  type DigestServiceOptions,
} from '../features/digests/service.ts';
import type { SlackConnection } from '../slack/connection/connect.ts';
import type { CommandDeps } from '../slack/dispatch/dispatch.ts';
import { createChannelCheck } from '../slack/people/check-channel.ts';
import { createLinesCheck, type LinesCheckOptions } from '../slack/people/check-lines.ts';

export interface DigestingOptions {
  db: Kysely<Schema>;
  connection: SlackConnection;
  workspaceId: string;
  /** The domain clock. */
  now: () => Date;
  realNow: () => Date;
  newId: () => string;
  /** A reference that people can read out. */
  newRef: () => string;
  logger: Logger;
  leaseMs: number;
  maxPerChannel: number;
}

/** One line of a digest has as long as a command that somebody waits for. */
const lineDeadlineMs = 15_000;

export function createDesk(
  options: DigestingOptions &
    Pick<DigestServiceOptions, 'access' | 'checkOwner'> &
    Pick<LinesCheckOptions, 'vessels'>,
): DigestService {
  const { db, connection, workspaceId, access, checkOwner, now, newId, maxPerChannel, vessels } = options;
  return createDigestService({
    store: createDigestStore({ db, newId, maxPerChannel }),
    workspaceId,
    access,
    checkChannel: createChannelCheck(connection.clients.reads),
    checkLines: createLinesCheck({ audiences: connection.audiences, vessels }),
    checkOwner,
    now,
  });
}

/** `commands`: what a digest's lines run on. */
export function createRunner(options: DigestingOptions & { commands: CommandDeps }): DigestRunner {
  const { db, connection, workspaceId, commands, realNow, newId, newRef } = options;
  const { logger, leaseMs } = options;
  const { people, audiences } = connection;
  const deadlineMs = lineDeadlineMs;
  const lines = { commands, people, audiences, workspaceId, newRef, logger, deadlineMs };
  return createDigestRunner({
    db,
    workspaceId,
    ...createDigestLines({ ...lines, priority: 'background' }),
    realNow,
    newId,
    logger,
    leaseMs,
  });
}
