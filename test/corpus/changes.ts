import type { PageMessage, Playground } from 'bolt-playground';
import { outlineOf, viewLines } from './outline.ts';
import { steady } from './steady.ts';

/** Something that people see, at one moment. */
export interface Shown {
  /** `in #ops, only to ada`, `ada's Home`. */
  where: string;
  /** The text that notifications and screen readers get; undefined for windows and Home. */
  text?: string;
  outline: string[];
  files: string[];
}

/** `was` is undefined for something new, `is` for something that is gone. */
export interface Change {
  was: Shown | undefined;
  is: Shown | undefined;
}

interface Seen {
  /** JSON, to notice a change. */
  raw: string;
  show(): Shown;
}

/** What people see in the workspace at one moment, in the order in which it was posted. */
type Sight = Map<string, Seen>;

export function look(playground: Playground): Sight {
  const sight: Sight = new Map();
  const add = (key: string, thing: unknown, show: () => Shown) => {
    sight.set(key, { raw: JSON.stringify(thing), show });
  };
  for (const { channels, users } of playground.workspaces) {
    const people = new Set(users.flatMap(({ id, isBot }) => (isBot && id !== slackbot ? [] : [id])));
    for (const { id } of channels) {
      for (const message of playground.messages(id).toSorted(byThread)) {
        // Of people's messages, only what the bot shows under their links.
        if (people.has(message.userId) && !message.unfurls?.length) continue;
        // It counts replies, which are seen in the thread.
        const seen = { ...message, replyCount: undefined };
        add(`${id} ${message.ts} ${message.ephemeralTo}`, seen, () => shownMessage(message, playground));
      }
    }
    for (const user of users) lookAtViews(playground, user, add);
  }
  return sight;
}

const slackbot = 'USLACKBOT';

function lookAtViews(
  playground: Playground,
  { id, name }: { id: string; name: string },
  add: (key: string, thing: unknown, show: () => Shown) => void,
): void {
  const home = playground.home(id);
  if (home) add(home.id, home, () => ({ where: `${name}'s Home`, ...viewOf(home) }));
  for (const view of playground.views(id))
    add(view.id, view, () => ({ where: `${name}'s window`, ...viewOf(view) }));
  for (const preview of playground.previews(id)) {
    const { url, text, blocks = [] } = preview;
    const where = `under ${url} in ${name}'s composer`;
    add(`${id} ${url}`, preview, () => ({ where, text, outline: outlineOf(blocks).map(steady), files: [] }));
  }
}

/** Messages of different threads are sent at once, in any order. */
function byThread(a: PageMessage, b: PageMessage): number {
  return Number(a.threadTs ?? a.ts) - Number(b.threadTs ?? b.ts) || Number(a.ts) - Number(b.ts);
}

const viewOf = (view: Parameters<typeof viewLines>[0]) => ({
  outline: viewLines(view).map(steady),
  files: [],
});

function shownMessage(message: PageMessage, playground: Playground): Shown {
  const { blocks = [], unfurls = [], files = [], text } = message;
  return {
    where: placeOf(message, playground),
    text: steady(text),
    outline: [
      ...outlineOf(blocks),
      ...unfurls.flatMap(({ url, blocks: some = [] }) => [`under ${url}`, ...outlineOf(some)]),
    ].map(steady),
    files: files.map(({ id }) => id),
  };
}

function placeOf(message: PageMessage, { workspaces, messages }: Playground): string {
  const { channelId, threadTs, ephemeralTo, broadcast, ts } = message;
  const nameOf = (userId: string) =>
    workspaces.flatMap(({ users }) => users).find(({ id }) => id === userId)?.name ?? userId;
  const channel = workspaces.flatMap(({ channels }) => channels).find(({ id }) => id === channelId);
  const isDirect = channel?.kind === 'dm';
  const [member = ''] = channel?.memberIds ?? [];
  const parent = threadTs && threadTs !== ts && messages(channelId).find((one) => one.ts === threadTs);
  return [
    isDirect ? `to ${nameOf(member)}` : `in #${channel?.name}`,
    parent ? `, in the thread of “${steady(parent.text).slice(0, 40)}”` : '',
    broadcast ? ', shown in the channel too' : '',
    ephemeralTo ? `, only ${nameOf(ephemeralTo)} sees it` : '',
  ].join('');
}

/** What differs between two looks: what is new or edited in the order of the later one, then what is gone. */
export function changesBetween(before: Sight, after: Sight): Change[] {
  const edited = [...after].flatMap(([key, { raw, show }]) => {
    const was = before.get(key);
    return was?.raw === raw ? [] : [{ was: was?.show(), is: show() }];
  });
  const gone = [...before].filter(([key]) => !after.has(key));
  return [...edited, ...gone.map(([, { show }]) => ({ was: show(), is: undefined }))];
}
