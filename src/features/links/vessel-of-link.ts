import { hasValidCheckDigit, type Imo, isImo } from '../../reference/imo.ts';
import { sites } from './domains.ts';

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
