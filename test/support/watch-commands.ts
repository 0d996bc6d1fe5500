import type { DigestService } from '../../src/features/digests/service.ts';
import type { RunContext } from '../../src/features/feature.ts';
import { parseLine } from '../../src/features/parse-line.ts';
import { createFleets } from '../../src/features/vessels/fleets.ts';
import { createVesselNames } from '../../src/features/vessels/vessel-names.ts';
import { createVesselDirectory } from '../../src/grammar/create-vessel-directory.ts';
import { failureView } from '../../src/messages/frame/failure.ts';
import type { Message } from '../../src/messages/message.ts';
import { type Outgoing, outgoing } from '../../src/outbox/outbox-rows.ts';
import { isImo } from '../../src/reference/imo.ts';
import { exampleVessels } from '../../src/reference/vessels.ts';
import { type AuditLog, createAuditLog } from '../../src/workspaces/audit.ts';
import { createGuestSetting } from '../../src/workspaces/guests.ts';
import { createCommandHarness, now, reader } from './run-command.ts';
import { openEmbedded, seedWorkspace, workspaceId } from './store-engines.ts';
import { createDeskRoom, type DeskRoom } from './watch-desk.ts';
import { createWatchRoom, type WatchRoom } from './watch-room.ts';
import { hour } from './watch-story.ts';

export interface WatchCommands extends DeskRoom {
  room: WatchRoom;
  auditLog: AuditLog;
  /** A whole line as somebody types it in a channel, to what is shown; what was typed wrong is shown as at the edge. */
  show(line: string, context?: Partial<RunContext>): Promise<Message>;
  /** What waits in the outbox, of one kind. */
  messages(kind: Outgoing['kind']): Promise<{ channelId: string; message: Outgoing }[]>;
  /** Everything kept is forgotten. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** The registry over a store in memory, the sandbox, and a Slack that takes every card. */
export async function createWatchCommands(): Promise<WatchCommands> {
  const harness = await createCommandHarness();
  const store = await openEmbedded();
  const { db } = store.database;
  // In the order of time, as all that is kept here: the clock stands still.
  const newId = () => commands.room.newId();
  let realMs = 0;
  const names = createVesselNames({
    db,
    isImo,
    build: (named) => createVesselDirectory([...exampleVessels, ...named]),
    newId,
    // Between any two looks so much time passes that names are read anew: a reset goes past this store.
    realNow: () => {
      realMs += 2_000;
      return realMs;
    },
  });
  const fleets = createFleets({ db, isImo, newId });
  const auditLog = createAuditLog({ db, workspaceId });
  const guests = createGuestSetting({ db, workspaceId, now: () => now, newId, realNow: () => realMs });
  const open = () => {
    const room = createWatchRoom(store.database);
    room.clock.hours = (now.getTime() - hour(0).getTime()) / 3_600_000;
    const desks = createDeskRoom(
      room,
      { db },
      { analytics: harness.analytics, names: () => names.directory(workspaceId) },
    );
    return { room, ...desks };
  };
  const commands: WatchCommands = {
    ...open(),
    auditLog,
    async show(line, context = {}) {
      const vessels = await names.directory(workspaceId);
      try {
        const prepared = parseLine(line, { vessels });
        const answered = await prepared.run({
          actor: { userId: 'U0WATCHER1', isAdmin: false, zone: 'Europe/Berlin' },
          place: { channelId: 'C0WATCHED1', isDm: false },
          // Digests have their own tests: nothing here asks for one.
          kept: {
            watches: commands.desk,
            names,
            fleets,
            digests: {} as DigestService,
            channels: commands.settings,
            guests,
            audit: auditLog,
          },
          workspaceId,
          analytics: harness.analytics,
          vessels,
          now: () => now,
          source: 'service',
          fresh: false,
          signal: new AbortController().signal,
          settings: { usageFor: 'everyone', version: '0.1.0' },
          ...context,
        });
        return answered.view({ ...reader, now, source: 'service' });
      } catch (error) {
        return failureView(error, { ref: '7K3F', reader, line });
      }
    },
    async messages(kind) {
      const rows = await db
        .selectFrom('outbox')
        .select(['channel_id', 'payload'])
        .where('kind', '=', kind)
        .orderBy('sequence')
        .execute();
      return rows.map((row) => ({ channelId: row.channel_id, message: outgoing.parse(row.payload) }));
    },
    async reset() {
      await db.deleteFrom('workspaces').execute();
      await seedWorkspace(store.database);
      Object.assign(commands, open());
    },
    async close() {
      await store.close();
      await harness.close();
    },
  };
  await commands.reset();
  return commands;
}
