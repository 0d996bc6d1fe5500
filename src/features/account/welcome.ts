import { z } from 'zod';
import { toReply } from '../../answers/slack/render.ts';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import { outgoingMessage, pendingMessage } from '../../outbox/outgoing-message.ts';
import type { WorkCtx } from '../ctx.ts';
import { welcomeAnswer } from './answer.ts';

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
export const welcomeMessage = outgoingMessage(kind, {
  payload: welcome,
  operation: 'post',
  open: async ({ team }, { channel_id: installerId }, { services, registry }: WorkCtx) => ({
    toPerson: true,
    async render() {
      const { account, slack, now, source } = services;
      const [state, { isAdmin }] = await Promise.all([account.state(), slack.personOf(installerId)]);
      const reader = { now: now(), zone: 'UTC', source, audience: 'private' } as const;
      return toReply(welcomeAnswer({ state, isAdmin }, reader, team), { reader, lineOf: registry.lineOf });
    },
  }),
});
