import { beforeEach, describe, expect, it } from 'vitest';
import { useWatches } from '../../../support/use-watches.ts';
import { ada, request } from '../../../support/watch-service-harness.ts';
import { permanent } from '../../../support/watch-slack.ts';
import { cypress } from '../../../support/watch-story.ts';

/** If the process dies between Slack and the store, no card is left that looks as if a vessel were watched. */
describe('a card that has no watch', () => {
  const { fixture, harness, slack, send } = useWatches();
  beforeEach(() => {
    fixture.vessels.set(cypress, { NLRTM: [0.9, 300] });
  });

  const added = async () => {
    const answer = await harness.service.add(request(), ada);
    if (answer.kind === 'same') throw new Error('it was watched already');
    return answer.watch;
  };
  /** Runs the outbox after this time; returns all that it has posted. */
  const later = async (seconds: number) => {
    await send(seconds * 1000);
    return slack.posted.map(({ channelId, message }) => ({ channelId, ...message }));
  };

  it('is removed if its watch was not saved: the process died, or Slack never answered', async () => {
    harness.cards.post = async () => {
      throw new Error('socket hang up');
    };
    await expect(harness.service.add(request(), ada)).rejects.toThrow('Slack did not answer');
    expect(await later(59)).toEqual([]);
    expect(await later(1)).toMatchObject([{ kind: 'card-removal', channelId: 'C1' }]);
    expect(await later(600)).toHaveLength(1);
  });

  it('is not looked for if Slack refused it, or its watch was saved', async () => {
    harness.cards.refusal = permanent('not_in_channel');
    await expect(harness.service.add(request(), ada)).rejects.toThrow("can't post in that channel");
    harness.cards.refusal = undefined;
    await added();
    expect(await later(600)).toEqual([]);
  });

  it('gets no watch once it is being removed', async () => {
    const { post } = harness.cards;
    harness.cards.post = async (...card) => {
      const sent = await post(...card);
      await later(60);
      return sent;
    };
    await expect(harness.service.add(request(), ada)).rejects.toThrow('so nothing was saved');
    expect(harness.cards.removed).toHaveLength(1);
  });

  it('becomes the final card through the outbox if Slack refused it at once', async () => {
    const { id } = await added();
    harness.cards.update = async () => {
      throw permanent('message_not_found');
    };
    await harness.service.stop(id, ada);
    expect(await later(14)).toEqual([]);
    expect(await later(1)).toMatchObject([
      {
        kind: 'card-stopped',
        channelId: 'C1',
        title: 'DS CYPRESS',
        cardTs: '1700000000.000001',
        userId: 'U1',
      },
    ]);
  });

  it('becomes the final card only once', async () => {
    const { id } = await added();
    await harness.service.stop(id, ada);
    expect(await later(600)).toEqual([]);
  });
});
