import { createHash, randomBytes } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import { deleteInBatches } from '../database/batches.ts';
import type { Schema } from '../database/schema.ts';
import { type AllWorkspaces, acrossWorkspaces, type WorkspaceStore } from '../database/workspace-store.ts';
import { ownLines, UserError } from '../errors.ts';
import { type AuditedTransaction, createAuditedTransaction, lockWorkspace } from './audit.ts';
import { dayOf } from './call-counts.ts';

/** What an assistant with the token may do. `read`: ask. `write`: also add and stop the person's watches. */
export const assistantScopes = ['read', 'write'] as const;

// An unknown value in the database counts as the lesser one: a later version may have written it.
const storedScope = z.enum(assistantScopes).catch('read');

export type AssistantScope = z.infer<typeof storedScope>;

/** All that is known of a token once it has been shown. */
export interface AssistantToken {
  id: string;
  /** What it is for, as typed. */
  label: string;
  scope: AssistantScope;
  /** Who made it, and for whom the assistant asks. */
  personId: string;
  createdAt: Date;
  expiresAt: Date;
  /** At most a minute behind; undefined if nobody has used it. */
  lastUsedAt: Date | undefined;
}

export const maxAssistantTokens = 20;

const tokenShape = /lf_[\w-]{43}/;
const wholeToken = new RegExp(`^${tokenShape.source}$`);
const tokensInText = new RegExp(tokenShape, 'g');

const minuteMs = 60_000;
const expiredForMs = 30 * 24 * 3_600_000;

/** The tokens of one workspace. Callers check that an admin asks. */
export function createAssistantTokenStore(options: {
  store: WorkspaceStore;
  audited?: AuditedTransaction;
  /** The domain clock, for the audit log. */
  now: () => Date;
  /** The real clock: tokens expire by it. */
  realNow: () => number;
  newId: () => string;
}) {
  const { store, audited = createAuditedTransaction(store), now, realNow, newId } = options;
  const entryBy = (actorId: string) => ({ id: newId(), at: now(), actorId });

  return {
    /** The newest first, with those that expired lately. */
    async list(): Promise<AssistantToken[]> {
      const rows = await store
        .selectFrom('assistant_tokens')
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .execute();
      return rows.map(readToken);
    },
    isExpired: ({ expiresAt }: AssistantToken): boolean => expiresAt.getTime() <= realNow(),
    /**
     * Returns the token, which can't be read again. Under an `id` that the same person has used before, the new token takes
     * the place of the former one. Throws UserError if the workspace has as many as it may have.
     */
    async create(
      { id = newId(), label, scope, lifetimeMs }: NewToken,
      personId: string,
    ): Promise<AssistantToken & { token: string }> {
      const token = `lf_${randomBytes(32).toString('base64url')}`;
      const createdAt = new Date(realNow());
      const expiresAt = new Date(realNow() + lifetimeMs);
      await audited(async (transaction, record) => {
        await lockWorkspace(transaction);
        const { numDeletedRows: replaced } = await transaction
          .deleteFrom('assistant_tokens')
          .where('id', '=', id)
          .where('person_id', '=', personId)
          .executeTakeFirst();
        await checkRoom(transaction, createdAt);
        await transaction
          .insertInto('assistant_tokens', {
            ...{ id, hash: hashOfToken(token), label, scope, person_id: personId },
            ...{ created_at: createdAt, expires_at: expiresAt },
          })
          .execute();
        if (replaced > 0n) return;
        const after = { scope, expires: dayOf(expiresAt.getTime()) };
        await record({ ...entryBy(personId), action: 'token.create', subject: label, after });
      });
      return { token, id, label, scope, personId, createdAt, expiresAt, lastUsedAt: undefined };
    },
    /** Returns the token that was revoked; undefined if there is none any more. */
    async revoke(id: string, actorId: string): Promise<AssistantToken | undefined> {
      return await audited(async (transaction, record) => {
        const row = await transaction
          .deleteFrom('assistant_tokens')
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst();
        if (!row) return undefined;
        const { label: subject, personId, scope, expiresAt } = readToken(row);
        const madeBy = personId === actorId ? {} : { personId };
        const before = { ...madeBy, scope, expires: dayOf(expiresAt.getTime()) };
        await record({ ...entryBy(actorId), action: 'token.revoke', subject, before });
        return readToken(row);
      });
    },
  };
}

interface NewToken extends Pick<AssistantToken, 'label' | 'scope'> {
  id?: string | undefined;
  lifetimeMs: number;
}

async function checkRoom(store: WorkspaceStore, realNow: Date): Promise<void> {
  const { live } = await store
    .selectFrom('assistant_tokens')
    .select(({ fn }) => fn.countAll<number>().as('live'))
    .where('expires_at', '>', realNow)
    .executeTakeFirstOrThrow();
  if (live < maxAssistantTokens) return;
  throw new UserError({
    code: 'not-allowed',
    message: `This workspace already has ${maxAssistantTokens} tokens, and can't have more. None was created.`,
    hint: 'Revoke one that nobody uses.',
    example: ownLines.assistants,
  });
}

/** Whose request it is. `personId` may have left since, or lost rights, so the caller asks Slack who that is. */
export interface FoundAssistantToken extends Pick<AssistantToken, 'id' | 'personId' | 'scope'> {
  workspaceId: string;
}

/**
 * Undefined for a token that is unknown, revoked or expired at `realNow`. The database compares hashes, so the time that
 * it takes says nothing about a token.
 */
export async function findAssistantToken(
  db: AllWorkspaces,
  token: string,
  realNow: Date,
): Promise<FoundAssistantToken | undefined> {
  if (!isAssistantToken(token)) return undefined;
  const row = await db
    .selectFrom('assistant_tokens')
    .selectAll()
    .modifyFront(acrossWorkspaces('assistant tokens'))
    .where('hash', '=', hashOfToken(token))
    .where('expires_at', '>', realNow)
    .executeTakeFirst();
  if (!row) return undefined;
  const { id, personId, scope } = readToken(row);
  return { id, workspaceId: row.workspace_id, personId, scope };
}

/** Call for each request with the token: it writes at most once a minute. */
export async function recordUse(store: WorkspaceStore, id: string, realNow: Date): Promise<void> {
  const aMinuteAgo = new Date(realNow.getTime() - minuteMs);
  await store
    .updateTable('assistant_tokens')
    .set({ last_used_at: realNow })
    .where('id', '=', id)
    .where(({ eb, or }) => or([eb('last_used_at', 'is', null), eb('last_used_at', '<=', aMinuteAgo)]))
    .execute();
}

/** Deletes the tokens of all workspaces that expired 30 days ago. */
export async function forgetExpiredTokens(
  db: AllWorkspaces,
  realNow: Date,
  mayGoOn?: () => boolean,
): Promise<void> {
  const before = new Date(realNow.getTime() - expiredForMs);
  const where = sql<boolean>`expires_at < ${before}`;
  await deleteInBatches(db, { work: 'retention', table: 'assistant_tokens', where, mayGoOn });
}

/** Whether it has the shape of a token. */
export const isAssistantToken = (text: string): boolean => wholeToken.test(text);

/** For the log. */
export const hideAssistantTokens = (text: string): string => text.replaceAll(tokensInText, 'lf_…');

/** Tokens are random enough that a plain hash can't be guessed back. */
export const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('hex');

const readToken = (row: Selectable<Schema['assistant_tokens']>): AssistantToken => ({
  id: row.id,
  label: row.label,
  scope: storedScope.parse(row.scope),
  personId: row.person_id,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  lastUsedAt: row.last_used_at ?? undefined,
});
