import { describe, expect, it, test } from 'vitest';
import type { Message } from '../../../src/answers/message.ts';
import { storeOf } from '../../../src/database/workspace-store.ts';
import { recordChanges } from '../../../src/workspaces/audit.ts';
import { ada, ben, ops, wordsOf } from '../../support/bot.ts';
import { sharedDatabase } from '../../support/bot-database.ts';
import { asRead } from '../../support/message-text.ts';
import { now, reader } from '../../support/run-command.ts';
import { workspaceId } from '../../support/store-engines.ts';
import { useBot } from '../../support/use-bot.ts';
import { useStarted } from '../../support/use-started.ts';
import { createWatchCommands } from '../../support/watch-commands.ts';

describe('/landfall audit', () => {
  const commands = useStarted(createWatchCommands);

  const admin = { actor: { userId: 'U0ADMIN001', isAdmin: true, zone: 'Europe/Berlin' } };
  const asAdmin = async (line: string) => withoutIds(await commands.show(line, admin));
  // Ids are different each time.
  const withoutIds = (message: Message) => asRead(message).replace(/entry [\w-]+/g, 'entry …');

  it('is only for admins, and says so to others', async () => {
    expect(asRead(await commands.show('landfall audit'))).toMatchInlineSnapshot(`
      "text: Only workspace admins can see who changed what. A workspace admin or owner can look it up for you.

      Only workspace admins can see who changed what. A workspace admin or owner can look it up for you."
    `);
    expect(await asAdmin('landfall audit')).toContain('No changes yet');
    expect(await asAdmin('landfall audit entry 1')).toContain('This change is no longer stored.');
  });

  it('lists changes of watches, names, fleets and settings, newest first', async () => {
    await commands.show('watch 9461477 eta 6h');
    await commands.show('watch 9461477 eta 24h');
    await commands.show('watch snooze 9461477 2h');
    await commands.show('watch hand over 9461477 <@U0BEN0001>');
    await commands.show('watch stop 9461477 yes');
    await commands.show('watch port Rotterdam only expected');
    await commands.show('vessel name 9461477 CYPRESS');
    await commands.show('vessel fleet north add 9461477, 9755933');
    await commands.settings.change(
      'C0WATCHED1',
      { visibility: 'public' },
      { userId: 'U0ADMIN001', isAdmin: true, channelId: 'C0WATCHED1' },
    );
    expect(await asAdmin('landfall audit')).toMatchInlineSnapshot(`
      "text: 9 changes: 1 Sat 21 Nov 10:05 (09:05 UTC) · <@U0ADMIN001> changed the settings in <#C0WATCHED1>, answers: private → public; 2 Sat 21 Nov 10:05 (09:05 UTC) · <@U0WATCHER1> added vessels to the fleet north, vessels: 9461477, 9755933; 3 Sat 21 Nov 10:05 (09:05 UTC) · <@U0WATCHER1> named IMO 9461477, names: 9461477 CYPRESS; 4 Sat 21 Nov 10:05 (09:05 UTC) · <@U0WATCHER1> added the watch of port Rotterdam (NLRTM) in <#C0WATCHED1>, rules: only vessels expected · follows: port NLRTM; 5 Sat 21 Nov 10:05 (09:05 UTC) · <@U0WATCHER1> stopped the watch of DS CYPRESS in <#C0WATCHED1>, rules: ETA 24 h, under 50%, 24 h before ETA; 6 Sat 21 Nov 10:05 (09:05 UTC) · <@U0WATCHER1> handed over the watch of DS CYPRESS in <#C0WATCHED1>, owner: <@U0WATCHER1> → <@U0BEN0001>; 7 Sat 21 Nov 10:05 (09:05 UTC) · <@U0WATCHER1> snoozed the watch of DS CYPRESS in <#C0WATCHED1>, snooze: awake → until Sat 21 Nov 11:05 UTC; 8 Sat 21 Nov 10:05 (09:05 UTC) · <@U0WATCHER1> changed the watch of DS CYPRESS in <#C0WATCHED1>, notifies when: the ETA moves by 6 h or more → the ETA moves by 24 h or more; 9 Sat 21 Nov 10:05 (09:05 UTC) · <@U0WATCHER1> added the watch of DS CYPRESS in <#C0WATCHED1>, rules: ETA 6 h, under 50%, 24 h before ETA · follows: IMO 9461477. Newest first

      *9 changes*
      *1* Sat 21 Nov 10:05 (09:05 UTC) · <@U0ADMIN001> changed the settings in <#C0WATCHED1>
      answers: private → public
      *2* Sat 21 Nov 10:05 (09:05 UTC) · <@U0WATCHER1> added vessels to the fleet north
      vessels: 9461477, 9755933
      *3* Sat 21 Nov 10:05 (09:05 UTC) · <@U0WATCHER1> named IMO 9461477
      names: 9461477 CYPRESS
      *4* Sat 21 Nov 10:05 (09:05 UTC) · <@U0WATCHER1> added the watch of port Rotterdam (NLRTM) in <#C0WATCHED1>
      rules: only vessels expected · follows: port NLRTM
      *5* Sat 21 Nov 10:05 (09:05 UTC) · <@U0WATCHER1> stopped the watch of DS CYPRESS in <#C0WATCHED1>
      rules: ETA 24 h, under 50%, 24 h before ETA
      *6* Sat 21 Nov 10:05 (09:05 UTC) · <@U0WATCHER1> handed over the watch of DS CYPRESS in <#C0WATCHED1>
      owner: <@U0WATCHER1> → <@U0BEN0001>
      *7* Sat 21 Nov 10:05 (09:05 UTC) · <@U0WATCHER1> snoozed the watch of DS CYPRESS in <#C0WATCHED1>
      snooze: awake → until Sat 21 Nov 11:05 UTC
      *8* Sat 21 Nov 10:05 (09:05 UTC) · <@U0WATCHER1> changed the watch of DS CYPRESS in <#C0WATCHED1>
      notifies when: the ETA moves by 6 h or more → the ETA moves by 24 h or more
      *9* Sat 21 Nov 10:05 (09:05 UTC) · <@U0WATCHER1> added the watch of DS CYPRESS in <#C0WATCHED1>
      rules: ETA 6 h, under 50%, 24 h before ETA · follows: IMO 9461477
      newest first
      [▾ Export for Excel (.xlsx) → apart:menu landfall audit as xlsx | Export as CSV → apart:menu landfall audit as csv]"
    `);
    expect(await asAdmin('landfall audit by <@U0ADMIN001>')).toContain('1 change by <@U0ADMIN001>');
    const inChannel = 'landfall audit of <#C0WATCHED1> by';
    expect(await asAdmin(`${inChannel} <@U0WATCHER1>`)).toContain('6 changes in <#C0WATCHED1>');
    expect(await asAdmin(`${inChannel} <@U0BEN0001>`)).toContain('No changes');
    expect(await asAdmin('landfall audit of <#C0OTHER001>')).toContain('No changes in <#C0OTHER001> yet');
    const beyond = await asAdmin('landfall audit page 9');
    expect(beyond).toContain('9 changes');
    expect(beyond).toContain('there is no page 9: this is the last');
  });

  it("names whoever changed a fleet for the fleet's watches too", async () => {
    await commands.reset();
    await commands.show('vessel fleet north add 9461477, 9755933');
    await commands.show('watch fleet:north at Rotterdam only expected');
    const member = { userId: 'U0BEN0001', isAdmin: false, zone: 'Europe/Berlin' };
    await commands.show('vessel fleet north remove 9461477', { actor: member });
    expect(await asAdmin('landfall audit of <#C0WATCHED1>')).toMatchInlineSnapshot(`
      "text: 2 changes in <#C0WATCHED1>: 1 Sat 21 Nov 10:05 (09:05 UTC) · <@U0BEN0001> changed the vessels of the watch of fleet north at Rotterdam (NLRTM) in <#C0WATCHED1>, vessels: 9461477, 9755933 → 9755933; 2 Sat 21 Nov 10:05 (09:05 UTC) · <@U0WATCHER1> added the watch of fleet north at Rotterdam (NLRTM) in <#C0WATCHED1>, rules: only vessels expected · follows: port NLRTM. Newest first

      *2 changes in <#C0WATCHED1>*
      *1* Sat 21 Nov 10:05 (09:05 UTC) · <@U0BEN0001> changed the vessels of the watch of fleet north at Rotterdam (NLRTM) in <#C0WATCHED1>
      vessels: 9461477, 9755933 → 9755933
      *2* Sat 21 Nov 10:05 (09:05 UTC) · <@U0WATCHER1> added the watch of fleet north at Rotterdam (NLRTM) in <#C0WATCHED1>
      rules: only vessels expected · follows: port NLRTM
      newest first
      [▾ Export for Excel (.xlsx) → apart:menu landfall audit of <#C0WATCHED1> as xlsx | Export as CSV → apart:menu landfall audit of <#C0WATCHED1> as csv]"
    `);
  });

  it('lists the changes of one vessel, by its number, name or reference', async () => {
    await commands.reset();
    await commands.show('vessel name 9461477 CYPRESS');
    await commands.show('watch 9461477 eta 6h');
    await commands.show('watch stop 9461477 yes');
    await commands.show('watch 9755933 eta 6h');
    await commands.show('watch 9461477 eta 6h', {
      place: { channelId: 'D0WATCHER1', destination: 'direct-message' },
    });
    await commands.show('vessel ref 9461477 add BK-4401');
    await commands.show('vessel fleet north add 9461477, 9755933');
    const changes = ['north', 'added references', 'stopped the watch', 'added the watch', 'named'];
    for (const typed of ['9461477', 'cypress', 'of the watch on CYPRESS', 'bk-4401']) {
      const shown = await asAdmin(`landfall audit ${typed}`);
      expect(shown, typed).toContain('5 changes of CYPRESS');
      for (const change of changes) expect(shown).toContain(change);
      expect(shown).toContain("without private channels that you or Landfall aren't in");
    }
    expect(await asAdmin('landfall audit 9755933 by <@U0ADMIN001>')).toContain(
      'No changes of MSC DIANA by <@U0ADMIN001>',
    );
  });

  it('lists the changes since a time, alone or with what else is chosen', async () => {
    await commands.reset();
    const times = ['2026-11-15T10:00Z', '2026-11-16T08:00Z', '2026-11-20T17:30Z'];
    const changed = { actorId: 'U0BEN0001', action: 'watch.stop', channelId: 'C0WATCHED1' };
    await recordChanges(
      storeOf(commands.db, workspaceId),
      times.map((time, index) => ({
        ...{ id: `s${index}`, at: new Date(time), subject: index === 1 ? 'EVER GIVEN' : 'DS CYPRESS' },
        ...changed,
      })),
    );
    const cases = {
      'since monday': '2 changes since Mon 16 Nov 00:00',
      'last 7 days': '3 changes since Sat 14 Nov 10:05',
      'yesterday 18:00': '1 change since Fri 20 Nov 18:00',
      today: 'No changes since Sat 21 Nov 00:00',
      '9461477 since monday': '1 change of DS CYPRESS since Mon 16 Nov 00:00',
      'of the watch on ds cypress this week': '1 change of DS CYPRESS since Mon 16 Nov 00:00',
      'since monday by <@U0ADMIN001>': 'No changes by <@U0ADMIN001> since',
      'of <#C0WATCHED1> since monday': '2 changes in <#C0WATCHED1> since',
      tomorrow: '“tomorrow” is in the future',
    };
    for (const [typed, expected] of Object.entries(cases))
      expect(await asAdmin(`landfall audit ${typed}`), typed).toContain(expected);
    expect(await asAdmin('landfall audit by <@U0BEN0001> since fri 18:00')).toContain(
      'landfall audit since friday 18:00 by <@U0BEN0001> as csv',
    );
  });

  it('says of personal watches and digests that they changed, and what was changed only to their owner', async () => {
    await commands.reset();
    const place = { channelId: 'D0WATCHER1', destination: 'direct-message' } as const;
    await commands.show('vessel fleet secrets add 9461477, 9755933');
    for (const line of ['watch 9461477 eta 6h', 'watch snooze 9461477 2h', 'watch stop 9461477 yes'])
      await commands.show(line, { place });
    await commands.show('watch fleet:secrets', { place });
    const member = { userId: 'U0BEN0001', isAdmin: false, zone: 'Europe/Berlin' };
    await commands.show('vessel fleet secrets remove 9461477', { actor: member });
    const digest = { at: now, actorId: 'U0WATCHER1', channelId: 'U0WATCHER1', isPersonal: true };
    await recordChanges(storeOf(commands.db, workspaceId), [
      {
        id: 'd1',
        ...digest,
        action: 'digest.add',
        subject: 'MINE',
        after: { title: 'MINE', lines: ['usage'] },
      },
    ]);
    expect(await asAdmin('landfall audit')).toMatchInlineSnapshot(`
      "text: 7 changes: 1 Sat 21 Nov 10:05 (09:05 UTC) · <@U0BEN0001> removed vessels from the fleet secrets, vessels: 9461477; 2 Sat 21 Nov 10:05 (09:05 UTC) · <@U0WATCHER1> added a personal watch; 3 Sat 21 Nov 10:05 (09:05 UTC) · <@U0WATCHER1> stopped a personal watch; 4 Sat 21 Nov 10:05 (09:05 UTC) · <@U0WATCHER1> changed a personal watch; 5 Sat 21 Nov 10:05 (09:05 UTC) · <@U0WATCHER1> added a personal watch; 6 Sat 21 Nov 10:05 (09:05 UTC) · <@U0WATCHER1> added vessels to the fleet secrets, vessels: 9461477, 9755933; 7 Sat 21 Nov 10:05 (09:05 UTC) · <@U0WATCHER1> added a personal digest. Newest first

      *7 changes*
      *1* Sat 21 Nov 10:05 (09:05 UTC) · <@U0BEN0001> removed vessels from the fleet secrets
      vessels: 9461477
      *2* Sat 21 Nov 10:05 (09:05 UTC) · <@U0WATCHER1> added a personal watch
      *3* Sat 21 Nov 10:05 (09:05 UTC) · <@U0WATCHER1> stopped a personal watch
      *4* Sat 21 Nov 10:05 (09:05 UTC) · <@U0WATCHER1> changed a personal watch
      *5* Sat 21 Nov 10:05 (09:05 UTC) · <@U0WATCHER1> added a personal watch
      *6* Sat 21 Nov 10:05 (09:05 UTC) · <@U0WATCHER1> added vessels to the fleet secrets
      vessels: 9461477, 9755933
      *7* Sat 21 Nov 10:05 (09:05 UTC) · <@U0WATCHER1> added a personal digest
      newest first
      [▾ Export for Excel (.xlsx) → apart:menu landfall audit as xlsx | Export as CSV → apart:menu landfall audit as csv]"
    `);
    const exported = await commands.answer('landfall audit', admin);
    const cells = JSON.stringify(exported.tables({ ...reader, source: 'service' }));
    expect(cells).not.toMatch(/DS CYPRESS|MINE|D0WATCHER1/);
    const owner = { actor: { userId: 'U0WATCHER1', isAdmin: true, zone: 'Europe/Berlin' } };
    const seen = asRead(await commands.show('landfall audit', owner));
    expect(seen).toContain('added the watch of DS CYPRESS in a direct message');
    expect(seen).toContain('added the digest “MINE”');
    expect(asRead(await commands.show('landfall audit entry d1', owner))).toContain('usage');
    expect(await asAdmin('landfall audit entry d1')).not.toContain('usage');
  });

  it('has pages of ten, and shows a clipped change in full', async () => {
    await commands.reset();
    for (let hours = 1; hours <= 11; hours += 1) await commands.show(`watch 9461477 eta ${hours}h`);
    const first = await asAdmin('landfall audit');
    expect(first).toContain('[Next 1 → landfall audit page 2]');
    expect(await asAdmin('landfall audit page 2')).toContain('added the watch of DS CYPRESS');
    await commands.show(`vessel fleet long add ${[...Array(20).keys()].map((n) => imoOf(n)).join(', ')}`);
    const { changes } = await commands.auditLog.list({}, { limit: 1, offset: 0 });
    const { blocks } = await commands.show('landfall audit', admin);
    expect(JSON.stringify(blocks).match(/"Show in full"/g)).toHaveLength(1);
    const entry = await asAdmin(`landfall audit entry ${changes[0]?.id}`);
    expect(entry).toContain('vessels, after: ');
    expect(entry).toContain('1–15 of 20 shown');
  });
});

