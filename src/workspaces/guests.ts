import type { Kysely } from 'kysely';
import { createRecent } from '../database/recent.ts';
import type { Schema } from '../database/schema.ts';
import { UserError } from '../errors.ts';
import { type AuditedTransaction, createAuditedTransaction } from './audit.ts';
import type { Actor } from './permissions.ts';

/** What guests may do: only ask, the same as members, or nothing. */
export const guestRights = ['ask', 'full', 'none'] as const;
export type GuestRights = (typeof guestRights)[number];

/** One setting for the whole workspace. */
export interface GuestSetting {
  /** Always from the database. */
  get(): Promise<GuestRights>;
  /** May be a second old: for what every command reads. */
  recent(): Promise<GuestRights>;
  /** Writes an audit row if anything changed; returns the former setting. Throws UserError unless an admin asks. */
  change(guests: GuestRights, actor: Pick<Actor, 'userId' | 'isAdmin'>): Promise<GuestRights>;
}

interface GuestSettingOptions {
  db: Kysely<Schema>;
  workspaceId: string;
  audited?: AuditedTransaction;
  /** The domain clock. */
  now: () => Date;
  newId: () => string;
  realNow: () => number;
}

const maxAgeMs = 1_000;

export function createGuestSetting(options: GuestSettingOptions): GuestSetting {
  const { db, workspaceId, audited = createAuditedTransaction(db), now, newId, realNow } = options;
  const recent = createRecent({ read: (id) => readGuests(db, id), maxAgeMs, realNow });
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
    // Locks the workspace's row, so that each of two concurrent saves sees the other's result.
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
    message: 'Only workspace admins choose what guests may do. Nothing was saved.',
    example: 'landfall settings',
  });
