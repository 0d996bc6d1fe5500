import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import type { Answer, AnswerButton, Verdict } from '../../answers/answer.ts';
import { zonedTime } from '../../answers/formatting/times.ts';
import { plainBlocksOf, type Reader } from '../../answers/message.ts';
import { context } from '../../answers/slack/blocks.ts';
import {
  accountForm,
  accountLine,
  connectAccount,
  connectLabel,
  connectWords,
} from '../../answers/slack/connect-account.ts';
import { toReply } from '../../answers/slack/render.ts';
import { forAsker, type Text, toMrkdwn } from '../../answers/text.ts';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import { outgoingMessage, pendingMessage } from '../../outbox/outgoing-message.ts';
import type { AccountState } from '../../workspaces/workspace-account.ts';
import type { WorkCtx } from '../ctx.ts';

export interface Shown {
  state: AccountState;
  isAdmin: boolean;
}

export const disconnectId = 'account:disconnect';

/** Whose account answers, and since when; admins get the buttons. Never a secret. `lead`: what has just happened. */
export function accountAnswer({ state, isAdmin }: Shown, reader: Reader, lead?: Verdict): Answer {
  const { heading, details } = wordsOf({ state, isAdmin }, reader);
  const connect = { label: connectLabel, form: accountForm, target: {} };
  const buttons: Record<AccountState['kind'], AnswerButton[]> = {
    own: [{ ...connect, label: 'Replace …' }, disconnect],
    operators: [connect],
    none: [{ ...connect, isPrimary: true }],
  };
  return {
    isOwn: true,
    verdict: lead ? { ...lead, lines: [heading, details] } : { strong: heading, lines: [details] },
    notes: isAdmin || state.kind === 'none' ? [] : ['Only workspace admins can change this'],
    ...(isAdmin && { actions: { runs: buttons[state.kind] } }),
  };
}

export const disconnected: Verdict = {
  strong: 'The account is disconnected',
  rest: ': its API key, user id and password are deleted.',
};

/** The person who installed Landfall gets it. */
export function welcomeAnswer({ state, isAdmin }: Shown, reader: Reader, team: string): Answer {
  const strong = `Landfall is installed in ${team}`;
  if (state.kind === 'none')
    return accountAnswer({ state: { ...state, installerId: undefined }, isAdmin }, reader, { strong });
  const [typed, here] = [{ code: '/nextport 9461477' }, { code: 'nextport 9461477' }];
  const tryIt = ['Ask where a vessel calls next: type ', typed, ' in any channel, or ', here, ' here.'];
  return { isOwn: true, verdict: { strong, lines: [tryIt] } };
}

function wordsOf({ state, isAdmin }: Shown, reader: Reader): { heading: string; details: Text } {
  if (state.kind === 'none') {
    const { heading, advice } = connectWords({ isAdmin, installerId: state.installerId });
    const details = advice.map((part) =>
      typeof part !== 'string' && 'person' in part ? forAsker(part, 'Somebody') : part,
    );
    return { heading, details };
  }
  const what = state.address === 'sandbox' ? 'sandbox, invented data' : 'analytics service';
  return { heading: `Connected to the ${what}`, details: [detailsOf(state, reader), '.'] };
}

/** Without a full stop. */
export function detailsOf(state: Exclude<AccountState, { kind: 'none' }>, reader: Reader): Text {
  const isSandbox = state.address === 'sandbox';
  if (state.kind === 'operators') {
    const account = isSandbox ? 'that comes with the sandbox' : `in its settings (${state.address})`;
    return `Landfall uses the account ${account}`;
  }
  const at = isSandbox ? '' : ` at ${state.address}`;
  const when = zonedTime(state.connectedAt, reader.zone, reader.now);
  const person = forAsker({ person: state.connectedBy }, 'Somebody');
  return [person, ` connected the account${at} on ${when}`];
}

const disconnect: AnswerButton = {
  label: 'Disconnect …',
  press: disconnectId,
  value: 'disconnect',
  confirm: {
    title: 'Disconnect the account?',
    question:
      'Landfall deletes the API key, the user id and the password. Unless whoever runs Landfall provides an account, questions, watches and digests wait until one is connected again.',
    yes: 'Disconnect',
  },
};

/** On top of the Home tab: the card while there is no account. */
export function homeTop({ state, isAdmin }: Shown): KnownBlock[] {
  if (state.kind !== 'none') return [];
  return [...plainBlocksOf(connectAccount({ isAdmin, ...state })), { type: 'divider' }];
}

/** Near the end of it: a line for admins. */
export function homeBottom({ state, isAdmin }: Shown, reader: Reader): KnownBlock[] {
  if (state.kind === 'none' || !isAdmin) return [];
  const words = [detailsOf(state, reader), ' · ', { code: `/${accountLine}` }, ' changes it'];
  return [context(toMrkdwn(words, reader))];
}

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
