import type { LineFacts } from '../../src/answers/comparison.ts';
import type { Database } from '../../src/database/connect.ts';
import { storeOf } from '../../src/database/workspace-store.ts';
import type { Digest } from '../../src/features/digests/digest.ts';
import type { NewDigest } from '../../src/features/digests/digest-store.ts';
import { createDigestStore, type DigestStore } from '../../src/features/digests/digest-store.ts';
import { createDigestRunner, type DigestRunner } from '../../src/features/digests/run-due.ts';
import type { LineAnswer } from '../../src/features/digests/run-lines.ts';
import { createOutbox, type Outbox } from '../../src/outbox/outbox.ts';
import type { Imo } from '../../src/reference/imo.ts';
import type { Locode } from '../../src/reference/locode.ts';
import { workspaceId } from './store-engines.ts';
import { createStoreLogger } from './store-logger.ts';
import { createWatchSlack, outgoingOf, type WatchSlack } from './watch-slack.ts';

/** Digests whose lines get the answers that the test sets, with a fake Slack and both clocks. */
export interface DigestFixture {
  clock: { now: Date; realMs: number };
  /** The answer of each line, or the error it throws. Other lines answer without facts. */
  lines: Map<string, Partial<LineAnswer> | Error>;
  ran: string[];
  /** The one that the last line of a digest got. */
  lastSentAt: Date | undefined;
  /** Awaited by every line. */
  gate: () => Promise<void>;
  store: DigestStore;
  openStore(workspaceId: string): DigestStore;
  runner: DigestRunner;
  openRunner(database?: Database, workspaceId?: string): DigestRunner;
  slack: WatchSlack;
  outbox: Outbox;
  openOutbox(): Outbox;
  add(digest?: Partial<NewDigest>, to?: DigestStore): Promise<Digest>;
  by(): { actorId: string; now: Date };
  /** Moves both clocks and runs due digests, but not the outbox. */
  at(time: string): ReturnType<DigestRunner['runDue']>;
  newId: () => string;
}

export const everyDay = { kind: 'week', weekdays: [1, 2, 3, 4, 5, 6, 7] } as const;
export const cypress = 9461477 as Imo;

export function createDigestFixture(database: Database, ids = { next: 0 }): DigestFixture {
  const { db } = database;
  const clock = { now: new Date('2026-11-23T00:00Z'), realMs: Date.parse('2026-01-01T00:00Z') };
  const newId = () => `id-${String(++ids.next).padStart(6, '0')}`;
  const realNow = () => clock.realMs;
  const logger = createStoreLogger();
  const slack = createWatchSlack();
  const openRunner = ({ db: mine } = database, ofWorkspace = workspaceId) =>
    createDigestRunner({
      store: storeOf(mine, ofWorkspace),
      async runLine(line, { lastSentAt }) {
        fixture.ran.push(line);
        fixture.lastSentAt = lastSentAt;
        await fixture.gate();
        const answer = fixture.lines.get(line);
        if (answer instanceof Error) throw answer;
        return {
          facts: null,
          hasNews: false,
          brief: [`brief of ${line}`],
          detail: null,
          isInternal: false,
          ...answer,
        };
      },
      explain: (error) => ({ reason: error instanceof Error ? error.message : String(error), ref: '7K3F' }),
      realNow,
      newId,
      logger,
    });
  const openStore = (ofWorkspace: string) =>
    createDigestStore({ store: storeOf(db, ofWorkspace), newId, maxPerChannel: 5 });
  const store = openStore(workspaceId);
  const openOutbox = () =>
    createOutbox({
      ctx: undefined,
      store: storeOf(db, workspaceId),
      poster: slack,
      realNow,
      newId,
      logger,
      outgoing: outgoingOf(db),
    });
  const by = () => ({ actorId: 'U1', now: clock.now });
  const fixture: DigestFixture = {
    clock,
    lines: new Map(),
    ran: [],
    lastSentAt: undefined,
    gate: async () => {},
    store,
    openStore,
    runner: openRunner(),
    openRunner,
    slack,
    outbox: openOutbox(),
    openOutbox,
    add: (digest = {}, to = store) =>
      to.create(
        {
          channelId: 'C1',
          destination: 'channel',
          ownerId: 'U1',
          title: 'Morning',
          lines: ['nextport 9461477'],
          schedule: { days: everyDay, minutes: [8 * 60] },
          zone: 'UTC',
          onlyNews: false,
          ...digest,
        },
        by(),
      ),
    by,
    at(time) {
      const now = new Date(time);
      clock.realMs += Math.max(0, now.getTime() - clock.now.getTime());
      clock.now = now;
      return fixture.runner.runDue(now);
    },
    newId,
  };
  return fixture;
}

/** The answer of `nextport` for one vessel. */
export const nextPort = (port: string, eta: string): Partial<LineAnswer> => ({
  facts: {
    kind: 'next-ports',
    vessels: [
      {
        imo: cypress,
        next: { port: port as Locode, probability: 0.8, eta: new Date(eta) },
        isUnanswered: false,
      },
    ],
  } satisfies LineFacts,
});

/** The answer of `portcalls NLRTM` with this many vessels. */
export const portCalls = (count: number): Partial<LineAnswer> => ({
  facts: {
    kind: 'port-calls',
    port: 'NLRTM' as Locode,
    period: null,
    from: 0,
    calls: Array.from({ length: count }, (_, index) => ({
      imo: (cypress + index) as Imo, // only told apart
      probability: 0.8,
      eta: new Date('2026-12-25T08:00Z'),
      when: 'within' as const,
    })),
  } satisfies LineFacts,
});
