import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPlayground, type Playground } from 'bolt-playground';
import { pino } from 'pino';
import { twoWorkspaces } from '../../src/app/playground-world.ts';
import { createConfig, type ManyWorkspacesConfig } from '../../src/config/config.ts';
import { commands } from '../../src/features/index.ts';
import { measureNothing } from '../../src/measure.ts';
import { createBoltLogger, createOAuthCalls } from '../../src/slack/connection/clients.ts';
import { createInFlight } from '../../src/slack/context.ts';
import { createInstallPages } from '../../src/slack/install/install-pages.ts';
import type { Offer } from '../../src/slack/install/pages.ts';
import { type Granted, type Saved, takeInstallState } from '../../src/workspaces/save-installation.ts';
import { openInstallations } from './installation.ts';
import { oauthOf, type oauthOptions } from './oauth.ts';
import { openSqlite } from './store-engines.ts';

export type InstallApp = Awaited<ReturnType<typeof startInstallApp>>;

/** The install pages over HTTP, with a local Slack that has two workspaces and a store in memory. */
export async function startInstallApp(options: ReturnType<typeof oauthOptions>) {
  const store = await openSqlite();
  const log: string[] = [];
  const logger = pino({ level: 'trace' }, { write: (line: string) => log.push(line) });
  const boltLogger = createBoltLogger(logger);
  const installed: { granted: Granted; saved: Saved }[] = [];
  const clock = { now: Date.now() };
  /** Instead of a request to Slack. */
  const slackFault: { answer: (() => Promise<Response | undefined>) | undefined } = { answer: undefined };
  let pages: ReturnType<typeof createInstallPages> | undefined;
  const server = createServer((request, response) => {
    if (!pages?.(request, response)) response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on TCP has an address with a port.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const slack: Playground = await createPlayground({
    ...options,
    workspaces: twoWorkspaces(),
    oauth: { redirectUrls: [url] },
  });
  const { clientId, clientSecret } = oauthOf(slack);
  const settings = {
    SLACK_CLIENT_ID: clientId,
    SLACK_CLIENT_SECRET: clientSecret,
    SLACK_SIGNING_SECRET: slack.signingSecret,
    SLACK_API_URL: slack.apiUrl,
    PUBLIC_URL: url,
    PRIVACY_URL: 'https://a.example/privacy',
    SUPPORT_URL: 'mailto:help@a.example?subject="Landfall"',
    ANALYTICS_BASE_URL: 'sandbox',
  };
  // SLACK_CLIENT_ID chooses many workspaces.
  const config = createConfig(settings).slack as ManyWorkspacesConfig;
  const fetchFromSlack: typeof fetch = async (...args) =>
    (await slackFault.answer?.()) ?? (await fetch(...args));
  const oauth = createOAuthCalls(config, { fetch: fetchFromSlack, logger: boltLogger });
  const installations = openInstallations(store.database, { oauth, clock });
  const saving: { save: typeof installations.save } = { save: installations.save };
  const createPages = (change: Partial<ManyWorkspacesConfig> = {}, offer: Partial<Offer> = {}) =>
    createInstallPages({
      slack: { ...config, ...change },
      publicUrl: url,
      offer: { isAccountIncluded: false, isInvented: false, ...offer },
      ...{ isAgent: false, commands },
      async save(granted) {
        const saved = await saving.save(granted);
        installed.push({ granted, saved });
        return saved;
      },
      takeState: (state) => takeInstallState(store.database.db, state, new Date(clock.now)),
      measure: measureNothing,
      inFlight: createInFlight(),
      fetch: fetchFromSlack,
      realNow: () => clock.now,
      boltLogger,
      logger,
    });
  pages = createPages();
  return {
    url,
    slack,
    oauth: oauthOf(slack),
    config,
    store,
    installations,
    installed,
    clock,
    log,
    slackFault,
    saving,
    /** As after a restart with other settings. */
    configure: (change: Partial<ManyWorkspacesConfig>, offer?: Partial<Offer>) => {
      pages = createPages(change, offer);
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await slack.close();
      await store.close();
    },
  };
}

/** A browser with cookies, which follows no redirects. */
export function createBrowser() {
  const cookies = new Map<string, string>();
  return {
    cookies,
    async get(url: string, init: RequestInit = {}) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(url, { redirect: 'manual', ...init, headers: cookie ? { cookie } : {} });
      for (const line of response.headers.getSetCookie()) {
        const [pair = '', ...attributes] = line.split('; ');
        const [name = '', value = ''] = pair.split(/=(.*)/s);
        if (attributes.some((attribute) => attribute.includes('1970'))) cookies.delete(name);
        else cookies.set(name, value);
      }
      const page = await response.text();
      const title = /<h1>(.*?)<\/h1>/s.exec(page)?.[1];
      const text = page
        .replaceAll(/<style>.*?<\/style>|<head>.*?<\/head>/gs, '')
        .replaceAll(/<[^>]+>/g, ' ')
        .replaceAll('&#39;', "'")
        .replaceAll(/\s+/g, ' ');
      return { status: response.status, headers: response.headers, page, title, text };
    },
  };
}
