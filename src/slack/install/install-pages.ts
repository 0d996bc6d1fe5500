import { hkdfSync } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger as BoltLogger } from '@slack/bolt';
import {
  AuthorizationError,
  type Installation,
  InstallProvider,
  InvalidStateError,
  MissingCodeError,
  MissingStateError,
} from '@slack/oauth';
import { WebAPIHTTPError, WebAPIRateLimitedError, WebAPIRequestError } from '@slack/web-api';
import { parse, serialize } from 'hono/utils/cookie';
import { SignJWT } from 'jose/jwt/sign';
import { jwtVerify } from 'jose/jwt/verify';
import { z } from 'zod';
import type { ManyWorkspacesConfig } from '../../config/config.ts';
import { messageOf } from '../../errors.ts';
import type { CommandHelp } from '../../features/ctx.ts';
import { referenceToShow } from '../../log.ts';
import type { RefusedInstall } from '../../measure.ts';
import type { Granted, Saved } from '../../workspaces/save-installation.ts';
import { oneTimeOptions, withoutBodies } from '../connection/clients.ts';
import type { SharedSlack } from '../context.ts';
import { slackCode } from '../posting/deliver.ts';
import { createRateLimit, type Pages, pathOf } from '../receivers/http.ts';
import * as pages from './pages.ts';
import { type Page, pageHeaders, renderPage } from './pages.ts';
import { scopesOf } from './scopes.ts';

interface InstallOptions extends Omit<SharedSlack, 'timing'> {
  slack: Omit<ManyWorkspacesConfig, 'publicUrl'>;
  /** An origin, without a final slash. */
  publicUrl: string;
  offer: pages.Offer;
  commands: readonly CommandHelp[];
  /** Stores what was granted. */
  save(granted: Granted): Promise<Saved>;
  /** False if the state of this install was used before, in any process. */
  takeState(state: string): Promise<boolean>;
  boltLogger: BoltLogger;
}

/** Codes that mean a wrong setting of ours, not a fault of the person. */
const operatorCodes = /^(?:invalid_client_id|bad_client_secret|bad_redirect_uri|invalid_redirect_uri)$/;
const usedCodes = /^(?:invalid_code|code_already_used|code_expired)$/;

/**
 * Of one process. Anybody can start an install and come back with a made-up code, and each costs a call of Slack's, which
 * limits an app to some hundred a minute. Thirty admins don't install within a minute.
 */
export const exchangeLimit = { max: 30, perMinute: 30 };

