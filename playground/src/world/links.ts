import type { PageUnfurl } from '../page-api/page-api.ts';

/** A link in a message to one of the app's sites. */
export interface Link {
  url: string;
  /** The site, as the manifest has it. */
  domain: string;
}

/** The links in the text of a message to these domains and their subdomains, each once. */
export function linksTo(domains: readonly string[], text: string): Link[] {
  const urls = [...text.matchAll(/<(https?:\/\/[^|>]+)(?:\|[^>]*)?>/g)].map(([, url = '']) =>
    unescapeText(url),
  );
  return [...new Set(urls)].flatMap((url) => {
    const host = URL.parse(url)?.hostname ?? '';
    const domain = domains.find((each) => host === each || host.endsWith(`.${each}`));
    return domain ? [{ url, domain }] : [];
  });
}

const unescapeText = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

/** A second one for the same link replaces the first. */
export const withUnfurls = (before: readonly PageUnfurl[], unfurls: readonly PageUnfurl[]): PageUnfurl[] => [
  ...before.filter(({ url }) => !unfurls.some((unfurl) => unfurl.url === url)),
  ...unfurls,
];
