/** The place of a message in a permalink of Slack: `…/archives/C0OPS/p1700000000000100`. */
export interface MessagePlace {
  channelId: string;
  ts: string;
}

/** Undefined if the link is none to a message. */
export function parsePermalink(link: string): MessagePlace | undefined {
  const [, channelId, seconds, fraction] = /\/archives\/(\w+)\/p(\d{10})(\d{6})(?:\?|$)/.exec(link) ?? [];
  if (!channelId || !seconds || !fraction) return undefined;
  return { channelId, ts: `${seconds}.${fraction}` };
}
