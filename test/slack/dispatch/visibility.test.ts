import { randomUUID } from 'node:crypto';
import { describe, expect, it, test, vi } from 'vitest';
import type { Reader } from '../../../src/answers/message.ts';
import type { UserError } from '../../../src/errors.ts';
import { silentLogger } from '../../../src/log.ts';
import type { SlackContext } from '../../../src/slack/context.ts';
import { type Ask, visibilityOf } from '../../../src/slack/dispatch.ts';
import type { Visibility } from '../../../src/workspaces/settings.ts';
import { ada, ops, startBot } from '../../support/bot.ts';
import { sharedDatabase } from '../../support/bot-database.ts';
import { saveChannelSettings } from '../../support/channel-settings.ts';
import { useStarted } from '../../support/use-started.ts';

const bot = useStarted(() => startBot('socket'));

/** Saves it as another process does; this one sees it a second later. */
async function choose(channelId: string, visibility: Visibility): Promise<void> {
  const { id: workspaceId } = bot.playground.world.team;
  const by = { change: { visibility }, actorId: ada, now: new Date(), id: randomUUID() };
  await saveChannelSettings(await sharedDatabase(), { workspaceId, channelId }, by);
  bot.advance(1_001);
}

/** Who sees the answer. */
const seenBy = async (channelId: string, line: string, match = () => true) =>
  (await bot.say(ada, channelId, line, { match })).ephemeralTo === ada ? 'Ada' : 'all';

test("the channel's settings decide who sees an answer, unless the line says so", async () => {
  expect(await seenBy(ops, '/nextport 9461477')).toBe('Ada');
  await choose(ops, 'public');
  expect(await seenBy(ops, '/nextport 9461477')).toBe('all');
  expect(await seenBy(ops, '/nextport 9461477 private')).toBe('Ada');
  // Errors, changes, costs and help are private.
  for (const line of ['/nextport 9461470', '/vessel name 9461477 DS CYPRESS', '/usage', '/landfall status']) {
    expect([line, await seenBy(ops, line)]).toEqual([line, 'Ada']);
  }
  // Lists from other channels are private, too.
  expect(await seenBy(ops, '/watch list all')).toBe('Ada');
  expect(await seenBy(ops, '/watch list mine')).toBe('Ada');
  expect(await seenBy(ops, '/watch list')).toBe('all');
  expect(await seenBy(ops, '/usage public')).toBe('all');
  await choose(ops, 'private');
  expect(await seenBy(ops, '/nextport 9461477')).toBe('Ada');
});

const user = { id: 'U0ADA0001', teamId: undefined };
const channel = { channelId: 'C1', user };
const open = { name: 'nextport 9461477', privacy: 'open' } as const;

/** In a channel whose setting is public. */
const visible = (
  ask: Partial<Ask>,
  work: Partial<Parameters<typeof visibilityOf>[1]>,
  {
    audience = 'channel',
    getCached = async () => ({ visibility: 'public' }),
  }: { audience?: Reader['audience']; getCached?: () => Promise<object> } = {},
): Promise<Visibility> =>
  visibilityOf(
    { ...channel, ...ask },
    { name: 'usage', ...work },
    // It uses no more of the context.
    {
      ctx: { services: { channels: { getCached } } },
      lookups: { audienceOf: async () => audience, directMessageOf: async () => 'D0ADA0001' },
      logger: silentLogger,
    } as unknown as SlackContext,
  );

test("an answer is private outside of channels, and if the settings can't be read within a second", async () => {
  const asked = { visibility: 'as-typed' } as const;
  expect(await visible(asked, open)).toBe('public');
  expect(await visible(asked, open, { audience: 'outside' })).toBe('private');
  for (const channelId of ['D024BE7LR', user.id])
    expect(await visible({ ...asked, channelId }, open)).toBe('private');
  expect(await visible({ ...asked, channelId: 'G024BE7LR' }, open)).toBe('public');
  const failing = () => Promise.reject(new Error('gone'));
  expect(await visible(asked, open, { getCached: failing })).toBe('private');
  vi.useFakeTimers();
  const chosen = visible(asked, open, { getCached: () => new Promise(() => {}) });
  await vi.advanceTimersByTimeAsync(1_000);
  vi.useRealTimers();
  expect(await Promise.race([chosen, 'still waiting'])).toBe('private');
});

describe('who sees an answer, by its privacy and by how it was requested', () => {
  const privacies = ['open', 'on-request', 'internal', 'personal', 'never-shared'] as const;
  type Way = Ask['visibility'];
  const seen = async (
    visibility: Way,
    { typed, audience }: { typed?: Visibility; audience?: Reader['audience'] } = {},
  ) => {
    const answers = await Promise.all(
      privacies.map((privacy) =>
        visible(
          { visibility },
          { privacy, ...(typed && { visibility: typed }) },
          audience && { audience },
        ).catch(({ message }: UserError) =>
          message.includes('another organisation') ? 'not there' : 'refused',
        ),
      ),
    );
    return answers.join(' ');
  };

  it.each<[Way, Visibility | undefined, string]>([
    //                                 open    asked   inside  personal closed
    ['as-typed', undefined, '             public  private private private  private'],
    ['as-typed', 'public', '              public  public  public  public   private'],
    ['as-typed', 'private', '             private private private private  private'],
    ['unless-personal', undefined, '   public  public  public  private  refused'],
    ['unless-personal', 'public', '    public  public  public  public   refused'],
    ['unless-personal', 'private', '   public  public  public  private  refused'],
    ['public', undefined, '            public  public  public  public   refused'],
    ['private', undefined, '           private private private private  private'],
  ])('%s, typed %s', async (way, typed, expected) => {
    expect(await seen(way, typed && { typed })).toBe(expected.trim().replaceAll(/ +/g, ' '));
  });

  it('an `internal` answer is refused in channels with outsiders, and only there', async () => {
    const typed = 'public';
    expect(await seen('as-typed', { typed, audience: 'outside' })).toBe(
      'public public not there public private',
    );
    expect(await seen('public', { audience: 'outside' })).toBe('public public not there public refused');
    expect(await seen('private', { audience: 'outside' })).toBe('private private private private private');
    expect(await seen('public', { audience: 'private' })).toBe('public public public public refused');
    // Slack says that it is a direct message, whatever its id begins with.
    expect(await seen('as-typed', { audience: 'private' })).toBe('private private private private private');
  });
});
