import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { storeOf } from '../../../src/database/workspace-store.ts';
import type { AskCtx } from '../../../src/features/ctx.ts';
import { fleetsHere } from '../../../src/features/fleets/fleets.ts';
import { nameForm } from '../../../src/features/vessels/form.ts';
import { namedVessels } from '../../../src/features/vessels/vessel-names.ts';
import { lineOf } from '../../support/answer-message.ts';
import { runContext } from '../../support/run-command.ts';
import { openSqlite, workspaceId } from '../../support/store-engines.ts';
import { useWorkspace } from '../../support/use-store.ts';
import { leaveRoom, vesselsCtx } from '../../support/vessel-stores.ts';
import { reader } from '../../support/view-fixtures.ts';

const store = useWorkspace(openSqlite);

/** The form filled in for one vessel and two fleets, over a store whose audit rows have these ids. */
async function submit(newId: () => string, { references = '' } = {}) {
  const { services, registry } = vesselsCtx({ store: storeOf(store.database.db, workspaceId), newId });
  const ctx: AskCtx = {
    ...runContext(),
    services,
    registry: { ...registry, lineOf },
    place: { channelId: 'C0OPS00001', destination: 'channel' },
  };
  const fields: Record<string, string> = {
    imo: '9461477',
    name: 'Our Ship',
    fleets: 'North, South',
    references,
  };
  const values = { text: (field: string) => fields[field] ?? '', ticked: () => [] };
  const form = { values, target: {}, memo: [] };
  const saved = async () => ({
    names: await namedVessels(ctx),
    fleets: await fleetsHere(ctx),
  });
  return { done: nameForm.submit(form, ctx), saved };
}

it('saves the name and all fleets, or nothing', async () => {
  // The second row of the audit log can't be written: that of a fleet.
  const failing = await submit(() => 'the same');
  await expect(failing.done).rejects.toThrow(/unique/i);
  expect(await failing.saved()).toEqual({ names: [], fleets: [] });
  const working = await submit(randomUUID);
  const message = (await working.done)?.view(reader);
  expect(message?.text).toBe(
    'IMO 9461477 is now called OUR SHIP. It was DS CYPRESS before. In the fleets North, South.',
  );
  expect(JSON.stringify(message?.blocks)).not.toContain('Undo');
  expect(await working.saved()).toEqual({
    names: [{ imo: 9461477, name: 'OUR SHIP' }],
    fleets: [
      { name: 'North', imos: [9461477] },
      { name: 'South', imos: [9461477] },
    ],
  });
});

it('says beside the references that there is no room for them; the form stays as it was filled in', async () => {
  await leaveRoom(store.database.db, { vessels: 1, references: 1 });
  const full = await submit(randomUUID, { references: 'BK1-A, BK1-B' });
  await expect(full.done).rejects.toMatchObject({
    name: 'FieldErrors',
    fields: {
      references:
        'A workspace can have at most 20,000 references, and there are 19,999 here. Nothing was saved. To make room, remove those of bookings that are done, a vessel at a time: /vessel ref <vessel> forget. /vessel list shows who has some.',
    },
  });
});
