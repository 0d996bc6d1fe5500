import { beforeEach, describe, expect, test } from 'vitest';
import { asRead } from '../../support/message-text.ts';
import { slackFaults } from '../../support/slack-faults.ts';
import { useStarted } from '../../support/use-started.ts';
import { createWatchCommands } from '../../support/watch-commands.ts';
import { cypress, diana, type Ports, vessel } from '../../support/watch-story.ts';

const here = 'C0WATCHED1';
const own = /<[#@][CU]0WATCH\w+>/g;

const commands = useStarted(createWatchCommands);
beforeEach(async () => {
  await commands.reset();
  commands.fixture.clock.hours = -60;
});

async function show(line: string): Promise<string> {
  const message = await commands.show(line);
  expect(slackFaults(message, own)).toEqual([]);
  return asRead(message).replaceAll('\u00a0', ' ');
}

const poll = (hours: number, now: Record<number, Ports>) => commands.fixture.at(hours, now);

/** Two calls each, of which the second one is a leg from Hamburg to Rotterdam. */
async function watchTwoCalls(): Promise<void> {
  await commands.fixture.watch([vessel(cypress)], { channelId: here });
  await commands.fixture.watch([vessel(diana)], { channelId: 'C0WATCHED2' });
  const both = (ports: Ports) => ({ [cypress]: ports, [diana]: ports });
  await poll(-55, both({ DEHAM: [0.9, -50] }));
  await poll(-50, both({ NLRTM: [0.8, -22] }));
  for (let at = -44; at < -20; at += 6) await poll(at, both({ NLRTM: [0.8, -20] }));
  await poll(-20, both({ GBFXT: [0.7, 40] }));
}

describe('watch stability', () => {
  test('counts the vessels that are watched in the channel, or in a direct message all that the person sees', async () => {
    await watchTwoCalls();
    expect(await show('watch stability')).toContain('| DS CYPRESS | – | – | 1 of 1 | – | 2 |\n');
    const lane = await show('watch stability from Hamburg to Rotterdam');
    expect(lane).toContain('DS CYPRESS · Fri 20 Nov 05:00');
    expect(lane).not.toContain('MSC DIANA');
    // Of a vessel, as its history.
    expect(await show('watch stability 9755933')).toContain('MSC DIANA: no call has ended yet');
    expect(await show('nextport 9755933 history')).toContain('*No history for MSC DIANA here yet*');
    commands.channels.set('U0WATCHER1', new Set(['C0WATCHED2']));
    const place = { channelId: 'D0WATCHER1', destination: 'direct-message' } as const;
    const alone = async (line: string) =>
      asRead(await commands.show(line, { place })).replaceAll('\u00a0', ' ');
    const shown = await alone('watch stability 9755933');
    expect(shown).toContain('| Rotterdam · Fri 20 Nov 05:00 | – | – | same 80% | – | Hamburg |');
    expect(await alone('how stable is MSC DIANA?')).toContain('MSC DIANA: 2 calls ended while watched');
    expect(await alone('nextport 9755933 history')).toContain('Stability: 2 calls ended while watched');
  });

  test('of one port: it needs another', async () => {
    const shown = await show('watch stability Antwerp');
    expect(shown).toContain(
      '“Antwerp” is a port. Stability is that of vessels, or of a lane between two ports.',
    );
    expect(shown).toContain('[All watched here → watch stability]');
    expect(shown).not.toContain('IMO number');
  });

  test('of a list that is polled', async () => {
    const { fixture } = commands;
    await fixture.watch([{ kind: 'shiplist', name: 'FEEDERS' }], { channelId: here });
    fixture.lists.set('FEEDERS', { [cypress]: { NLRTM: [0.8, -40] } });
    await fixture.at(-50);
    fixture.lists.set('FEEDERS', { [cypress]: { DEHAM: [0.8, 40] } });
    await fixture.at(-40);
    expect(await show('watch stability list:feeders')).toContain('List FEEDERS: 1 call ended while watched');
  });

  test.each([
    'watch stability',
    'watch stability 9461477',
    'watch stability list:NORTH',
    'watch stability fleet:NORTH',
    'watch stability Rotterdam Hambrg',
    'watch stability Rotterdam to Rotterdam',
    'watch stability NO SUCH SHIP',
    'watch stability 9461477 mine',
    'watch stability mine in <#C024BE7LR|ops>',
  ])('%s, with nothing to show', async (line) => {
    expect(await show(line)).toMatchSnapshot();
  });
});