/** The landing page, the start of an install, and Slack's way back. */
export function createInstallPages(options: InstallOptions): Pages {
  const { slack, publicUrl, inFlight, boltLogger, logger } = options;
  const links = pages.footerLinks(slack.links);
  const landingPage = pages.landingPage(options.offer, options.commands);
  const mayExchange = createRateLimit({ ...exchangeLimit, realNow: options.realNow });
  // All processes have the same, without settings of their own.
  const secretFor = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', slack.signingSecret, slack.clientId, `landfall ${purpose}`, 32));
  const stateSecret = secretFor('install state').toString('base64url');
  const installedCookie = createInstalledCookie({
    secret: secretFor('installed page'),
    isSecure: publicUrl.startsWith('https:'),
    realNow: options.realNow,
  });

  function send(response: ServerResponse, page: Page): void {
    response.writeHead(page.status, pageHeaders);
    // For a HEAD request, Node.js sends no body.
    response.end(renderPage(page, links));
  }

  const createProvider = (
    fetch: typeof globalThis.fetch,
    save: (installation: Installation) => Promise<void>,
  ) =>
    new InstallProvider({
      clientId: slack.clientId,
      clientSecret: slack.clientSecret,
      stateSecret,
      authorizationUrl: slack.authorizationUrl,
      directInstall: true,
      installationStore: {
        storeInstallation: save,
        fetchInstallation: () => Promise.reject(new Error('see workspaces/installations.ts')),
      },
      clientOptions: oneTimeOptions({ apiUrl: slack.apiUrl, fetch }),
      // Its errors are those that `failureAsync` gets.
      logger: { ...withoutBodies(boltLogger), error: () => {} },
    });
  const starter = createProvider(options.fetch, async () => {});

  /** Slack asks the person, in the workspace of `?team=` first. */
  async function start(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const team = queryOf(request).get('team') ?? '';
    const redirectUri = `${publicUrl}${pages.redirectPath}`;
    response.setHeader('cache-control', 'no-store');
    await starter.handleInstallPath(request, response, undefined, {
      scopes: scopesOf({ isHttp: true, isAgent: options.isAgent }),
      redirectUri,
      ...(/^[TE][A-Z0-9]{2,20}$/.test(team) && { teamId: team }),
    });
  }

  async function finish(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const state = queryOf(request).get('state') ?? '';
    const shown = await installedCookie.read(request, state);
    if (shown) return send(response, pages.installedPage({ ...shown, isReload: true }, options));
    let installedAt: Date | undefined;
    // Slack dates its events by this clock. See end-installation.ts.
    const datedFetch: typeof globalThis.fetch = async (...args) => {
      const answer = await options.fetch(...args);
      const date = Date.parse(answer.headers.get('date') ?? '');
      if (!Number.isNaN(date)) installedAt ??= new Date(date);
      return answer;
    };
    let facts: pages.InstalledFacts | undefined;
    const provider = createProvider(datedFetch, async (installation) => {
      const granted = toGranted(installation, installedAt ?? new Date(options.realNow()));
      const saved = await options.save(granted);
      const { name, isOrgWide, scopes, installerId } = granted;
      const { installationId, scopesBefore } = saved;
      logger.info(
        { installation: installationId, isOrgWide, isFirst: !scopesBefore, installerId },
        'installed',
      );
      facts = { name, isOrgWide, scopes, scopesBefore, openUrl: openUrlOf(granted), isReload: false };
    });
    await provider.handleCallback(request, response, {
      // The state is valid and of this browser. False ends the callback here.
      beforeInstallation: async () => await admit(response, state),
      async successAsync() {
        if (!facts) throw new Error('the installation was not stored');
        response.appendHeader('set-cookie', await installedCookie.write(facts, state));
        send(response, pages.installedPage(facts, options));
      },
      async failureAsync(error) {
        if (error instanceof MissingCodeError) logRefusal(queryOf(request).get('error') ?? '');
        send(response, failurePage(error));
      },
    });
  }

  /** Slack is asked once for each state, and not too often in all. */
  async function admit(response: ServerResponse, state: string): Promise<boolean> {
    if (!mayExchange('all')) {
      refuse('too-many', 'too many installs at once');
      // With its cookie, the state works when the page is reloaded.
      response.removeHeader('set-cookie');
      response.setHeader('retry-after', '60');
      send(response, pages.busyPage);
      return false;
    }
    if (await options.takeState(state)) return true;
    refuse('used-state', 'its state was used before');
    send(response, pages.usedCodePage);
    return false;
  }

  function refuse(reason: RefusedInstall, why: string): void {
    options.measure({ kind: 'refused-request', surface: 'install', reason });
    logger.warn({ reason: why }, 'an install was refused');
  }

  function openUrlOf({ appId, teamId }: Granted): string {
    const url = new URL('/app_redirect', slack.authorizationUrl);
    if (appId) url.searchParams.set('app', appId);
    if (teamId) url.searchParams.set('team', teamId);
    return url.href;
  }

  /** `code` comes from the address, where anybody may write it. */
  function logRefusal(code: string): void {
    if (/^[a-z_]{1,60}$/.test(code)) logger.warn({ code }, 'Slack sent somebody back without an install');
  }

  function failurePage(error: Error): Page {
    if (error instanceof AuthorizationError) return pages.cancelledPage;
    if (error instanceof MissingStateError || error instanceof MissingCodeError)
      return pages.missingStatePage;
    if (error instanceof InvalidStateError) {
      refuse('invalid-state', 'its state has expired, or is not of this browser');
      return pages.invalidStatePage;
    }
    const code = slackCode(error) ?? '';
    if (usedCodes.test(code)) return pages.usedCodePage;
    const ref = referenceToShow();
    logger.warn({ ref, code, reason: messageOf(error) }, 'an install failed');
    if (isUnreachable(error)) return pages.unreachablePage;
    return code === '' || operatorCodes.test(code) ? pages.brokenPage(ref) : pages.refusedPage(code);
  }

  async function answer(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    // A HEAD request, as of a link preview, must not use up Slack's code.
    const allowed = path === pages.redirectPath ? ['GET'] : ['GET', 'HEAD'];
    if (!allowed.includes(request.method ?? '')) {
      response.writeHead(405, { allow: allowed.join(', ') }).end();
    } else if (path === '/') {
      send(response, landingPage);
    } else if (path === pages.installPath) {
      await start(request, response);
    } else {
      await finish(request, response);
    }
  }

  return (request, response) => {
    const path = pathOf(request);
    if (path !== '/' && path !== pages.installPath && path !== pages.redirectPath) return false;
    const work = answer(request, response, path).catch((error: unknown) => {
      const ref = referenceToShow();
      logger.error({ ref, err: error }, 'an install page failed');
      if (response.headersSent) response.destroy();
      else send(response, pages.brokenPage(ref));
    });
    // Slack's code works once, so a stop waits for this work.
    void inFlight.track(work);
    return true;
  };
}

