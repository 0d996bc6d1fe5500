import { z } from 'zod';
import {
  type Answer,
  type AnswerButton,
  type LineOf,
  nextPortsOf,
  type Verdict,
} from '../../answers/answer.ts';
import { accountForm, connectAnswer, connectLabel } from '../../answers/connect-account.ts';
import { zonedTime } from '../../answers/formatting/times.ts';
import type { Reader } from '../../answers/message.ts';
import { toReply } from '../../answers/slack/render.ts';
import { forAsker, type Text } from '../../answers/text.ts';
import type { WorkspaceStore } from '../../database/workspace-store.ts';
import { ownLines } from '../../errors.ts';
import { outgoingMessage, pendingMessage } from '../../outbox/outgoing-message.ts';
import { exampleVessels } from '../../reference/codes.ts';
import type { AccountState } from '../../workspaces/workspace-account.ts';
import type { WorkCtx } from '../ctx.ts';

export interface Shown {
  state: AccountState;
  isAdmin: boolean;
}

export const disconnectId = 'account:disconnect';

/** Whose account answers, and since when; admins get the buttons. Never a secret. `lead`: what has just happened. */
export function accountAnswer(shown: Shown, reader: Reader, lead?: Verdict): Answer {
  const { state, isAdmin } = shown;
  const answer =
    state.kind === 'none' ? connectAnswer({ isAdmin, ...state }) : connected(state, shown, reader);
  const { strong, lines = [] } = answer.verdict;
  return lead ? { ...answer, verdict: { ...lead, lines: [strong, ...lines] } } : answer;
}

function connected(state: ConnectedState, { isAdmin }: Shown, reader: Reader): Answer {
  const what = state.address === 'sandbox' ? 'sandbox, invented data' : 'analytics service';
  const connect = { label: connectLabel, form: accountForm, target: {} };
  const runs = state.kind === 'own' ? [{ ...connect, label: 'Replace …' }, disconnect] : [connect];
  return {
    isOwn: true,
    verdict: { strong: `Connected to the ${what}`, lines: [[detailsOf(state, reader), '.']] },
    ...(isAdmin ? { actions: { runs } } : { notes: ['Only workspace admins can change this'] }),
  };
}

export const disconnected: Verdict = {
  strong: 'The account is disconnected',
  rest: ': its API key, user id and password are deleted.',
};

/** The person who installed Landfall gets it. `lineOf`: of an example. */
export function welcomeAnswer(
  { state, isAdmin }: Shown,
  reader: Reader,
  { team, lineOf }: { team: string; lineOf: LineOf },
): Answer {
  const strong = `Landfall is installed in ${team}`;
  if (state.kind === 'none')
    return accountAnswer({ state: { ...state, installerId: undefined }, isAdmin }, reader, { strong });
  const [{ imo }] = exampleVessels;
  const line = lineOf(nextPortsOf(imo)) ?? '';
  const [typed, here] = [{ code: `/${line}` }, { code: line }];
  const tryIt = ['Ask where a vessel calls next: type ', typed, ' in any channel, or ', here, ' here.'];
  return { isOwn: true, verdict: { strong, lines: [tryIt] } };
}

type ConnectedState = Exclude<AccountState, { kind: 'none' }>;

/** Without a full stop. */
export function detailsOf(state: ConnectedState, reader: Reader): Text {
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

/** On top of the Home tab while there is no account. */
export const homeTop = ({ state, isAdmin }: Shown): Answer[] =>
  state.kind === 'none' ? [connectAnswer({ isAdmin, ...state })] : [];

/** Near the end of it: a line for admins. */
export const homeBottom = ({ state, isAdmin }: Shown, reader: Reader): Text[] =>
  state.kind === 'none' || !isAdmin
    ? []
    : [[detailsOf(state, reader), ' · ', { code: `/${ownLines.account}` }, ' changes it']];

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
      const { lineOf } = registry;
      return toReply(welcomeAnswer({ state, isAdmin }, reader, { team, lineOf }), { reader, lineOf });
    },
  }),
});
