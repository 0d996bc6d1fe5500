import type { Database } from '../../src/database/connect.ts';
import { storeOf } from '../../src/database/workspace-store.ts';
import { createState, type WorkCtx } from '../../src/features/ctx.ts';
import { registry } from '../../src/features/index.ts';
import { createAuditedTransaction } from '../../src/workspaces/audit.ts';
import { quietLogger } from './quiet-logger.ts';
import { workspaceId } from './store-engines.ts';

/** What forgetting and exporting need: a store, and a Slack that knows the direct message of `dmOf` and takes no message. */
export function forgettingCtx(
  db: Database['db'],
  { dms = {}, joined = [] }: { dms?: Record<string, string>; joined?: readonly string[] } = {},
): WorkCtx {
  const store = storeOf(db, workspaceId);
  let ids = 0;
  const services = {
    ...{ store, audited: createAuditedTransaction(store), logger: quietLogger, state: createState() },
    slack: {
      async directMessageOf(userId: string) {
        const id = dms[userId];
        if (id === undefined) throw new Error('user_disabled');
        return id;
      },
    },
    access: { getJoinedChannels: async () => new Set(joined) },
    ...{ now: () => now, realNow: () => now.getTime(), newId: () => `new-${++ids}` },
  };
  return { services, registry } as unknown as WorkCtx; // the feature needs nothing else
}

export const now = new Date('2026-11-21T09:00:00Z');
