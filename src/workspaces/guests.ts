import type { Kysely } from 'kysely';
import { createRecent } from '../database/recent.ts';
import type { Schema } from '../database/schema.ts';
import { UserError } from '../errors.ts';
import { type AuditedTransaction, createAuditedTransaction } from './audit.ts';
import type { Actor } from './permissions.ts';

/** What guests of the workspace may do: ask and change nothing; the same as members; nothing. */
export const guestRights = ['ask', 'full', 'none'] as const;
export type GuestRights = (typeof guestRights)[number];

/** One setting for the whole workspace. */
export interface GuestSetting {
  /** Read anew each time. */
  get(): Promise<GuestRights>;
  /** The same, but that what another instance has saved may show a second later. */
  recent(): Promise<GuestRights>;
  /** With its audit row, unless nothing changes. Throws UserError for who is no admin. Gives back what held before. */
  change(guests: GuestRights, actor: Pick<Actor, 'userId' | 'isAdmin'>): Promise<GuestRights>;
}

export interface GuestSettingOptions {
  db: Kysely<Schema>;
  workspaceId: string;
  audited?: AuditedTransaction;
  /** The domain clock. */
  now: () => Date;
  newId: () => string;
  /** Milliseconds of the real clock. */
  realNow: () => number;
}

const keepMs = 1_000;

export function createGuestSetting(options: GuestSettingOptions): GuestSetting {
  const { db, workspaceId, audited = createAuditedTransaction(db), now, newId, realNow } = options;
  const recent = createRecent({ read: (id) => readGuests(db, id), keepMs, realNow });
  return {
    get: () => readGuests(db, workspaceId),
    recent: () => recent.get(workspaceId),
    async change(guests, { userId: actorId, isAdmin }) {
      if (!isAdmin) throw adminsOnly();
      const before = await saveGuests(audited, guests, { workspaceId, actorId, at: now(), id: newId() });
      recent.changed(workspaceId);
      return before;
    },
  };
}

async function readGuests(db: Kysely<Schema>, workspaceId: string): Promise<GuestRights> {
  const row = await db
    .selectFrom('workspaces')
    .select('guests')
    .where('id', '=', workspaceId)
    .executeTakeFirst();
  return guestRights.find((known) => known === row?.guests) ?? 'ask';
}

async function saveGuests(
  audited: AuditedTransaction,
  guests: GuestRights,
  entry: { workspaceId: string; actorId: string; at: Date; id: string },
): Promise<GuestRights> {
  const { workspaceId } = entry;
  return await audited(async (transaction, record) => {
    // Two who save at once write one after the other, each against what the other left.
    await transaction
      .selectFrom('workspaces')
      .select('id')
      .where('id', '=', workspaceId)
      .forUpdate()
      .execute();
    const before = await readGuests(transaction, workspaceId);
    if (before === guests) return before;
    await transaction.updateTable('workspaces').set({ guests }).where('id', '=', workspaceId).execute();
    await record({
      ...entry,
      action: 'workspace.settings',
      subject: 'the settings of the workspace',
      before: { guests: before },
      after: { guests },
    });
    return before;
  });
}

const adminsOnly = () =>
  new UserError({
    code: 'not-allowed',
    message: 'Only workspace admins choose what guests may do. Nothing is saved.',
    example: 'landfall settings',
  });