test('the changes of one digest are listed by its number, also under a title that it had before', async () => {
  const bot = await useBot('socket');
  for (const title of ['Late', 'Other'])
    await bot.say(ada, ops, `/digest add "${title}" every day 08:00: nextport 9461477`);
  await bot.say(ada, ops, '/digest pause 1');
  const renamed = { at: bot.sandbox.clock.now(), actorId: ben, channelId: ops, isPersonal: false };
  await recordChanges(storeOf(await sharedDatabase(), bot.playground.world.team.id), [
    {
      ...{ id: 'r1', ...renamed, action: 'digest.change', subject: 'Late' },
      ...{ before: { title: 'Early' }, after: { title: 'Late' } },
    },
    { id: 'r2', ...renamed, action: 'digest.resume', subject: 'Early' },
  ]);
  const asked = await bot.say(ada, ops, '/landfall who paused digest 1?');
  const words = wordsOf(asked);
  expect(words).toContain('4 changes of the digest “Late”');
  expect(words).not.toMatch(/Other|all changes/);
  expect(wordsOf(await bot.say(ada, ops, '/landfall audit digest 1 last 2 days'))).toContain(
    '4 changes of the digest “Late” since',
  );
  expect(wordsOf(await bot.say(ada, ops, '/landfall audit digest 7'))).toContain(
    "I don't know a digest 7 here.",
  );
});

/** With its check digit. */
function imoOf(index: number): string {
  const digits = String(930_000 + index);
  const sum = [...digits].reduce((total, digit, place) => total + Number(digit) * (7 - place), 0);
  return `${digits}${sum % 10}`;
}
