import type { Kysely } from 'kysely';
import type { Message, Reader } from '../../src/answers/message.ts';
import { failureView } from '../../src/answers/slack/failure.ts';
import { createWorkbooks } from '../../src/answers/workbook.ts';
import type { Schema } from '../../src/database/schema.ts';
import { storeOf } from '../../src/database/workspace-store.ts';
import { audit } from '../../src/features/audit/index.ts';
import { type WatchMessage, watchMessage } from '../../src/features/cards/messages.ts';
import type { Command, LineAnswer, ParseLine, ToolAnswer } from '../../src/features/command.ts';
import type { AskCtx, FollowFleets, WorkCtx } from '../../src/features/ctx.ts';
import { digestCommand } from '../../src/features/digests/command.ts';
import { help } from '../../src/features/help/index.ts';
import { laneCommand } from '../../src/features/lane/index.ts';
import { nextportCommand } from '../../src/features/next-ports/command.ts';
import { createParseLine } from '../../src/features/parse-line.ts';
import { portcallsCommand } from '../../src/features/port-calls/command.ts';
import type { SendFile } from '../../src/features/services.ts';
import { settingsCommand } from '../../src/features/settings/index.ts';
import { usageCommand } from '../../src/features/usage/index.ts';
import { vesselCommand } from '../../src/features/vessels/command.ts';
import { readDirectory } from '../../src/features/vessels/vessel-names.ts';
import { watchCommand } from '../../src/features/watches/command.ts';
import { type AuditLog, createAuditLog } from '../../src/workspaces/audit.ts';
import { createGuestSetting, createLinkSetting } from '../../src/workspaces/settings.ts';
import { lineOf } from './answer-message.ts';
import { createCommandHarness, now, reader } from './run-command.ts';
import { direct } from './statements/direct.ts';
import { openSqlite, seedWorkspace, workspaceId } from './store-engines.ts';
import { toolNamed } from './tool-harness.ts';
import { createWatchFixture, type WatchFixture } from './watch-fixture.ts';
import { createWatchServiceHarness, type WatchServiceHarness } from './watch-service-harness.ts';
import { hour } from './watch-story.ts';

export interface WatchCommands extends WatchServiceHarness {
  db: Kysely<Schema>;
  fixture: WatchFixture;
  auditLog: AuditLog;
  parseLine: ParseLine;
  registry: readonly Command[];
  ctx: WorkCtx;
  /** Runs a line typed in a channel. Throws the command's error. */
  answer(line: string, context?: Partial<AskCtx>): Promise<LineAnswer>;
  /** Calls a tool for an assistant. Throws the command's error. */
  call(tool: string, input: unknown, context?: Partial<AskCtx>): Promise<ToolAnswer>;
  /** The same as `answer`; returns what is shown, errors included. */
  show(line: string, context?: Partial<AskCtx>, shownTo?: Reader): Promise<Message>;
  /** The outbox's messages of one kind. */
  messages(kind: WatchMessage['kind']): Promise<{ channelId: string; message: WatchMessage }[]>;
  /** Empties the store. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** All commands with a store in memory, the sandbox, and a Slack that accepts every card. */
export async function createWatchCommands(): Promise<WatchCommands> {
  const harness = await createCommandHarness();
  const store = await openSqlite();
  const { db } = store.database;
  // Ids sort by creation, since the clock is stopped.
  const newId = () => commands.fixture.newId();
  let realMs = 0;
  const followFleets: FollowFleets = (...change) => commands.fixture.followFleets(...change);
  // The clock jumps at each read, so cached names expire.
  const realNow = () => {
    realMs += 2_000;
    return realMs;
  };
  const auditLog = createAuditLog(storeOf(db, workspaceId));
  const settingOptions = { store: storeOf(db, workspaceId), now: () => now, newId, realNow: () => realMs };
  const guests = createGuestSetting(settingOptions);
  const links = createLinkSetting(settingOptions);
  const open = () => {
    const fixture = createWatchFixture(store.database);
    fixture.clock.hours = (now.getTime() - hour(0).getTime()) / 3_600_000;
    const watching = createWatchServiceHarness(
      fixture,
      { db },
      { analytics: harness.analytics, names: () => readDirectory(ctx) },
    );
    const services = {
      ...watching.services,
      ...{ guests, links, realNow, workbooks: createWorkbooks() },
      slack: { ...watching.services.slack, sendFile },
    };
    const registry: Command[] = [
      nextportCommand,
      portcallsCommand,
      laneCommand,
      // `usage bot` has its own tests.
      usageCommand,
      watchCommand,
      // Digests have their own tests.
      digestCommand,
      vesselCommand,
      ...help.commands,
      settingsCommand,
      ...audit.commands,
    ];
    const parseLine: ParseLine = createParseLine(registry, lineOf);
    const ctx: WorkCtx = {
      services,
      // Those that these commands use.
      registry: {
        ...{ lineOf, commands: registry, parseLine, followFleets },
        vessels: () => readDirectory(ctx),
      } as unknown as WorkCtx['registry'],
    };
    return { fixture, parseLine, registry, ctx, ...watching };
  };
  /** What is changed is changed by the clock of the fixture. */
  const run = async <Answer>(
    line: { repeatable: boolean; run(ctx: AskCtx): Promise<Answer> },
    vessels: AskCtx['vessels'],
    context: Partial<AskCtx>,
  ): Promise<Answer> => {
    const clock = () => (line.repeatable ? now : hour(commands.fixture.clock.hours));
    return await line.run({ ...commands.ctx, ...contextWith(vessels), now: clock, ...context });
  };
  const commands: WatchCommands = {
    ...open(),
    db,
    auditLog,
    async answer(line, context = {}) {
      const vessels = await readDirectory(commands.ctx);
      return await run(commands.parseLine(line, { vessels }), vessels, context);
    },
    async call(name, input, context = {}) {
      const vessels = await readDirectory(commands.ctx);
      const tools = commands.registry.flatMap((command) => command.tools);
      return await run(toolNamed(name, tools).prepare(input, { vessels, lineOf }), vessels, context);
    },
    async show(line, context = {}, shownTo = reader) {
      try {
        const answered = await commands.answer(line, context);
        return answered.view({ ...shownTo, now, source: 'service' });
      } catch (error) {
        return failureView(error, { ref: '7K3F', reader, line });
      }
    },
    async messages(kind) {
      const rows = await direct(db)
        .selectFrom('outbox')
        .select(['channel_id', 'payload'])
        .where('kind', '=', kind)
        .orderBy('sequence')
        .execute();
      return rows.map((row) => ({ channelId: row.channel_id, message: watchMessage.parse(row.payload) }));
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

const sendFile: SendFile = async () => ({ isSent: false });

const contextWith = (vessels: AskCtx['vessels']): Omit<AskCtx, keyof WorkCtx | 'now'> => ({
  actor: { userId: 'U0WATCHER1', isAdmin: false, zone: 'Europe/Berlin' },
  place: { channelId: 'C0WATCHED1', destination: 'channel' },
  vessels,
  source: 'service',
  audience: 'private',
  fresh: false,
  signal: new AbortController().signal,
});
