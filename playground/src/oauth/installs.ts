import { ApiError } from '../blocks/content.ts';
import { randomSecret } from '../ids.ts';
import type { EndReason } from '../web-api/installation.ts';

/** The app in one workspace, or in a whole organisation. */
export interface Install {
  /** The workspace's id; for an org-wide one, the organisation's. */
  id: string;
  isOrgWide: boolean;
  installerId: string;
  scopes: string[];
  /** Milliseconds. */
  installedAt: number;
  /** Oldest first. */
  tokens: Token[];
  /** With rotation. Usable once. */
  refreshToken?: string;
  /** Set once it has ended. */
  ended?: EndReason;
}

interface Token {
  value: string;
  /** Milliseconds. Undefined: never. */
  expiresAt?: number;
}

/** What `oauth.v2.access` hands out. */
export interface Issued {
  install: Install;
  token: string;
  /** With rotation. */
  refreshToken?: string;
}

export interface Installs {
  list(): readonly Install[];
  /** The one that hasn't ended, by the id of the workspace or the organisation. */
  active(id: string): Install | undefined;
  /** Installs, or adds scopes to what is installed. Slack never takes a scope away by a re-install. */
  add(install: Pick<Install, 'id' | 'isOrgWide' | 'installerId' | 'scopes'>, rotation: boolean): Issued;
  /** Throws ApiError `invalid_refresh_token`. */
  refresh(refreshToken: string): Issued;
  /** Throws ApiError: invalid_auth, token_expired, token_revoked, account_inactive. */
  find(token: string): Install;
  end(install: Install, reason: EndReason): void;
  /** Makes every token of a rotating installation expire now. */
  expireTokens(): void;
  restore(installs: Install[]): void;
}

export const TOKEN_SECONDS = 12 * 3600;
/** An app may use its previous token for a moment after a refresh. */
const MAX_TOKENS = 2;
/** Ended ones are remembered so that their tokens get the right error. */
const MAX_INSTALLS = 100;

export function createInstalls(options: { now: () => number; onChange: () => void }): Installs {
  const { now, onChange } = options;
  let installs: Install[] = [];
  const active = (id: string) => installs.find((install) => install.id === id && !install.ended);

  function issueRotating(install: Install): Issued {
    const token = `xoxe.xoxb-1-${randomSecret()}`;
    const refreshToken = `xoxe-1-${randomSecret()}`;
    const issued = { value: token, expiresAt: now() + TOKEN_SECONDS * 1000 };
    install.tokens = [...install.tokens, issued].slice(-MAX_TOKENS);
    install.refreshToken = refreshToken;
    return { install, token, refreshToken };
  }

  function issue(install: Install, rotation: boolean): Issued {
    if (rotation || install.refreshToken) return issueRotating(install);
    const token = install.tokens[0]?.value ?? `xoxb-playground-${randomSecret()}`;
    install.tokens = [{ value: token }];
    return { install, token };
  }

  return {
    list: () => installs,
    active,
    add(details, rotation) {
      const known = active(details.id);
      const install = known ?? { ...details, installedAt: now(), tokens: [] };
      if (known) {
        known.scopes = [...new Set([...known.scopes, ...details.scopes])];
        known.installerId = details.installerId;
        known.installedAt = now();
      } else installs = [...installs, install].slice(-MAX_INSTALLS);
      const issued = issue(install, rotation);
      onChange();
      return issued;
    },
    refresh(refreshToken) {
      const install = installs.find((one) => !one.ended && one.refreshToken === refreshToken);
      if (!install) throw new ApiError('invalid_refresh_token');
      const issued = issueRotating(install);
      onChange();
      return issued;
    },
    find(value) {
      for (const install of installs) {
        const token = install.tokens.find((one) => one.value === value);
        if (!token) continue;
        if (install.ended) throw new ApiError(install.ended);
        if (token.expiresAt !== undefined && token.expiresAt <= now()) throw new ApiError('token_expired');
        return install;
      }
      throw new ApiError('invalid_auth');
    },
    end(install, reason) {
      install.ended = reason;
      onChange();
    },
    expireTokens() {
      for (const { tokens } of installs) {
        for (const token of tokens) if (token.expiresAt !== undefined) token.expiresAt = now();
      }
      onChange();
    },
    restore(saved) {
      installs = saved;
      onChange();
    },
  };
}