/** The host doesn't matter. */
const queryOf = ({ url = '/' }: IncomingMessage): URLSearchParams =>
  URL.parse(url, 'http://localhost')?.searchParams ?? new URLSearchParams();

/** Throws if Slack gave no bot token. */
function toGranted(installation: Installation, installedAt: Date): Granted {
  const { bot, team, enterprise, isEnterpriseInstall, user, appId } = installation;
  if (!bot) throw new Error('Slack gave no bot token: the app has no bot scopes');
  const isOrgWide = isEnterpriseInstall === true;
  const place = isOrgWide ? enterprise : team;
  return {
    isOrgWide,
    enterpriseId: enterprise?.id,
    teamId: isOrgWide ? undefined : team?.id,
    name: place?.name ?? (isOrgWide ? 'your organisation' : 'your workspace'),
    botUserId: bot.userId,
    botId: bot.id,
    appId,
    installerId: user.id,
    scopes: bot.scopes,
    token: bot.token,
    refreshToken: bot.refreshToken,
    // In seconds.
    expiresAt: bot.expiresAt === undefined ? undefined : new Date(bot.expiresAt * 1000),
    installedAt,
  };
}

/** Slack did not answer, or not now. */
const isUnreachable = (error: unknown): boolean =>
  error instanceof WebAPIRequestError ||
  error instanceof WebAPIHTTPError ||
  error instanceof WebAPIRateLimitedError;

const name = 'landfall-installed';
const maxAgeSeconds = 3_600;

const shown = z.object({
  name: z.string(),
  isOrgWide: z.boolean(),
  scopes: z.array(z.string()),
  openUrl: z.string(),
});

/**
 * Remembers for an hour what the success page said, since Slack's code and the state work only once. It is signed, and
 * bound to the state of that install. Holds no token.
 */
function createInstalledCookie(options: { secret: Buffer; isSecure: boolean; realNow: () => number }) {
  const { secret, isSecure, realNow } = options;
  return {
    /** The value of `Set-Cookie`. */
    async write(
      { name: place, isOrgWide, scopes, openUrl }: pages.InstalledFacts,
      state: string,
    ): Promise<string> {
      const signed = new SignJWT({ name: place, isOrgWide, scopes, openUrl }).setProtectedHeader({
        alg: 'HS256',
      });
      const until = new Date(realNow() + maxAgeSeconds * 1000);
      const value = await signed.setAudience(state).setExpirationTime(until).sign(secret);
      const scope = { path: pages.redirectPath, maxAge: maxAgeSeconds, secure: isSecure };
      return serialize(name, value, { ...scope, httpOnly: true, sameSite: 'Lax' });
    },
    /** Undefined unless this browser has finished the install with this state. */
    async read(
      { headers }: IncomingMessage,
      state: string,
    ): Promise<Omit<pages.InstalledFacts, 'isReload'> | undefined> {
      const { [name]: value = '' } = parse(headers.cookie ?? '', name);
      const expected = { algorithms: ['HS256'], audience: state, currentDate: new Date(realNow()) };
      const verified = await jwtVerify(value, secret, expected).catch(() => undefined);
      const { data: facts } = shown.safeParse(verified?.payload);
      return facts && { ...facts, scopesBefore: undefined };
    },
  };
}
