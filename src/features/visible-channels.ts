import { within } from '../cache.ts';
import type { AskCtx } from './ctx.ts';
import type { Publicity } from './services.ts';

interface VisibleChannels {
  /** Public, or this person has joined it. A channel that Slack hasn't described in time counts as private. */
  mayKnow(channelId: string | undefined): boolean;
  isUnknown(channelId: string): boolean;
}

/** Which of these channels an admin may know of. Slack may not describe all in time, so the important ones come first. */
export async function readVisibleChannels(
  channelIds: readonly string[],
  ctx: AskCtx,
): Promise<VisibleChannels> {
  const { access, slack } = ctx.services;
  const joined = await access.getJoinedChannels(ctx.actor.userId);
  const others = channelIds.filter((id) => !joined.has(id));
  const described: ReadonlyMap<string, Publicity> = await askEach(others, slack.publicityOf);
  return {
    mayKnow: (channelId) =>
      channelId !== undefined && (joined.has(channelId) || described.get(channelId) === 'public'),
    isUnknown: (channelId) => !joined.has(channelId) && (described.get(channelId) ?? 'unknown') === 'unknown',
  };
}

/** Slack's limits are by the minute, and the whole answer has 15 s. What it has said is cached. */
const lookUps = { max: 200, atOnce: 5, timeoutMs: 4_000 };

/** Asks for each, some at once, until the time is over. What has not been answered by then is left out. */
export async function askEach<Value>(
  ids: readonly string[],
  ask: (id: string) => Promise<Value>,
): Promise<ReadonlyMap<string, Value>> {
  const answers = new Map<string, Value>();
  const left = ids.slice(0, lookUps.max);
  let isOver = false;
  const work = async () => {
    for (let id = left.shift(); id !== undefined && !isOver; id = left.shift())
      answers.set(id, await ask(id));
  };
  const all = Promise.all(Array.from({ length: lookUps.atOnce }, work));
  await within(all, lookUps.timeoutMs, () => {
    isOver = true;
  });
  return new Map(answers);
}
