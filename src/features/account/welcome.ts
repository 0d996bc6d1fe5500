import { z } from 'zod';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import { type OutgoingMessage, outgoingMessage, pendingMessage } from '../../outbox/outgoing-message.ts';
import type { WorkspaceServices } from '../services.ts';
import { welcomeView } from './views.ts';

const kind = 'welcome';

const welcome = z.object({ kind: z.literal(kind), team: z.string() });

interface Install {
  /** The workspace's name. */
  team: string;
  installerId: string;
  installedAt: Date;
  /** On the domain clock. */
  now: Date;
  /** On the real clock. */
  realNow: Date;
}

/**
 * Sends the installer a direct message with the way to connect an account, once for each install. Call it in the
 * transaction that stores the workspace.
 */
export async function queueWelcome(transaction: WorkspaceStore, install: Install): Promise<void> {
  const { workspaceId } = transaction;
  const { team, installerId, installedAt, now, realNow } = install;
  const message: z.infer<typeof welcome> = { kind, team };
  const id = `welcome ${workspaceId} ${installedAt.getTime()}`;
  const pending = { id, channelId: installerId, message, now, dueAt: realNow };
  await transaction
    .insertInto('outbox', pendingMessage(pending))
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/** The message shows what is still to be done when it is sent. */
export const welcomeMessage = ({
  account,
  slack,
}: Pick<WorkspaceServices, 'account' | 'slack'>): OutgoingMessage =>
  outgoingMessage(kind, {
    payload: welcome,
    operation: 'post',
    open: async ({ team }, { channel_id: installerId }) => ({
      toPerson: true,
      async render() {
        const [state, { isAdmin }] = await Promise.all([account.state(), slack.personOf(installerId)]);
        return welcomeView({ state, isAdmin, team });
      },
    }),
  });
