import { beforeEach, describe, expect, test } from 'vitest';
import { chooseRules } from '../../../src/features/rules/registry.ts';
import { undoneAnswer } from '../../../src/features/watches/change-answers.ts';
import { messageOf } from '../../support/answer-message.ts';
import { asRead } from '../../support/message-text.ts';
import { slackFaults } from '../../support/slack-faults.ts';
import { direct } from '../../support/statements/direct.ts';
import { useStarted } from '../../support/use-started.ts';
import { createWatchCommands } from '../../support/watch-commands.ts';
import { cypress } from '../../support/watch-story.ts';

const ada = { userId: 'U0WATCHER1', isAdmin: false, channelId: 'C0WATCHED1' };
const ben = { userId: 'U0WATCHER2', isAdmin: false, zone: 'Europe/Berlin' };
const own = /<[#@][CU]0WATCH\w+>/g;

const commands = useStarted(createWatchCommands);
beforeEach(() => commands.reset());

async function show(line: string, context?: Parameters<typeof commands.show>[1]): Promise<string> {
  const message = await commands.show(line, context);
  expect(slackFaults(message, own)).toEqual([]);
  // Ids are as long as they are random elsewhere.
  return asRead(message);
}

/** Presses the button of a question, as Ben. */
const confirm = (asked: string) => {
  const value = /\[Change it → (.*?)\] \[/.exec(asked)?.[1] ?? '';
  return commands.service.confirmChange(value, { ...ada, userId: ben.userId });
};

test('an unknown list offers the lists that are watched here, those with similar names first', async () => {
  await show('watch list:FEEDERS');
  await show('watch list:"NORTH EUROPE"');
  expect(await show('nextport list:feders')).toContain('[List FEEDERS → nextport list:FEEDERS] [Share');
  const both = '[List FEEDERS → nextport list:FEEDERS] [List NORTH EUROPE → nextport list:"NORTH EUROPE"]';
  expect(await show('nextport list:nope')).toContain(both);
  expect(await show('nextport list:"northeurope"')).toContain('List NORTH EUROPE, ');
  const elsewhere = { place: { channelId: 'C0WATCHED2', destination: 'channel' } } as const;
  expect(await show('nextport list:nope', elsewhere)).not.toContain('FEEDERS');
});

describe('watching', () => {
  test('a list is watched as the service spells it', async () => {
    expect(await show('watch list:feeders')).toContain('Watching list FEEDERS here');
    expect(await show('watch list:feeders eta 6h')).toContain('List FEEDERS is already watched here');
    expect(await show('watch list:nowhere')).toContain('No list called nowhere, so nothing was saved.');
  });

  test('a vessel that another watch of the channel follows: names that watch', async () => {
    await show('watch 9461477');
    expect(await show('watch 9461477, 9811000')).toContain(
      'Already watched here: DS CYPRESS by the watch of DS CYPRESS; both threads are notified, and the channel sees each change once',
    );
    expect(await show('watch 9811000 dry run')).toContain(
      'Already watched here by the watch of DS CYPRESS, ',
    );
    // Itself is none of the others.
    const again = await show('watch 9461477 dry run');
    expect(again).toContain('Already watched here by the watch of DS CYPRESS, ');
    expect(again).not.toContain('by the watch of DS CYPRESS;');
    expect(await show('watch 9755933')).not.toContain('Watched here already');
  });

  test('with rules in words, in another channel', async () => {
    commands.channels.set('U0WATCHER1', new Set(['C0WATCHED2']));
    const shown = await show(
      'watch ds cypress, 9755933 eta 6h below 40% arriving 24h until next port quiet 22:00-06:00 in <#C0WATCHED2|ops>',
    );
    expect(shown).toContain('*Watching DS CYPRESS, MSC DIANA in <#C0WATCHED2>*');
    expect(shown).toContain('; ends when the next port has changed; quiet 22:00–06:00 (Europe/Berlin)');
    const [card] = commands.cards.posted;
    expect(card).toMatchObject({ title: 'DS CYPRESS, MSC DIANA', channelId: 'C0WATCHED2' });
    expect(await commands.service.find(card?.id ?? '')).toMatchObject({
      rules: {
        etaMoved: { hours: 6, isScaled: false },
        below: 0.4,
        arrivingHours: [24],
        untilNextPort: true,
        quiet: { from: '22:00', to: '06:00', zone: 'Europe/Berlin' },
      },
    });
  });

  test('hundreds of watches are listed by pages, and among them a fleet is found by its name', async () => {
    await show('vessel fleet North add 9461477');
    await show('watch fleet:North');
    const { db } = commands;
    const fleet = await direct(db).selectFrom('watches').selectAll().executeTakeFirstOrThrow();
    const older = Array.from({ length: 300 }, (_, index) => ({
      ...fleet,
      fleet: null,
      condition: null,
      id: `older-${index}`,
      title: `list ${index}`,
      rules: JSON.stringify(fleet.rules),
      snooze: null,
      card_ts: null,
      created_at: new Date(fleet.created_at.getTime() - 1_000),
    }));
    await db.insertInto('watches').values(older).execute();
    const first = await show('watch list');
    expect(first).toContain('[Next ');
    expect(first).toContain('1–12 of 301');
    expect(await show('watch list page 2')).toContain('[Back → watch list]');
    expect(await show('watch stop fleet:north')).toContain('fleet North');
    const left = await direct(db).selectFrom('watches').select('id').where('id', '=', fleet.id).execute();
    expect(left).toEqual([]);
  });

  test('some vessels at a port: a watch of its own, beside those of the vessels and of the port', async () => {
    await show('vessel fleet North add 9461477, 9755933');
    expect(await show('watch fleet:North at Rotterdam')).toContain(
      '*Watching fleet North at Rotterdam (NLRTM) here*',
    );
    const others = ['watch fleet:North', 'watch port Rotterdam', 'watch list:FEEDERS at Rotterdam'];
    for (const line of [...others, 'watch 9461477, MSC DIANA at Rotterdam', 'watch fleet:North at Antwerp'])
      expect(await show(line)).toContain('Watching');
    expect(await show('watch fleet:North expected at nl rtm')).toContain('is already watched here');
    const refused = await show('watch fleet:North at Rotterdam below 40%');
    expect(refused).toContain('“below 40%” is a rule for vessels, not for a port.');
    expect(refused).toContain('[fleet:North at any port → watch fleet:North below 40%]');
    expect(await show('watch port Rotterdam only next port')).toContain(
      '“diverted” is a rule for vessels, not for a port.',
    );
    expect(await show('watch stop DS CYPRESS and 9755933 at Rotterdam')).toContain(
      'No longer watched: DS CYPRESS, MSC DIANA at Rotterdam (NLRTM)',
    );
    expect(await show('watch stop fleet:North at Rotterdam')).toContain(
      'No longer watched: fleet North at Rotterdam (NLRTM)',
    );
    const { watches } = await commands.service.list('channel', ada, { limit: 9 });
    expect(watches.map(({ title }) => title)).toEqual([
      'fleet North',
      'port Rotterdam (NLRTM)',
      'list FEEDERS at Rotterdam (NLRTM)',
      'fleet North at Antwerp (BEANR)',
    ]);
  });

  test('a dry run saves nothing, and can be saved', async () => {
    expect(await show('watch 9461477 eta 6h dry run')).toContain('[Watch it → watch 9461477 eta 6h]');
    expect(commands.cards.posted).toEqual([]);
  });

  test('without rules it shows the existing watch, whoever owns it', async () => {
    await show('watch 9461477 only next port due NLRTM 27 Nov 18:00');
    await show('watch snooze 9461477 until tomorrow 8:00');
    const shown = await show('watch 9461477', { actor: ben });
    expect(shown).toContain('*DS CYPRESS is already watched here*');
    expect(shown).toContain('It is the watch of <@U0WATCHER1>');
    expect(shown).toContain('It is snoozed until Sun 22 Nov 07:00 UTC');
    expect(shown).not.toContain('Undo');
  });

  test.each([
    'watch nobody',
    'watch 9461477 eta',
    'watch 9461477, 9755933 overdue by, below 40%',
    'watch ds cypress, due',
    'watch 9461477 below in <#C0WATCHED1>',
    'watch nobody arriving',
    'watch eta',
    'watch 9461477 due NLRTM 2026-11-01 10:00',
    'watch 9461477 due NLRTM 2029-11-01',
    'watch port Rotterdam arriving 24h',
    'watch 9461477 in #ops',
    'watch 9461477 in <#C0STRANGE>',
    'watch 9461477 in <#C0STRANGE> dry run',
    'watch list of feeders',
    'watch 9461477 to me in <#C024BE7LR|ops>',
    'watch assign 9461477 ben',
    'watch hand over 9461477 to ben',
  ])('%s is refused, and nothing is saved', async (line) => {
    expect(await show(line)).toMatchSnapshot();
    expect(commands.cards.posted).toEqual([]);
  });
});

describe('the list of watches', () => {
  test('is empty at first', async () => {
    expect(await show('watch list')).toContain(
      '[Watch a vessel … → {}] [In all my channels → watch list all]',
    );
    expect(await show('watch list mine')).toContain('No watches of yours yet');
  });

  test('has the present names of vessels', async () => {
    await show('watch 1990070');
    expect(await show('watch list')).toContain('\nIMO 1990070: waiting');
    await show('vessel name 1990070 NORTH STAR');
    expect(await show('watch list')).toContain('\nNORTH STAR: waiting');
    await confirm(await show('watch 1990070 eta 6h', { actor: ben }));
    expect(await commands.messages('rules-notice')).toMatchObject([{ message: { title: 'NORTH STAR' } }]);
    await show('vessel name 1990070 SOUTH STAR');
    expect(await show('watch stop 1990070')).toContain('No longer watched: SOUTH STAR');
    const { changes } = await commands.auditLog.list({}, { limit: 9, offset: 0 });
    const recorded = changes.filter(({ action }) => action.startsWith('watch.'));
    expect(recorded.map(({ subject }) => subject)).toEqual(['SOUTH STAR', 'NORTH STAR', 'IMO 1990070']);
  });
});

describe('changing watches', () => {
  beforeEach(() => show('watch 9461477'));

  test('Undo restores a stopped watch with its rules, owner and snooze', async () => {
    await show('watch list:FEEDERS only eta 6h');
    await show('watch snooze list:FEEDERS until tomorrow 8:00');
    const stopped = await commands.show('watch stop list:FEEDERS');
    const value = /\[Undo → (.*?)\] \[/.exec(asRead(stopped))?.[1] ?? '';
    const undone = await commands.service.undo(value, { ...ada, userId: 'U0WATCHER2' });
    expect(asRead(messageOf(undoneAnswer(undone), ''))).toContain(
      'Undone: list FEEDERS is watched again, on a new card',
    );
    const { watches } = await commands.service.list('channel', ada, {
      limit: 9,
      offset: 0,
    });
    expect(watches.at(-1)).toMatchObject({
      title: 'list FEEDERS',
      ownerId: ada.userId,
      rules: chooseRules({ etaMoved: { hours: 6, isScaled: false } }, { only: true }),
      snooze: { kind: 'until', at: new Date('2026-11-22T07:00:00Z') },
      followedSubjects: [{ subject: { kind: 'shiplist', name: 'FEEDERS' } }],
    });
    // Pressed again: it stays.
    await commands.service.undo(value, ada);
    expect(await show('watch list')).toContain('*2 watches in this channel*');
  });

  test("stopping somebody else's watch asks first", async () => {
    expect(await show('watch stop 9461477', { actor: ben })).toContain(
      '[Stop it → watch stop 9461477 yes] [Keep it → watch list]',
    );
    expect(await show('watch list')).toContain('DS CYPRESS');
    expect(await show('watch stop 9461477 yes', { actor: ben })).toContain('No longer watched: DS CYPRESS');
  });

  test('people who may not stop the watches are not asked', async () => {
    await commands.settings.change(ada.channelId, { whoMayAdd: 'admins' }, { ...ada, isAdmin: true });
    for (const line of ['watch stop 9461477', 'watch stop all']) {
      expect(await show(line, { actor: ben })).toContain("You can't change the watch of DS CYPRESS.");
    }
  });

  test('stopping an unknown watch offers only those that it could mean', async () => {
    expect(await show('watch stop')).toContain('[Stop DS CYPRESS → watch stop 9461477]');
    const list = '[List the watches → watch list]';
    expect(await show('watch stop 1234567')).toContain(`No watch here is for IMO 1234567.\n${list}`);
    expect(await show('watch snooze list:X 2h')).toContain(`No watch here is for list X.\n${list}`);
  });

  test('near ones: another digit, one vessel of several, nearly that name', async () => {
    await show('watch 9755933, 9811000');
    await show('watch list:FEEDERS');
    await show('watch port Rotterdam');
    expect(await show('watch stop 9811000')).toContain(
      '[Stop MSC DIANA, EVER GIVEN → watch stop 9755933, 9811000]',
    );
    expect(await show('watch snooze list:feeder 2h')).toContain(
      '[list FEEDERS → watch snooze list:FEEDERS 2h]',
    );
    // One digit of 9461477 is wrong, and yet the check digit matches.
    expect(await show('watch stop 9466477')).toContain('[Stop DS CYPRESS → watch stop 9461477]');
  });

  test('stop all asks once', async () => {
    await show('watch port NLRTM');
    expect(await show('watch stop all')).toMatchInlineSnapshot(`
      "text: Stop all 2 watches in this channel? They stop for everybody; what was posted stays.

      *Stop all 2 watches in this channel?* They stop for everybody; what was posted stays.
      [Stop 2 watches → watch stop all yes] [Keep them → watch list]"
    `);
    expect(await show('watch stop all yes')).toContain(
      'No longer watched: DS CYPRESS, port Rotterdam (NLRTM)',
    );
    expect(await show('watch stop all')).toContain('No watches in this channel yet');
    expect(await show('watch stop all yes')).toContain('There was nothing to stop');
  });

  test('snooze, in the zone of the person, and wake', async () => {
    expect(await show('watch snooze 9461477 until 27 Nov 08:00')).toContain(
      '*Snoozed until Fri 27 Nov 07:00 UTC, Fri 27 Nov 08:00 your time*: DS CYPRESS',
    );
    const [watch] = await commands.service.findNamed({ kind: 'vessels', imos: [cypress] }, ada);
    expect(watch?.snooze).toEqual({ kind: 'until', at: new Date('2026-11-27T07:00:00Z') });
    expect(await show('watch wake 9461477')).toContain('Awake again: DS CYPRESS');
    expect(await show('watch snooze 9461477 until 24h before eta')).toContain(
      'Snoozed until 24 h before the ETA',
    );
    expect(await show('watch snooze 9461477 until 2026-11-01')).toContain('2026-11-01 is in the past.');
    await show('watch port NLRTM');
    expect(await show('watch snooze port NLRTM until next port')).toContain(
      'is about many vessels, so it can only be snoozed for a time or until a date.',
    );
  });

  test('hand over one watch, or all that the person owns', async () => {
    expect(await show('watch hand over 9461477 to <@U0WATCHER2|ben>')).toContain(
      'Handed over to <@U0WATCHER2>: DS CYPRESS',
    );
    expect(await show('watch hand over <@U0WATCHER2>')).toContain('You own no watches in this channel.');
    await show('watch 9755933');
    expect(await show('watch hand over <@U0WATCHER2>')).toContain('Handed over to <@U0WATCHER2>: MSC DIANA');
  });

  test('in another channel, for its members', async () => {
    const there = { place: { channelId: 'C0WATCHED2', destination: 'channel' as const } };
    for (const line of [
      'watch stop 9461477 in <#C0WATCHED1>',
      'watch list in <#C0WATCHED1>',
      'watch stop 9755933 in <#C0WATCHED1>',
    ]) {
      const refused = await show(line, { ...there, actor: ben });
      expect(refused).toContain('You are not in that channel');
      expect(refused).not.toContain('DS CYPRESS');
    }
    commands.channels.set('U0WATCHER1', new Set(['C0WATCHED1']));
    expect(await show('watch 9461477 in <#C0WATCHED1>', there)).toContain(
      '*DS CYPRESS is already watched in <#C0WATCHED1>*',
    );
    expect(await show('watch list page 9')).toContain('there is no page 9: this is the last');
    expect(await show('watch list in <#C0WATCHED1|ops>', there)).toContain('*1 watch in <#C0WATCHED1>*');
    expect(await show('watch snooze 9461477 1h in <#C0WATCHED1>', there)).toContain('Snoozed until');
    expect(await show('watch wake 9461477 in <#C0WATCHED1>', there)).toContain('Awake again: DS CYPRESS');
    expect(await show('watch stop 9755933 in <#C0WATCHED1>', there)).toContain(
      'No watch in that channel is for MSC DIANA.\n[List the watches → watch list in <#C0WATCHED1>]',
    );
    expect(await show('watch stop all in <#C0WATCHED1>', there)).toContain(
      '[Stop 1 watch → watch stop all in <#C0WATCHED1> yes] [Keep them → watch list in <#C0WATCHED1>]',
    );
    expect(await show('watch stop 9461477 in <#C0WATCHED1>', there)).toContain(
      'No longer watched: DS CYPRESS',
    );
  });
});

describe('the watched vessels', () => {
  test('are requested together', async () => {
    expect(await show('nextport watched')).toContain('No vessels are watched in this channel yet.');
    await show('watch 9461477, 9755933');
    const shown = await show('nextport watched');
    expect(shown).toContain('*Watched here, 2 vessels: next DS CYPRESS → Rotterdam 84%');
    expect(shown).toContain('| DS CYPRESS | Rotterdam 84%');
    const place = { channelId: 'D0WATCHER1', destination: 'direct-message' as const };
    expect(await show('nextport watched', { place })).toContain('*Watched by you, 2 vessels: next');
  });

  test('have a history once they have been polled', async () => {
    expect(await show('nextport 9461477 history')).toContain('*No history for DS CYPRESS here yet*');
    const { fixture } = commands;
    const from = fixture.clock.hours;
    fixture.clock.hours = from - 60;
    await show('watch 9461477');
    await fixture.at(from - 60, { 9461477: { NLRTM: [0.9, 100] } });
    await fixture.at(from + 0, { 9461477: { NLRTM: [0.85, 104] } });
    expect(await show('nextport 9461477 history')).toContain(
      '*DS CYPRESS: Rotterdam most probable since Wed 18 Nov 21:05 UTC, 85%*',
    );
  });
});
