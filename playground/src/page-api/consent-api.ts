/** The API of the consent page, on which an admin lets the app into a workspace: JSON under `/playground/oauth/`. */
import type { PageUser } from './page-api.ts';

/** The query of `/oauth/v2/authorize`. */
export interface AuthorizeQuery {
  client_id?: string;
  /** Comma-separated. */
  scope?: string;
  redirect_uri?: string;
  state?: string;
  /** The workspace or organisation to offer first. */
  team?: string;
}

/** Where the app can be installed: a workspace, or the organisation of all of them. */
export interface ConsentPlace {
  id: string;
  name: string;
  isOrganisation: boolean;
  /** Those who can open this page there; only admins can install. */
  people: PageUser[];
  /** Set if the app is there already; it can be installed again. */
  isInstalled: boolean;
  /** Why it can't be installed there. */
  refusal?: string;
}

export interface ConsentScope {
  scope: string;
  /** What it allows, in plain English. */
  text: string;
  /** The installer can decline it. */
  isOptional: boolean;
}

/** `GET /playground/oauth/request?client_id=…`, with the query of `/oauth/v2/authorize`. */
export interface ConsentPageState {
  appName: string;
  appDescription: string;
  /** The place that the app asked for with `team`. */
  placeId?: string;
  places: ConsentPlace[];
  scopes: ConsentScope[];
}

/** `POST /playground/oauth/allow` */
export interface AllowRequest {
  query: AuthorizeQuery;
  placeId: string;
  userId: string;
  /** Optional scopes. */
  declined: string[];
}

/** `url` is where the browser goes next. */
export type ConsentReply = { ok: true; url: string } | { ok: false; error: string };
