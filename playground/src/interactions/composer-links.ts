import { randomId } from '../ids.ts';
import type { PageUnfurl } from '../page-api/page-api.ts';
import { type Link, linksTo, withUnfurls } from '../world/links.ts';
import type { Escaper } from './escape.ts';
import type { Events } from './events.ts';

export type ComposerLinks = ReturnType<typeof createComposerLinks>;

/** Links in messages that people are writing. The app learns of them, and may show something before they are sent. */
export function createComposerLinks(options: {
  escaper: Pick<Escaper, 'message'>;
  domains: readonly string[];
  emit: Events['emit'];
  onChange(userId: string, previews: PageUnfurl[]): void;
}) {
  const { escaper, domains, emit, onChange } = options;
  /** By user: a person writes one message at a time. */
  const written = new Map<string, { unfurlId: string; links: Link[]; previews: PageUnfurl[] }>();
  return {
    /** Call this with what is in the composer. Without new links nothing happens. */
    async write(userId: string, text: string): Promise<void> {
      const links = linksTo(domains, escaper.message(text));
      const urls = (of: Link[]) => of.map(({ url }) => url).join(' ');
      if (urls(links) === urls(written.get(userId)?.links ?? [])) return;
      if (links.length === 0) {
        written.delete(userId);
        return onChange(userId, []);
      }
      const unfurlId = `${userId}-${randomId('', 24)}`;
      written.set(userId, { unfurlId, links, previews: [] });
      const where = { channel: 'COMPOSER', message_ts: unfurlId, is_bot_user_member: true };
      const what = { unfurl_id: unfurlId, source: 'composer', links };
      await emit({ type: 'link_shared', user: userId, ...where, ...what });
    },
    /** The links of a message that is being written; undefined if it has been sent, or is written anew. */
    find: (unfurlId: string): readonly Link[] | undefined =>
      [...written.values()].find((each) => each.unfurlId === unfurlId)?.links,
    previewsOf: (userId: string): PageUnfurl[] => written.get(userId)?.previews ?? [],
    /** Shows previews to the person who writes, instead of those of the same links. */
    show(unfurlId: string, unfurls: readonly PageUnfurl[]): void {
      for (const [userId, draft] of written) {
        if (draft.unfurlId !== unfurlId) continue;
        draft.previews = withUnfurls(draft.previews, unfurls);
        onChange(userId, draft.previews);
      }
    },
  };
}
