// The watches of many workspaces: each watch follows a vessel of its own.

import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Prediction } from '../src/analytics/answers.ts';
import type { Schema } from '../src/database/schema.ts';
import { createSecretBox } from '../src/database/secrets.ts';
import { storeOf } from '../src/database/workspace-store.ts';
import { evaluate } from '../src/features/rules/evaluation/evaluate.ts';
import { chooseRules } from '../src/features/rules/registry.ts';
import type { Imo, Locode } from '../src/reference/codes.ts';
import { type Account, createAccountStore } from '../src/workspaces/accounts.ts';
import { type Granted, saveInstallation } from '../src/workspaces/save-installation.ts';
import { followingRow, insertFleet, range, subjectRow, watchRow } from './watch-fleet.ts';

/** A workspace that watches the vessels number `first` to `first + vessels - 1`. */
export interface WorkspaceFleet {
  id: string;
  first: number;
  vessels: number;
}

export const encryptionKey = Buffer.alloc(32, 7);
export const tokenOf = (workspaceId: string): string => `xoxb-${workspaceId}`;

const watchesPerChannel = 5;
const dayMs = 24 * 3_600_000;

/** An invented number with a valid check digit. */
export function vesselAt(index: number): number {
  const digits = String(100_000 + index);
  const sum = [...digits].reduce((total, digit, place) => total + Number(digit) * (7 - place), 0);
  return Number(`${digits}${sum % 10}`);
}

export const vesselsOf = ({ first, vessels }: WorkspaceFleet): number[] =>
  range(vessels).map((index) => vesselAt(first + index));

/** The card of a watch has a time of its own, by which an alert in its thread is recognised. */
const cardOf = (imo: number): string => `${imo}.000100`;

/** The vessel of a thread, unless the message is in none. */
export const vesselOfCard = (ts: string | null): number | undefined =>
  ts?.endsWith('.000100') ? Number.parseInt(ts, 10) : undefined;

const ports = ['NLRTM', 'DEHAM', 'SGSIN', 'CNXAM', 'MAPTM', 'USLAX'];
const shares = [0.7, 0.15, 0.1, 0.05];
const etaMs = Math.floor(Date.now() / dayMs + 20) * dayMs;

/** What the service predicts for a vessel whose most probable port has changed so often. */
export const predict = (imo: number, changes: number): Prediction[] =>
  shares.map((probability, index) => ({
    imo: imo as Imo, // seven digits
    port: (ports[(imo + changes + index) % ports.length] ?? '') as Locode, // all are well-formed
    probability,
    eta: new Date(etaMs + (imo % 100) * 3_600_000),
    etaZone: 'given',
  }));

/** The state of a watch after its first poll. */
function baselineOf(imo: number, at: Date): string {
  const snapshot = {
    kind: 'vessel',
    imo: imo as Imo,
    at,
    scale: 'fraction',
    predictions: predict(imo, 0),
  } as const;
  return JSON.stringify(evaluate(null, snapshot, { ...chooseRules({}), snooze: null }, at).state);
}

/** Workspaces that have installed the app and connected an account. Each vessel has been polled once. */
export async function seedWorkspaces(
  db: Kysely<Schema>,
  options: { fleets: readonly WorkspaceFleet[]; account: Omit<Account, 'userId'> },
): Promise<void> {
  const { fleets, account } = options;
  const now = new Date();
  const box = createSecretBox([encryptionKey]);
  for (const { id: workspaceId } of fleets) {
    await saveInstallation({ db, box, now }, grantOf(workspaceId, now));
    const change = { id: randomUUID(), actorId: 'U1', now };
    await createAccountStore({ store: storeOf(db, workspaceId), box }).save(
      { ...account, userId: workspaceId },
      change,
    );
  }
  // Nothing is due before the benchmark says so.
  const at = new Date(now.getTime() + dayMs);
  const rows = fleets.flatMap((fleet) =>
    vesselsOf(fleet).map((imo, index) => {
      const owner = { workspaceId: fleet.id, at };
      const channelId = `C${fleet.id}${Math.floor(index / watchesPerChannel)}`;
      const subject = { ...subjectRow({ ...owner, kind: 'vessel', key: String(imo) }), polled_at: now };
      const watch = watchRow({ ...owner, channelId, cardTs: cardOf(imo) });
      const following = { ...followingRow(watch, subject), state: baselineOf(imo, now) };
      return { subject, watch, following };
    }),
  );
  await insertFleet(db, {
    subjects: rows.map(({ subject }) => subject),
    watches: rows.map(({ watch }) => watch),
    followings: rows.map(({ following }) => following),
  });
}

const grantOf = (teamId: string, installedAt: Date): Granted => ({
  isOrgWide: false,
  enterpriseId: undefined,
  teamId,
  name: teamId,
  botUserId: 'UBOT',
  botId: 'BBOT',
  appId: 'A1',
  installerId: 'U1',
  scopes: ['commands', 'chat:write'],
  token: tokenOf(teamId),
  refreshToken: undefined,
  expiresAt: undefined,
  installedAt,
});
