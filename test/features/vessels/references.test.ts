import { beforeEach, describe, expect, test } from 'vitest';
import { storeOf } from '../../../src/database/workspace-store.ts';
import type { ActionContext } from '../../../src/features/feature.ts';
import { readPromises } from '../../../src/features/promises/store.ts';
import { importShown, takeFile } from '../../../src/features/vessels/import.ts';
import { readDirectory } from '../../../src/features/vessels/vessel-names.ts';
import type { Imo, Locode } from '../../../src/reference/codes.ts';
import { asRead } from '../../support/message-text.ts';
import { reader, runContext } from '../../support/run-command.ts';
import { slackFaults } from '../../support/slack-faults.ts';
import { direct } from '../../support/statements/direct.ts';
import { engines, workspaceId } from '../../support/store-engines.ts';
import { useStarted } from '../../support/use-started.ts';
import { useWorkspace } from '../../support/use-store.ts';
import { createVesselNames, firstOwnImo, leaveRoom, type VesselNames } from '../../support/vessel-stores.ts';
import { createWatchCommands } from '../../support/watch-commands.ts';

const cypress = 9461477 as Imo;
const diana = 9755933 as Imo;
const gulsun = 9839430 as Imo;

describe.each(engines)('references, $engine', ({ open }) => {
  const store = useWorkspace(open);
  let names: VesselNames;
  let realNow = 1_000;
  const by = { actorId: 'U1', now: new Date('2026-11-21T09:00:00Z') };
  const namesOf = (id = workspaceId, db = store.database.db) =>
    createVesselNames({ store: storeOf(db, id), realNow: () => realNow });
  beforeEach(async () => {
    const other = { id: 'T2', name: 'Other', created_at: by.now };
    await store.database.db.insertInto('workspaces').values(other).execute();
    names = namesOf();
  });
  const referencesOf = async (service: VesselNames, imo: Imo) =>
    (await service.directory()).referencesOf(imo);

  test('references are stored newest first, for their workspace only, and audited', async () => {
    await names.changeReferences({ imo: cypress, added: ['BK-123', 'MEDU4711'] }, by);
    await names.changeReferences({ imo: cypress, added: ['bk 123', 'ACME'] }, by);
    expect(await referencesOf(names, cypress)).toEqual(['ACME', 'BK-123', 'MEDU4711']);
    expect(await referencesOf(namesOf(), cypress)).toEqual(['ACME', 'BK-123', 'MEDU4711']);
    expect(await referencesOf(namesOf('T2'), cypress)).toEqual([]);
    expect((await namesOf('T2').directory()).referenced('ACME')).toEqual([]);
    await names.changeReferences({ imo: cypress, removed: ['bk123', 'NONE'] }, by);
    await names.changeReferences({ imo: cypress, removed: ['ACME', 'MEDU4711'] }, by);
    await names.changeReferences({ imo: cypress, removed: ['ACME'] }, by);
    expect(await referencesOf(names, cypress)).toEqual([]);
    expect(await direct(store.database.db).selectFrom('vessel_references').selectAll().execute()).toEqual([]);
    const rows = await direct(store.database.db)
      .selectFrom('audit')
      .select(['action', 'subject', 'before', 'after'])
      .execute();
    const changes = rows.map(({ action, subject, before, after }) => [action, subject, before ?? after]);
    expect(changes).toHaveLength(4);
    expect(changes).toContainEqual(['reference.add', 'IMO 9461477', { references: ['BK-123', 'MEDU4711'] }]);
    expect(changes).toContainEqual(['reference.add', 'IMO 9461477', { references: ['ACME'] }]);
    expect(changes).toContainEqual(['reference.remove', 'IMO 9461477', { references: ['BK-123'] }]);
    expect(changes).toContainEqual(['reference.remove', 'IMO 9461477', { references: ['ACME', 'MEDU4711'] }]);
  });

  test('a promise of a reference goes with it, and only one that is named goes alone', async () => {
    const [here, port] = [storeOf(store.database.db, workspaceId), 'NLRTM' as Locode];
    const due = (day: number, reference: string) => ({
      port,
      at: new Date(Date.UTC(2026, 11, day)),
      reference,
    });
    const promised = [due(20, 'BK-1'), due(21, 'BK-1'), due(22, 'BK-2')].map((one) => ({
      ...{ imo: cypress, channelId: 'C1', due: one },
    }));
    await names.changeReferences({ imo: cypress, added: ['BK-1', 'BK-2'], promised }, by);
    const days = async () => (await readPromises(here)).map((one) => one.due.at.getUTCDate());
    expect(await days()).toEqual([20, 21, 22]);
    await names.changeReferences({ imo: cypress, noLonger: [due(21, 'BK-1')] }, by);
    expect(await days()).toEqual([20, 22]);
    await names.changeReferences({ imo: cypress, removed: ['bk 1'] }, by);
    expect(await days()).toEqual([22]);
    expect(await referencesOf(names, cypress)).toEqual(['BK-2']);
    const rows = await direct(store.database.db)
      .selectFrom('audit')
      .select(['action', 'before', 'after'])
      .execute();
    expect(rows).toContainEqual({
      ...{ action: 'promise.remove', before: { promises: ['BK-1 due NLRTM 21 Dec 01:00'] }, after: null },
    });
  });

  test('two people who add references at the same time lose none', async () => {
    const added = Array.from({ length: 8 }, (_, index) => `BK-${100 + index}`);
    await Promise.all(
      added.map((reference) => namesOf().changeReferences({ imo: diana, added: [reference] }, by)),
    );
    realNow += 1_001;
    expect((await referencesOf(names, diana)).toSorted()).toEqual(added);
  });

  test('the twenty-first is refused, and with it all that would be saved', async () => {
    const twenty = Array.from({ length: 20 }, (_, index) => `BK ${100 + index}`);
    await names.changeReferences({ imo: cypress, added: twenty }, by);
    const more = [{ imo: cypress, added: ['ONE MORE'] }];
    await expect(
      names.save([{ imo: cypress, name: 'NEW' }], by, { kind: 'typed' }, { references: more }),
    ).rejects.toMatchObject({
      code: 'too-many-references',
      message: 'A vessel can have at most 20 references; IMO 9461477 would have 21. Nothing was saved.',
    });
    expect(await names.list()).toEqual([]);
    expect(await referencesOf(names, cypress)).toEqual(twenty);
  });

  /** How many vessels have references, and how many all have. */
  async function stored() {
    const rows = await direct(store.database.db)
      .selectFrom('vessel_references')
      .select('references')
      .where('imo', '>=', firstOwnImo)
      .execute();
    const lists = rows.map(({ references }) => references as string[]); // As they are written.
    return { vessels: lists.length, references: lists.flat().length };
  }

  const file = { kind: 'file', fileName: 'ours.csv' } as const;
  const leaveRoomFor = (vessels: number, references: number) =>
    leaveRoom(store.database.db, { vessels, references });
  const change = (imo: number, ...added: string[]) => ({ imo: imo as Imo, added });

  test('imports at the same time cannot pass the limits together, and each answer says what was left out', async () => {
    await leaveRoomFor(10, 20);
    const stores = await Promise.all([1, 2, 3].map(() => store.another()));
    const services = stores.map(({ db }) => namesOf(workspaceId, db));
    const results = await Promise.all(
      services.map((service, part) => {
        const references = Array.from({ length: 8 }, (_, index) =>
          change(9_000_000 + part * 100 + index, `BK${part}${index}`, `BL${part}${index}`),
        );
        return service.save([], by, file, { references });
      }),
    );
    const saved = results.map((result) => result.references.flatMap(({ added }) => added).length);
    const left = results.map((result) => result.leftOut.flatMap(({ references }) => references).length);
    expect(await stored()).toEqual({ vessels: 10, references: 20 });
    expect(saved.reduce((sum, count) => sum + count)).toBe(20);
    expect(saved.map((count, index) => count + (left[index] ?? 0))).toEqual([16, 16, 16]);
  });

  test('typed changes at the same time cannot pass the limits together', async () => {
    await leaveRoomFor(10, 20);
    const stores = await Promise.all([1, 2, 3].map(() => store.another()));
    const services = Array.from({ length: 14 }, (_, index) => namesOf(workspaceId, stores[index % 3]?.db));
    const outcomes = await Promise.allSettled(
      services.map((service, index) => service.changeReferences(change(9_000_000 + index, 'ACME'), by)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect(await stored()).toEqual({ vessels: 10, references: 10 });
  });

  test('a file is stored as far as there is room: the limit that is reached is named', async () => {
    await leaveRoomFor(2, 4);
    const { references, leftOut } = await names.save([{ imo: cypress, name: 'DS CYPRESS' }], by, file, {
      references: [change(cypress, 'A11', 'a-11', 'A12'), change(diana, 'B11'), change(gulsun, 'C11')],
    });
    expect(references.map(({ added }) => added)).toEqual([['A11', 'A12'], ['B11']]);
    expect(leftOut).toEqual([{ imo: gulsun, references: ['C11'], limit: 'vessels' }]);
    const more = await names.save([], by, file, { references: [change(diana, 'B12', 'B13')] });
    expect(more.leftOut).toEqual([{ imo: diana, references: ['B13'], limit: 'references' }]);
    const twenty = Array.from({ length: 21 }, (_, index) => `D${100 + index}`);
    await leaveRoomFor(5, 100);
    const full = await names.save([], by, file, { references: [change(gulsun, ...twenty)] });
    expect(full.leftOut).toEqual([{ imo: gulsun, references: ['D120'], limit: 'vessel' }]);
    expect(await names.list()).toEqual([{ imo: cypress, name: 'DS CYPRESS' }]);
  });

  test('at the limit a typed reference is refused with advice, nothing is saved, and removing makes room', async () => {
    await leaveRoomFor(2, 3);
    await names.changeReferences(change(cypress, 'A11', 'A12'), by);
    await names.changeReferences(change(diana, 'B11'), by);
    await expect(names.changeReferences(change(diana, 'B12', 'B13'), by)).rejects.toMatchObject({
      code: 'too-many-references',
      message:
        'A workspace can have at most 20,000 references, and there are 20,000 here. Nothing was saved.',
      hint: 'To make room, remove those of bookings that are done, a vessel at a time: /vessel ref <vessel> forget. /vessel list shows who has some.',
      choices: [
        { label: 'List the vessels', line: 'vessel list' },
        { label: 'Try again', line: 'vessel ref 9755933 add B12, B13' },
      ],
    });
    await expect(names.changeReferences(change(gulsun, 'C11'), by)).rejects.toMatchObject({
      message:
        'At most 5,000 vessels of a workspace can have references, and 5,000 have some here. Nothing was saved.',
    });
    const typed = names.save([{ imo: gulsun, name: 'GULSUN' }], by, undefined, {
      references: [change(gulsun, 'C11')],
    });
    await expect(typed).rejects.toMatchObject({ code: 'too-many-references' });
    expect(await names.list()).toEqual([]);
    await names.changeReferences({ imo: cypress, added: ['A13'], removed: ['A11'] }, by);
    await names.changeReferences({ imo: cypress, removed: ['A12', 'A13'] }, by);
    await names.changeReferences(change(gulsun, 'C11', 'C12'), by);
    expect(await stored()).toEqual({ vessels: 2, references: 3 });
  });

  test('an import has one entry in the audit log, however many vessels and fleets it changes', async () => {
    const references = [change(cypress, 'A11', 'A12'), change(diana, 'B11')];
    const fleets = ['NORTH', 'SOUTH'].map((name) => ({ name, imos: [cypress, diana] }));
    await names.save([{ imo: cypress, name: 'DS CYPRESS' }], by, file, { references, fleets });
    const rows = await direct(store.database.db)
      .selectFrom('audit')
      .select(['action', 'subject', 'after'])
      .execute();
    expect(rows).toEqual([
      {
        action: 'vessel.import',
        subject: 'ours.csv',
        after: {
          names: 1,
          added: 1,
          renamed: 0,
          changes: [{ imo: cypress, before: null, after: 'DS CYPRESS' }],
          fleets: ['NORTH', 'SOUTH'],
          newReferences: 3,
          references: ['A11 (IMO 9461477)', 'A12 (IMO 9461477)', 'B11 (IMO 9755933)'],
        },
      },
    ]);
  });

  test('a change reads no other references again', async () => {
    await names.changeReferences(change(cypress, 'A11'), by);
    await names.directory();
    const row = { workspace_id: workspaceId, imo: diana, references: '["UNSEEN"]' };
    await direct(store.database.db)
      .insertInto('vessel_references')
      .values({ ...row, updated_at: by.now, updated_by: 'U1' })
      .execute();
    await names.changeReferences(change(cypress, 'A12'), by);
    const directory = await names.directory();
    expect(directory.referencesOf(cypress)).toEqual(['A12', 'A11']);
    expect(directory.referenced('a-12')).toEqual([{ imo: cypress, reference: 'A12' }]);
    expect(directory.referenced('UNSEEN')).toEqual([]);
    expect((await namesOf().directory()).referenced('UNSEEN')).toHaveLength(1);
  });
});

describe('/vessel ref', () => {
  const commands = useStarted(createWatchCommands);
  beforeEach(() => commands.reset());

  async function show(line: string): Promise<string> {
    const message = await commands.show(line);
    expect(slackFaults(message)).toEqual([]);
    return asRead(message);
  }

  const directory = () => readDirectory(commands.ctx);

  test('are added to those that are there; one that is there, or is not, changes nothing', async () => {
    await show('vessel ref 9461477 BK123, MEDU4711');
    expect(await show('vessel ref DS CYPRESS add acme 7')).toContain(
      '*DS CYPRESS: added acme 7*\nNow 3 references: acme 7, BK123, MEDU4711',
    );
    expect(await show('vessel ref ds cypress bk-123')).toContain('*DS CYPRESS: 3 references*');
    expect(await show('vessel ref BK123')).toContain('*DS CYPRESS: 3 references*\nacme 7, BK123, MEDU4711\n');
    expect(await show('vessel list')).toContain('*1 vessel has only references here*');
    expect(await show('vessel ref 9461477 remove bk 123')).toContain(
      '*DS CYPRESS: removed BK123*\nNow 2 references: acme 7, MEDU4711\n',
    );
    expect(await show('vessel ref 9461477 remove BK999')).toContain(
      'IMO 9461477 has no reference “BK999”.\n[Remove acme 7 → vessel ref 9461477 remove acme 7]',
    );
  });

  test('a verb after the references counts too', async () => {
    await show('vessel ref 9461477 BK123, MEDU4711, acme 7');
    expect(await show('vessel ref DS CYPRESS BK123, acme 7 remove')).toContain(
      '*DS CYPRESS: removed BK123, acme 7*\nNow 1 reference: MEDU4711\n',
    );
    expect(await show('vessel ref MEDU4711 remove')).toContain('*DS CYPRESS: removed MEDU4711*');
  });

  test('undo restores what was removed', async () => {
    await show('vessel ref 9461477 BK123, MEDU4711');
    const [, undo = ''] = /\[Undo → (.*?)\] \[/.exec(await show('vessel ref 9461477 forget')) ?? [];
    expect(undo).toBe('vessel ref 9461477 add BK123, MEDU4711');
    expect(await show(undo)).toContain('*DS CYPRESS: added BK123, MEDU4711*');
  });

  test('a reference works wherever a vessel does, and the answer says what was understood', async () => {
    await show('vessel ref 9461477 BK123, 261234567');
    const vessels = await directory();
    const understood = (line: string) => {
      const { line: canonical, understoodAs } = commands.parseLine(line, { vessels });
      return `${canonical} (${understoodAs})`;
    };
    expect(understood('nextport bk-123')).toBe('nextport 9461477 (nextport 9461477)');
    expect(understood('BK123')).toBe('nextport 9461477 (nextport 9461477)');
    expect(understood('watch 261234567 eta 6h')).toBe('watch 9461477 eta 6h (watch 9461477 eta 6h)');
    expect(understood('where is booking BK123?')).toBe('nextport 9461477 (nextport 9461477)');
    expect(understood('nextport DS CYPRESS')).toBe('nextport 9461477 (undefined)');
  });

  test('a container is known as one until it is stored, and named beside its vessel or another', async () => {
    expect(await show('nextport MSCU1234566')).toContain(
      'MSCU1234566 is a container number, and the service knows vessels, not containers. Ask for the vessel of its booking, or store the number for that vessel. For example: /vessel ref 9461477 add MSCU1234566',
    );
    await show('vessel ref 9461477 MSCU1234566');
    const vessels = await directory();
    const lineOf = (line: string) => commands.parseLine(line, { vessels }).line;
    expect(lineOf('nextport MSCU 123456-6')).toBe('nextport 9461477');
    expect(lineOf('nextport DS CYPRESS MSCU1234566')).toBe('nextport 9461477');
    expect(lineOf('nextport EVER GIVEN TGHU7654320')).toBe('nextport 9811000');
    expect(() => lineOf('nextport EVER GIVEN MSCU1234566')).toThrow('can be 2 vessels');
  });

  test('a reference that nobody has stored is refused, with the line that stores it', async () => {
    expect(await show('nextport X-123')).toContain(
      'No vessel here has the reference X-123. Store it for its vessel, and it finds that vessel. For example: /vessel ref 9461477 add X-123',
    );
  });

  test('a reference of two vessels is asked about', async () => {
    await show('vessel ref 9461477 ACME');
    expect(await show('vessel ref 9755933 acme')).toContain(
      "acme is also a reference of DS CYPRESS (9461477): I'll ask which vessel you mean.",
    );
    expect(await show('nextport acme')).toContain(
      '2 vessels have the reference ACME. Which one?\n[All 2 → nextport 9461477, 9755933] [DS CYPRESS',
    );
  });

  test('a name that hides a reference says so', async () => {
    await show('vessel ref 9461477 BLUE STAR');
    expect(await show('vessel name 9074729 Blue Star')).toContain(
      'BLUE STAR is a reference of IMO 9461477: names come first, so it finds this vessel now.',
    );
  });

  test.each([
    'vessel ref 9461477 9755933',
    'vessel ref 9461477 BK123, Rotterdam',
    'vessel ref 9461477 MSC DIANA',
    'vessel ref 9461477 remove',
    'vessel ref NOBODY 7',
  ])('%s is refused', async (line) => {
    expect(await show(line)).toMatchSnapshot();
    expect(await show('vessel ref 9461477')).toContain('*DS CYPRESS: no references*');
  });

  test('are imported; a text that means something else is left out and named', async () => {
    await show('vessel ref 9755933 ACME');
    const text =
      'imo,name,references\n9461477,BLUE STAR,BK123 | Rotterdam\n9755933,,BLUE STAR | bk 77 | acme\n';
    const context = { ...runContext(), ...commands.ctx, vessels: await directory() };
    const file = { name: 'ours.csv', read: async () => new TextEncoder().encode(text) };
    const preview = (await takeFile(file, context)).view(reader);
    const refused =
      '2 references were left out: “Rotterdam” (IMO 9461477) is the name or the UN/LOCODE of a port; “BLUE STAR” (IMO 9755933) is the name of a vessel (IMO 9461477).';
    expect(preview.text).toBe(
      `2 of 2 rows can be imported from ours.csv. New: 1 vessel name and 2 references. imo · IMO number; name · vessel; references · reference; ${refused} Nothing is saved yet. Only you can import this, within a day`,
    );
    expect((await directory()).referencesOf(cypress)).toEqual([]);
    const [, id = ''] = /"action_id":"vessel:import".*?"value":"([^"]+)"/.exec(JSON.stringify(preview)) ?? [];
    // The action opens no window.
    const place = { channelId: 'D1', destination: 'direct-message' };
    const done = await importShown.run(id, { ...context, place } as unknown as ActionContext);
    expect(done?.text).toBe(
      `1 vessel name and 2 references of 2 vessels saved from ours.csv; ${refused} Everybody here can now type these names, and sees them in answers`,
    );
    const saved = await directory();
    expect(saved.referencesOf(cypress)).toEqual(['BK123']);
    expect(saved.referencesOf(diana)).toEqual(['bk 77', 'ACME']);
  });

  test('are exported, and nobody outside the workspace sees them', async () => {
    await show('vessel name 9755933 MSC DIANA');
    await show('vessel ref 9461477 BK123, ACME');
    expect(await show('vessel export')).toContain('9755933,MSC DIANA,,\n9461477,,,BK123 | ACME');
    expect(await show('vessel list')).toContain('BK123');
    const outside = { ...reader, audience: 'outside' as const };
    for (const line of ['vessel ref 9461477', 'vessel list']) {
      const shown = await commands.show(line, {}, outside);
      expect(JSON.stringify(shown)).not.toContain('BK123');
    }
    const vessels = await directory();
    const privacy = (line: string) => commands.parseLine(line, { vessels }).privacy;
    expect(['vessel ref 9461477', 'vessel export', 'vessel list'].map(privacy)).toEqual([
      'internal',
      'internal',
      'open',
    ]);
  });

  test('are a column wherever rows have vessels, and nobody outside the workspace sees it', async () => {
    await show('vessel ref 9461477 AC-1, AC-2, AC-3, AC-4, A LONG REFERENCE OF A CUSTOMER');
    await show('vessel fleet NORTH add 9461477, 9755933');
    const outside = { ...reader, audience: 'outside' as const };
    for (const line of ['nextport 9461477, 9755933', 'vessel fleet NORTH']) {
      expect(await show(line)).toMatch(/\n\| Vessel \|.* \| Ref \|\n/);
      expect(await show(line)).toContain(' | AC-1, AC-2, AC-3 +2 |\n');
      const shown = JSON.stringify(await commands.show(line, {}, outside));
      expect(shown).toContain('DS CYPRESS');
      expect(shown).not.toMatch(/AC-1|"Ref"/);
    }
    await show('watch 9461477');
    for (const line of ['nextport DS CYPRESS', 'nextport DS CYPRESS compare', 'watch list']) {
      expect([line, asRead(await commands.show(line))]).toEqual([
        line,
        expect.stringContaining('Ref AC-1, AC-2, AC-3 and 2 more'),
      ]);
      const shown = JSON.stringify(await commands.show(line, {}, outside));
      expect([line, shown]).toEqual([line, expect.not.stringContaining('AC-')]);
    }
    expect(await show('nextport 9755933, 9811000')).not.toContain(' Ref ');
    const file = await show('nextport 9461477, 9755933 as csv');
    expect(file).toMatch(/,references,fetched_at,source\n/);
    expect(file).toContain(',AC-1 | AC-2 | AC-3 | AC-4 | A LONG REFERENCE OF A CUSTOMER,');
    expect(await show('nextport 9461477 as csv')).toContain(',AC-1 | AC-2 |');
  });

  test('lead the answer to a line that names its only vessel by one', async () => {
    await show('vessel ref 9461477 BK-123, ACME');
    const verdictOf = async (line: string) => (await show(line)).split('\n')[0];
    for (const line of ['bk 123', 'nextport BK123 at Rotterdam', 'nextport bk123 compare', 'is BK-123 late?'])
      expect([line, await verdictOf(line)]).toEqual([
        line,
        expect.stringMatching(/^text: BK-123 · DS CYPRESS/),
      ]);
    for (const line of ['nextport DS CYPRESS', 'nextport 9461477, 9755933', 'vessel ref BK-123'])
      expect([line, await verdictOf(line)]).toEqual([line, expect.not.stringContaining('BK-123 ·')]);
    expect(await show('nextport DS CYPRESS')).toContain(' · Ref BK-123, ACME · ');
    expect(await show('nextport BK-123')).toContain(' · Ref ACME · ');
  });

  test('assistants may ask by one, and get those of each row', async () => {
    await show('vessel ref 9461477 BK-123, ACME');
    const ask = async (vessel: string) => (await commands.call('nextport', { vessel })).output(reader);
    expect(await ask('bk 123')).toMatchObject({ verdict: expect.stringMatching(/^BK-123 · DS CYPRESS/) });
    const rows = [{ references: 'BK-123 | ACME' }, { references: null }];
    expect(await ask('DS CYPRESS, MSC DIANA')).toMatchObject({
      tables: { 'next-ports-of-vessels': rows.map((row) => expect.objectContaining(row)) },
    });
  });
});
