import { ApiError } from '../blocks/content.ts';
import { isJsonObject, type JsonObject, nonEmptyString, parseJson } from '../json.ts';
import type { PageUnfurl } from '../page-api/page-api.ts';
import { linksTo } from '../world/links.ts';
import type { Method, MethodContext } from './method.ts';

export function unfurlMethods(context: MethodContext): Record<string, Method> {
  return {
    'chat.unfurl': { token: 'bot', scopes: ['links:write'], run: (args) => unfurl(context, args) },
  };
}

/** Shows something under links of a message, or of one that is being written. A second call replaces it. */
function unfurl(context: MethodContext, args: JsonObject): JsonObject {
  const { store, composer, unfurlDomains } = context;
  context.limit('chat.unfurl', 'tier3');
  const unfurls = readUnfurls(context, args.unfurls);
  const check = (links: readonly { url: string }[]) => {
    if (!unfurls.every(({ url }) => links.some((link) => link.url === url)))
      throw new ApiError('cannot_unfurl_url');
  };
  const unfurlId = nonEmptyString(args.unfurl_id);
  if (unfurlId !== undefined && args.source === 'composer') {
    const links = composer.find(unfurlId);
    if (!links) throw new ApiError('cannot_find_message');
    check(links);
    composer.show(unfurlId, unfurls);
    return {};
  }
  if (unfurlId !== undefined && !nonEmptyString(args.source)) throw new ApiError('missing_source');
  const [channelId, ts] =
    unfurlId === undefined ? [nonEmptyString(args.channel), nonEmptyString(args.ts)] : unfurlId.split(' ');
  if (!channelId || !ts) throw new ApiError('missing_unfurl_id');
  const channel = store.channel(channelId);
  if (!channel) throw new ApiError('cannot_find_channel');
  const message = store.find(channel.id, ts);
  if (!message || message.ephemeralTo) throw new ApiError('cannot_find_message');
  if (message.botId) throw new ApiError('cannot_unfurl_message');
  check(linksTo(unfurlDomains, message.text));
  store.unfurl(channel.id, ts, unfurls);
  return {};
}

function readUnfurls({ readContent }: MethodContext, value: unknown): PageUnfurl[] {
  const given = typeof value === 'string' ? parseJson(value) : value;
  if (given === undefined || given === null) throw new ApiError('missing_unfurls');
  if (!isJsonObject(given) || !Object.values(given).every(isJsonObject))
    throw new ApiError('invalid_unfurls_format');
  return Object.entries(given).map(([url, attachment]) => {
    const fields = isJsonObject(attachment) ? attachment : {};
    return { url, ...readContent({ ...fields, text: fields.text ?? fields.fallback }) };
  });
}
