import { nextPortsOf } from '../../answers/answer.ts';
import type { Reader } from '../../answers/message.ts';
import { withoutShare } from '../../answers/slack/answer-message.ts';
import { toMessage } from '../../answers/slack/render.ts';
import { hasValidCheckDigit, type Imo, isImo } from '../../reference/codes.ts';
import type { LinkMode } from '../../workspaces/settings.ts';
import type { AskCtx, WorkCtx } from '../ctx.ts';
import type { BoundAction, Feature } from '../feature.ts';
import { nextPortsInBrief } from '../next-ports/index.ts';

/**
 * The sites whose links to vessels are read, and a function for each that finds the IMO number in a link. The manifest
 * names them as `unfurl_domains`; Slack allows five.
 */
const sites: Readonly<Record<string, (url: URL) => string | undefined>> = {
  /** `/en/ais/details/ships/shipid:N/mmsi:N/imo:N/vessel:NAME`: any of them may be missing. */
  'marinetraffic.com': ({ pathname }) => find(/\/ais\/(?:.*\/)?imo:(\d+)(?=\/|$)/i, pathname),
  /** `/vessels/details/N` has an IMO or an MMSI number; `/vessels/NAME-IMO-N-MMSI-N`; `/?imo=N`. */
  'vesselfinder.com': ({ pathname, searchParams }) =>
    find(/^(?:\/[a-z]{2})?\/vessels\/(?:details\/(\d+)|[^/]*\bimo-(\d+)(?:-mmsi-\d+)?)\/?$/i, pathname) ??
    searchParams.get('imo') ??
    undefined,
  /** `/vessels/name-mmsi-N-imo-N`. */
  'myshiptracking.com': ({ pathname }) => find(/^(?:\/[a-z]{2})?\/vessels\/[^/]*\bimo-(\d+)\/?$/i, pathname),
  /** `/en/Ships/Name-IMO.html`, and without the extension. */
  'vesseltracker.com': ({ pathname }) => find(/\/ships\/[^/]*-(\d+)(?:\.html)?\/?$/i, pathname),
  /** `/vessel/imo/N`. */
  'balticshipping.com': ({ pathname }) => find(/\/vessel\/imo\/(\d+)\/?$/i, pathname),
};

export const linkDomains: readonly string[] = Object.keys(sites);

/**
 * The vessel that a link is about. Undefined for any other site, and for a link without an IMO number whose check digit
 * is right: a site's own number or an MMSI number doesn't say which vessel it is.
 */
export function vesselOfLink(link: string): Imo | undefined {
  // Slack may escape the ampersands of a query.
  const url = URL.parse(link.replaceAll('&amp;', '&'));
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  const domain = Object.keys(sites).find(
    (site) => url.hostname === site || url.hostname.endsWith(`.${site}`),
  );
  const digits = domain === undefined ? undefined : sites[domain]?.(url);
  if (digits === undefined || !/^\d{7}$/.test(digits)) return undefined;
  const imo = Number(digits);
  return isImo(imo) && hasValidCheckDigit(imo) ? imo : undefined;
}

/** The pattern's group that matched. */
const find = (pattern: RegExp, text: string): string | undefined =>
  pattern.exec(text)?.slice(1).find(Boolean);

/** What a workspace can choose. */
export const linkChoices: Readonly<Record<LinkMode, { label: string; says: string }>> = {
  off: {
    label: 'Links to vessels are left alone',
    says: 'Slack shows them as it shows any link.',
  },
  on: {
    label: 'Links to vessels show the next ports',
    says: 'In the channels that Landfall is in, except where people of another organisation can read.',
  },
  composer: {
    label: 'Links to vessels show the next ports, while you write too',
    says: "Slack doesn't say where the message will go, so a preview may reach people of another organisation.",
  },
};

/** The line that asks the same: they share the limit of one refresh a minute. */
const questionAbout = (imo: Imo) => (surface: 'link' | 'refresh', ctx: WorkCtx) => {
  const { lineOf } = ctx.registry;
  const line = lineOf(nextPortsOf(imo)) ?? '';
  return {
    name: line,
    repeatable: true,
    async run(context: AskCtx) {
      const { answer, isEmpty } = await nextPortsInBrief(imo, context);
      // “No prediction” under every link to a tug would be noise; who presses Refresh wants to know.
      if (isEmpty && surface === 'link') return undefined;
      // Everybody already sees it.
      return { view: (reader: Reader) => withoutShare(toMessage(answer, { line, reader, lineOf })) };
    },
  } satisfies BoundAction;
};

/** Links to vessels on other sites, which show the next ports where an admin has switched that on. */
export const links: Feature = {
  commands: [],
  readLink(url) {
    const imo = vesselOfLink(url);
    return imo === undefined ? undefined : { key: String(imo), ask: questionAbout(imo) };
  },
};
