import type { PageMessage } from 'bolt-playground';
import { describe, expect, it } from 'vitest';
import { wordsOf } from '../support/bot.ts';
import { startRestoreWorld } from '../support/restore-world.ts';
import { useStarted } from '../support/use-started.ts';

// A story: the store is lost, and restored from a backup of the day before. Slack has all that was sent since then.

type Vessel = readonly [name: string, imo: number];
const waiting: Vessel = ['DS CYPRESS', 9461477];
const diverted: Vessel = ['MSC DIANA', 9755933];
const same: Vessel = ['EVER GIVEN', 9811000];
const recarded: Vessel = ['MSC GULSUN', 9839430];

describe.each(['sqlite', 'postgres'] as const)('after a restore, %s', (engine) => {
  const world = useStarted(() => startRestoreWorld(engine, '2026-11-23T06:00:00Z'), { perTest: true });

  /** The card, and the replies in its thread. */
  const threadOf = ({ ts }: PageMessage) => world.messages().filter(({ threadTs }) => threadTs === ts);
  const cardsOf = ([name]: Vessel) =>
    world.messages().filter(({ text, threadTs }) => !threadTs && text.includes(`${name} →`));
  const digests = () =>
    world.messages().filter(({ text, threadTs }) => text.startsWith('Morning') && !threadTs);

  async function watch(vessel: Vessel): Promise<PageMessage> {
    goTo(vessel, 'NLRTM');
    await world.say(`/watch ${vessel[1]}`, ({ ephemeralTo }) => ephemeralTo !== undefined);
    const [card] = world.messages().slice(-1);
    if (!card) throw new Error('no card');
    return card;
  }

  const goTo = ([, imo]: Vessel, port: string) => world.ports.set(imo, port);

  it('nothing is posted twice, and what has changed since the backup is one alert', async () => {
    await world.start();
    const [waits, goes, stays] = [await watch(waiting), await watch(diverted), await watch(same)];
    const lost = await watch(recarded);
    await world.say('/digest add "Morning" daily 08:00 UTC: nextport 9755933', ({ text }) =>
      text.includes('Digest saved'),
    );
    await world.at('2026-11-23T06:20:00Z');
    goTo(diverted, 'BEANR');
    await world.at('2026-11-23T08:00:30Z');
    expect(threadOf(goes)).toHaveLength(1);
    expect(digests()).toHaveLength(1);

    world.slack.faults.next('chat.postMessage', { rateLimitedSeconds: 90 });
    goTo(waiting, 'DEHAM');
    await world.at('2026-11-23T09:00:00Z');
    expect(threadOf(waits)).toEqual([]);
    await world.backUp();

    await world.at('2026-11-23T09:02:00Z');
    expect(threadOf(waits)).toHaveLength(1);
    for (const [time, goesTo, staysAt] of [
      ['2026-11-23T12:00:00Z', 'GBFXT', 'DEHAM'],
      ['2026-11-23T20:00:00Z', 'GBFXT', 'NLRTM'],
    ] as const) {
      goTo(diverted, goesTo);
      goTo(same, staysAt);
      await world.at(time);
    }
    expect(threadOf(goes)).toHaveLength(2);
    expect(threadOf(stays).length).toBeGreaterThan(0);
    await world.remove(lost);
    await world.at('2026-11-24T08:00:30Z');
    expect(digests()).toHaveLength(2);
    expect(cardsOf(recarded)).toHaveLength(1);
    await world.stop();

    await world.at('2026-11-24T08:30:00Z');
    await world.loseAndRestore();
    const before = new Set(world.messages().map(({ ts }) => ts));
    const posted = () => world.messages().filter(({ ts }) => !before.has(ts));
    await world.start();
    for (const time of ['08:40', '08:56', '09:12', '12:00']) await world.at(`2026-11-24T${time}:00Z`);
    expect(posted().map(({ threadTs, text }) => [threadTs, text])).toEqual([
      [goes.ts, expect.stringMatching(/MSC DIANA: Antwerp → Felixstowe.*After a restore/)],
    ]);

    const [card] = cardsOf(recarded);
    goTo(recarded, 'BEANR');
    await world.at('2026-11-24T13:00:00Z');
    const [, next, ...others] = posted();
    expect(others).toEqual([]);
    expect(next).toMatchObject({ threadTs: card?.ts, text: expect.stringContaining('Rotterdam → Antwerp') });
    expect(next?.text).not.toContain('restore');
    await world.at('2026-11-25T08:00:30Z');
    expect(digests()).toHaveLength(3);
    expect(wordsOf(digests()[2] as PageMessage)).toContain(
      '1 digest was missed, or sent before Landfall was restored from a backup: Tue 24 Nov 08:00',
    );
  });
});
