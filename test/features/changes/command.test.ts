import { beforeEach, describe, expect, test } from 'vitest';
import type { Imo, Locode } from '../../../src/reference/codes.ts';
import { asRead } from '../../support/message-text.ts';
import { reader } from '../../support/run-command.ts';
import { sendReplies } from '../../support/send-replies.ts';
import { slackFaults } from '../../support/slack-faults.ts';
import { useStarted } from '../../support/use-started.ts';
import { createWatchCommands } from '../../support/watch-commands.ts';
import { cypress, diana, given, type Ports, vessel } from '../../support/watch-story.ts';

const here = 'C0WATCHED1';
const own = /<[#@][CU]0WATCH\w+>/g;

const commands = useStarted(createWatchCommands);
beforeEach(async () => {
  await commands.reset();
  // The watches are older than their first polls.
  commands.fixture.clock.hours = -30;
});

async function show(line: string, context?: Parameters<typeof commands.show>[1]): Promise<string> {
  const message = await commands.show(line, context);
  expect(slackFaults(message, own)).toEqual([]);
  return asRead(message);
}

/** Polls at these hours before or after midnight UTC; now it is 9:05 UTC. */
const poll = (hours: number, now: Record<number, Ports>) => commands.fixture.at(hours, now);
const sendAll = () => sendReplies(commands.db);
const watchHere = (...imos: Imo[]) =>
  commands.fixture.watch(
    imos.map((imo) => vessel(imo)),
    { channelId: here },
  );

describe('what changed', () => {
  test('a fleet: what matters most comes first, the others are counted', async () => {
    await watchHere(cypress, diana, given, 9839430 as Imo);
    await poll(-20, {
      [cypress]: { NLRTM: [0.8, 60] },
      [diana]: { BEANR: [0.7, 80] },
      [given]: { FRLEH: [0.74, 90] },
      9839430: { CNSHA: [0.9, 70] },
    });
    await poll(2, { [cypress]: { NLRTM: [0.8, 84] } });
    await poll(8, {
      [cypress]: { BEANR: [0.86, 100], NLRTM: [0.1, 60] },
      [diana]: { BEANR: [0.72, 94] },
    });
    await sendAll();
    const shown = await show('watch changes since yesterday');
    expect(shown).toContain(
      '*2 of 4 vessels changed* since the first check on record, Fri 20 Nov 05:00 · 🔴 1 · 🟠 1\n',
    );
    expect(shown).toContain(
      '| DS CYPRESS | 🔴 Diverted to Antwerp | Rotterdam 80% → Antwerp 86% | Wed 05:00 LT |\n| MSC DIANA | 🟠 ETA 14 h later | Antwerp 70% → 72% | Tue 23:00 LT, was Tue 09:00 |\n▸ 3 alerts in between\n',
    );
    expect(shown).toContain('2 vessels little changed · moves under 3 h, 5% of the time left or 10 points');
  });

  test('references have a column, except where people of other organisations read', async () => {
    await watchHere(cypress, diana);
    await show('vessel ref 9461477 BK123, MEDU4711');
    await poll(-20, { [cypress]: { NLRTM: [0.8, 60] }, [diana]: { NLRTM: [0.8, 60] } });
    await poll(8, { [cypress]: { NLRTM: [0.6, 44] }, [diana]: { NLRTM: [0.6, 44] } });
    const answer = await show('watch changes');
    expect(answer).toContain('| Vessel | What | Was → Now | ETA | Ref |');
    expect(answer).toContain('was Mon 13:00 | BK123, MEDU4711 |');
    expect(answer).toContain('was Mon 13:00 | – |');
    expect(answer).toContain('was Mon 13:00 · Ref BK123, MEDU4711; 🟠 MSC DIANA');
    const exported = await show('watch changes since yesterday as csv');
    expect(exported).toContain('watch-changes-2026-11-20-to-2026-11-21-as-of-2026-11-21.csv');
    expect(exported).toMatch(/,references,.*BK123 \| MEDU4711/s);
    const outside = await commands.show('watch changes', {}, { ...reader, audience: 'outside' });
    expect(asRead(outside)).toContain('| Vessel | What | Was → Now | ETA |');
    expect(asRead(outside)).not.toMatch(/BK123|Ref /);
  });

  test('an alert in between is in the row, if what it says is over', async () => {
    await watchHere(cypress, diana);
    await poll(-20, { [cypress]: { NLRTM: [0.8, 60] }, [diana]: { NLRTM: [0.8, 60] } });
    await poll(2, { [cypress]: { NLRTM: [0.8, 90] } });
    await poll(8, { [cypress]: { NLRTM: [0.8, 61] } });
    await sendAll();
    const answer = await show('watch changes');
    expect(answer).toContain('1 of 2 vessels changed since Sat 21 Nov 00:00');
    expect(answer).toContain(
      '| DS CYPRESS | 🟠 Little changed (alert: ETA 1 d 5 h earlier) | Rotterdam 80% |',
    );
  });

  test('it says what the history does not know', async () => {
    await watchHere(cypress);
    await poll(-3, { [cypress]: { NLRTM: [0.8, 60] } });
    expect(await show('watch changes')).toContain('no newer check: DS CYPRESS');
    await watchHere(diana);
    await poll(2, { [diana]: { BEANR: [0.7, 80] } });
    expect(await show('watch changes')).toContain('no newer check: MSC DIANA');
    await poll(8, {});
    expect(await show('watch changes')).toContain(
      'compared with the first check on record: MSC DIANA (02:00 UTC)',
    );
    expect(await show('watch changes since 2026-11-01')).toContain(
      '*Nothing changed* since the first check on record, Fri 20 Nov 22:00',
    );
  });

  test('in a digest, since the one before it, with buttons for the same time', async () => {
    await watchHere(cypress);
    await poll(-20, { [cypress]: { NLRTM: [0.8, 60] } });
    await poll(-8, { [cypress]: { BEANR: [0.9, 44] } });
    await poll(8, {});
    const lastSentAt = new Date('2026-11-20T07:00Z');
    const answer = await show('watch changes', { lastSentAt });
    expect(answer).toContain(
      '*DS CYPRESS: diverted to Antwerp* · Rotterdam 80% → Antwerp 90%, Sun 21:00 LT · since Fri 20 Nov 08:00',
    );
    expect(answer).toContain('[Refresh → watch changes since 20 nov 08:00]');
    expect(await show('watch changes since 20 nov 08:00')).toBe(answer);
    expect(await show('watch changes since 06:00', { lastSentAt })).toContain('Nothing changed since');
    // After a clock rollback.
    const later = { lastSentAt: new Date('2026-11-21T10:00Z') };
    expect(await show('watch changes', later)).toContain('*Nothing changed* since Sat 21 Nov 00:00\n');
  });

  test('a port', async () => {
    await commands.fixture.watch([{ kind: 'port', port: 'NLRTM' as Locode }], { channelId: here });
    await poll(-20, { [cypress]: { NLRTM: [0.8, -10] }, [diana]: { NLRTM: [0.7, 80] } });
    await poll(8, {
      [cypress]: { BEANR: [0.8, 60] },
      [diana]: { NLRTM: [0.7, 90] },
      [given]: { NLRTM: [0.6, 70] },
    });
    const shown = await show('watch changes');
    expect(shown).toContain(
      '| EVER GIVEN | ⚪ Newly expected at Rotterdam | none → Rotterdam 60% | Mon 23:00 LT |\n| MSC DIANA | ⚪ ETA 10 h later | Rotterdam 70% | Tue 19:00 LT, was Tue 09:00 |\n',
    );
    expect(shown).toContain("1 vessel left a port's list at about the ETA");
  });

  describe('of some vessels, or at a port', () => {
    beforeEach(async () => {
      await watchHere(cypress, diana, given);
      await poll(-20, {
        [cypress]: { NLRTM: [0.8, 60] },
        [diana]: { BEANR: [0.7, 80], NLRTM: [0.2, 90] },
        [given]: { FRLEH: [0.74, 90] },
      });
      await poll(8, {
        [cypress]: { BEANR: [0.86, 100], NLRTM: [0.1, 60] },
        [diana]: { BEANR: [0.7, 94], NLRTM: [0.2, 100] },
      });
      await sendAll();
    });

    test('a vessel', async () => {
      expect(await show('watch changes of MSC DIANA since yesterday')).toMatchSnapshot();
      expect(await show('watch changes of EVER GIVEN since yesterday')).toMatchSnapshot();
    });

    test('several, one of them not watched', async () => {
      const answer = await show('watch changes of EVER GIVEN, MSC DIANA, 9839430 since yesterday');
      expect(answer).toContain('*1 of 2 vessels changed* since');
      expect(answer).toContain('not watched: MSC GULSUN');
      expect(answer).not.toContain('DS CYPRESS');
    });

    test('a port: the vessels that had it or have it as one of the two likeliest', async () => {
      expect(await show('watch changes at Antwerp since yesterday')).toMatchSnapshot();
      expect(await show('watch changes at Le Havre since yesterday')).toContain(
        '*Le Havre: nothing changed* since',
      );
      const answer = await show('watch changes at Rotterdam since yesterday');
      expect(answer).toContain('*Rotterdam: 2 of 2 vessels changed* since');
    });

    test('a fleet, and a list that isn’t watched', async () => {
      await commands.answer('vessel fleet NORTH add 9755933, 9839430');
      const answer = await show('watch changes of fleet:NORTH since yesterday');
      expect(answer).toContain(
        '*MSC DIANA: ETA 14 h later* · Antwerp 70%, Tue 23:00 LT, was Tue 09:00 · since',
      );
      expect(answer).toContain('not watched: MSC GULSUN');
      expect(await show('watch changes of list:FEEDERS since yesterday')).toContain(
        '[Watched vessels → watch changes since yesterday]',
      );
    });

    test.each([
      'watch changes at Hamburg',
      'watch changes of 9839430 since monday',
      'watch changes of 9839430 mine',
      'watch changes of 9839430, 9300740 in <#C0WATCHED1>',
    ])('%s: no watch is about it', async (line) => {
      expect(await show(line)).toMatchSnapshot();
    });
  });

  test('a vessel that only watched ports expect', async () => {
    for (const port of ['NLRTM', 'BEANR'] as Locode[])
      await commands.fixture.watch([{ kind: 'port', port }], { channelId: here });
    const other = 9839430;
    await poll(-20, {
      [diana]: { NLRTM: [0.7, 80] },
      [given]: { NLRTM: [0.1, 80] },
      [other]: { NLRTM: [0.7, 80], BEANR: [0.6, 100] },
    });
    await poll(8, {
      [diana]: { NLRTM: [0.7, 90] },
      [other]: { NLRTM: [0.7, 90], BEANR: [0.6, 120] },
    });
    expect(await show('watch changes of MSC DIANA')).toContain(
      '*MSC DIANA: ETA 10 h later* · Rotterdam 70%, Tue 19:00 LT, was Tue 09:00 · since',
    );
    expect(await show('watch changes of MSC GULSUN')).toContain('*MSC GULSUN: 2 changes* since');
    expect(await show('watch changes at Rotterdam')).toContain('*Rotterdam: 2 of 2 vessels changed* since');
    expect(await show('watch changes at Antwerp')).toContain('*Antwerp: MSC GULSUN, ETA 20 h later*');
    expect(await show('watch changes at Rotterdam, Antwerp')).toContain(
      '*Rotterdam, Antwerp: 3 of 3 vessels changed* since',
    );
    expect(await show('watch changes at Hamburg, Le Havre')).toContain(
      '*No watched vessel is expected at Hamburg, Le Havre*',
    );
    // Too unlikely to be expected.
    expect(await show('watch changes of EVER GIVEN')).toContain("*EVER GIVEN isn't watched in this channel*");
  });

  test('none watched; somebody else’s channel', async () => {
    expect(await show('watch changes')).toContain('No watches in this channel yet');
    expect(await show('watch changes in <#C0STRANGE>')).toContain('You are not in that channel');
  });

  test('in a direct message, the person’s own', async () => {
    await watchHere(cypress);
    await poll(-20, { [cypress]: { NLRTM: [0.8, 60] } });
    await poll(8, { [cypress]: { NLRTM: [0.6, 44] } });
    const place = { channelId: 'D0WATCHER1', destination: 'direct-message' } as const;
    // The fixture's watches are U1's.
    const actor = { userId: 'U1', isAdmin: false, zone: 'Europe/Berlin' };
    expect(await show('watch changes', { place, actor })).toContain(
      'DS CYPRESS: ETA 16 h earlier · Rotterdam 80% → 60%, Sun 21:00 LT, was Mon 13:00 · since Sat 21 Nov 00:00',
    );
    expect(await show('watch changes', { place })).toContain('No watches of yours yet');
    expect(await show('watch changes mine', { actor })).toContain('DS CYPRESS: ETA 16 h earlier');
  });

  test('its lines keep their words, whatever the order they are typed in', () => {
    const line = (typed: string) => commands.parseLine(typed, { vessels: {} as never }).line;
    expect(line('watch changes')).toBe('watch changes');
    expect(line('watch changes mine since Monday')).toBe('watch changes since monday mine');
    expect(line('watch changes 3 days in this channel')).toBe('watch changes last 3 days');
    expect(line('watch changes all page 2')).toBe('watch changes all page 2');
    expect(line('watch changed since yesterday 18:00 in <#C024BE7LR|ops>')).toBe(
      'watch changes since yesterday 18:00 in <#C024BE7LR>',
    );
  });

  test.each([
    'watch changes nonsense',
    'watch changes mine in <#C024BE7LR|ops>',
    'watch changes since tomorrow',
  ])('%s is refused', async (line) => {
    expect(await show(line)).toMatchSnapshot();
  });
});

test.each([
  [
    'watch stabilty',
    "I don't know “stabilty”. Did you mean “stability”?\n[watch stability → watch stability]",
  ],
  ['watch chnages since yesterday', '[watch changes since yesterday →'],
  ['watch lst', '[watch list → watch list]'],
  // A vessel that is near stays the better guess.
  ['watch stopp 9461477', '[DS CYPRESS (9461477) → watch 9461477]'],
])('%s offers the nearest line', async (typed, offered) => {
  expect(await show(typed)).toContain(offered);
});
