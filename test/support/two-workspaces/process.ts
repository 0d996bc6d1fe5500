import { createApp } from '../../../src/app/app.ts';
import { createConfig } from '../../../src/config/config.ts';
import type { Database } from '../../../src/database/connect.ts';
import { createSecretBox } from '../../../src/database/secrets.ts';
import { storeOf } from '../../../src/database/workspace-store.ts';
import { createAccountStore } from '../../../src/workspaces/accounts.ts';
import { granted, openInstallations } from '../installation.ts';
import { signatureOf } from '../sign.ts';
import { createStoreLogger } from '../store-logger.ts';
import { type CannedService, goodPassword } from './canned-service.ts';
import { apiUrl, createRecordedSlack, people, type RecordedSlack, slackFetch } from './recorded-slack.ts';
import { receiveResponses } from './response-urls.ts';

export type TeamId = 'T1' | 'T2';
export const teamIds = ['T1', 'T2'] as const;

/** In which a workspace may be that is installed org-wide. */
export const organisationOf = (team: TeamId): string => `E${team.slice(1)}`;
export const otherTeam = (team: TeamId): TeamId => (team === 'T1' ? 'T2' : 'T1');

export type Process = Awaited<ReturnType<typeof startProcess>>;

const signingSecret = 'a-signing-secret-of-tests';
const encryptionKey = Buffer.alloc(32, 7);
/** Long: on a busy machine no answer is late. */
const patienceMs = 120_000;
const startsAt = Date.parse('2026-11-21T09:05:00Z');

/** What is not the same in both workspaces. */
const unlike = {
  T1: { admin: people.ada, guest: people.eve, zone: 'Europe/Berlin' },
  T2: { admin: people.ben, guest: '', zone: 'Asia/Singapore' },
} as const;

/**
 * The bot for many workspaces on a store, which has to be empty, with signed deliveries over HTTP. Its clocks stand
 * still until the test moves them. Due work is done only on request.
 */
export async function startProcess(options: {
  database: Database;
  service: CannedService;
  /** The accounts of the workspaces; undefined for the operator's, which all share. */
  accounts: Readonly<Record<TeamId, { apiKey: string; password: string } | undefined>>;
  /** The workspaces in which an organisation installs the app. */
  orgWide?: readonly TeamId[];
}) {
  const { database, service, accounts, orgWide = [] } = options;
  const isOrgWide = (teamId: TeamId) => orgWide.includes(teamId);
  const { db } = database;
  const clock = { ms: startsAt };
  const realNow = () => clock.ms;
  service.now = realNow;
  const logger = createStoreLogger();
  const responses = await receiveResponses();
  const slacks = new Map(teamIds.map((id) => [id as string, createRecordedSlack({ id, ...unlike[id] })]));
  const slackOf = (teamId: TeamId): RecordedSlack => {
    const slack = slacks.get(teamId);
    if (!slack) throw new Error(`no workspace ${teamId}`);
    return slack;
  };
  responses.setReceiver((teamId, path, body) => slacks.get(teamId)?.respond(path, body));
  let step = '';
  let count = 0;
  const app = createApp({
    config: createConfig({
      SLACK_CLIENT_ID: '1.2',
      SLACK_CLIENT_SECRET: 'a-client-secret',
      SLACK_SIGNING_SECRET: signingSecret,
      SLACK_API_URL: apiUrl,
      PUBLIC_URL: 'http://127.0.0.1:1',
      PORT: '0',
      ANALYTICS_BASE_URL: service.url,
      ANALYTICS_API_KEY: operatorsKey,
      ANALYTICS_USER_ID: 'the operator',
      ANALYTICS_PASSWORD: goodPassword,
      ACCOUNTS: accounts.T1 === undefined ? 'shared' : 'own',
      HISTORY_DAYS: '3',
      LANDFALL_DATA_DIR: ':memory:',
      LANDFALL_ENCRYPTION_KEY: encryptionKey.toString('base64'),
    }),
    logger,
    version: '1.2.3',
    fetch: slackFetch(slacks),
    realNow,
    timing: { workingMs: patienceMs, deadlineMs: patienceMs },
    connect: async () => ({ ...database, close: async () => {} }),
    automatic: false,
    // In the order in which they are made, which decides the order of what is equal otherwise.
    newId: (workspaceId) => `${workspaceId.toLowerCase()}-${step}-${String(++count).padStart(4, '0')}`,
  });
  const box = createSecretBox([encryptionKey]);
  const { url, runDue, settled } = await app.start();

  return {
    clock,
    db,
    logger,
    slackOf,
    isOrgWide,
    /** Names what happens next in the ids that it makes. */
    begin(name: string) {
      step = name;
      count = 0;
    },
    /** Signs a delivery and sends it; returns the body of the acknowledgement. */
    async deliver(body: string, contentType: string): Promise<string> {
      const headers = { 'content-type': contentType, ...signatureOf(body, signingSecret) };
      const response = await globalThis.fetch(`${url}/slack/events`, { method: 'POST', body, headers });
      if (response.status !== 200) throw new Error(`the bot answered ${response.status}`);
      return await response.text();
    },
    /** Resolves when everything that was delivered is done. */
    async settled(): Promise<void> {
      if (!(await settled(patienceMs))) throw new Error('the bot is still at work');
    },
    runDue,
    /** Registers a response URL of a workspace and returns it. */
    giveUrl(teamId: TeamId, path: string, origin: Parameters<RecordedSlack['giveUrl']>[1]): string {
      slackOf(teamId).giveUrl(path, origin);
      return `${responses.url}/${teamId}/${path}`;
    },
    async install(teamId: TeamId): Promise<void> {
      const slack = slackOf(teamId);
      slack.isInstalled = true;
      const oauth = {
        refresh: async () => 'refused' as const,
        accepts: async () => slack.isInstalled,
        listTeams: async () => new Set([teamId]),
      };
      const installations = openInstallations(database, { oauth, clock: { now: clock.ms }, box });
      const place = isOrgWide(teamId)
        ? { isOrgWide: true, teamId: undefined, enterpriseId: organisationOf(teamId) }
        : { teamId };
      const installedAt = new Date(clock.ms);
      const { admin: installerId } = slack.team;
      const token = `xoxb-${teamId}`;
      await installations.save(granted({ ...place, name: teamId, token, installerId, installedAt }));
      if (!isOrgWide(teamId)) return;
      // A delivery would do it, but the workspace may have an account before the first one.
      const enterpriseId = organisationOf(teamId);
      await installations.find({ teamId, enterpriseId, isEnterpriseInstall: true });
    },
    /** Connects the account of the workspace, if it has one of its own. */
    async connect(teamId: TeamId): Promise<void> {
      const own = accounts[teamId];
      if (!own) return;
      const account = { address: service.url, userId: 'a user', ...own };
      await createAccountStore({ store: storeOf(db, teamId), box }).save(account, {
        id: `${teamId.toLowerCase()}-connected`,
        actorId: slackOf(teamId).team.admin,
        now: new Date(clock.ms),
      });
    },
    async stop(): Promise<void> {
      await app.stop(patienceMs);
      responses.close();
    },
  };
}

/** Of the operator's account. */
export const operatorsKey = 'key-of-operator';
