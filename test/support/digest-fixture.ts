import { toStored } from '../../src/answers/stored.ts';
import type { Database } from '../../src/database/connect.ts';
import { defaultLeaseMs } from '../../src/database/due.ts';
import { storeOf } from '../../src/database/workspace-store.ts';
import type { ParsedLine } from '../../src/features/command.ts';
import type { AnsweredLine, AskCtx, WorkCtx } from '../../src/features/ctx.ts';
import type { Digest } from '../../src/features/digests/digest.ts';
import {
  beginPause,
  createDigest,
  endPause,
  findBaseline,
  findDigest,
  lastNumber,
  makeDue,
  markRemoved,
  markRestored,
  type NewDigest,
  readDigests,
  type StoreCtx,
  updateDigest,
} from '../../src/features/digests/digest-store.ts';
import { runDueDigests } from '../../src/features/digests/run-due.ts';
import type { WorkspaceServices } from '../../src/features/services.ts';
import { createVesselDirectory } from '../../src/grammar/vessel-directory.ts';
import { createOutbox } from '../../src/outbox/outbox.ts';
import type { Imo, Locode } from '../../src/reference/codes.ts';
import { createAskLine } from '../../src/run/run-line.ts';
import { createAuditedTransaction } from '../../src/workspaces/audit.ts';
import { bindTo } from './bind.ts';
import { workspaceId } from './store-engines.ts';
import { createStoreLogger } from './store-logger.ts';
import { createWatchSlack, outgoingOf } from './watch-slack.ts';

interface FakeAnswer extends Partial<Pick<AnsweredLine, 'comparison' | 'hasNews'>> {
  brief?: readonly string[];
  /** The whole answer, if the brief doesn't say it all. */
  detail?: string;
}

type DigestStore = ReturnType<typeof createDigestStore>;

/** The store's functions, with their context. */
export function createDigestStore({
  store,
  newId,
  maxDigestsPerChannel = 50,
}: Pick<WorkspaceServices, 'store' | 'newId'> & { maxDigestsPerChannel?: number }) {
  const audited = createAuditedTransaction(store);
  const bind = bindTo<StoreCtx>({ services: { store, newId, audited, settings: { maxDigestsPerChannel } } });
  return {
    create: bind(createDigest),
    change: bind(updateDigest),
    pause: bind(beginPause),
    resume: bind(endPause),
    runNow: bind(makeDue),
    remove: bind(markRemoved),
    restore: bind(markRestored),
    find: bind(findDigest),
    baseline: bind(findBaseline),
    list: bind(readDigests),
    lastNumber: bind(lastNumber),
  };
}

export const everyDay = { kind: 'week', weekdays: [1, 2, 3, 4, 5, 6, 7] } as const;
export const cypress = 9461477 as Imo;

export type DigestFixture = ReturnType<typeof createDigestFixture>;

/** Digests whose lines get the answers that the test sets, with a fake Slack and both clocks. */
export function createDigestFixture(database: Database, ids = { next: 0 }) {
  const { db } = database;
  const clock = { now: new Date('2026-11-23T00:00Z'), realMs: Date.parse('2026-01-01T00:00Z') };
  const newId = () => `id-${String(++ids.next).padStart(6, '0')}`;
  const realNow = () => clock.realMs;
  const logger = createStoreLogger();
  const slack = createWatchSlack();
  /** Runs as a line of the bot does, with the answer that the test has set. */
  const parseLine = (line: string) =>
    ({
      line,
      repeatable: true,
      privacy: 'open',
      isStatistics: /^(?:lane|usage)/.test(line),
      async run({ lastSentAt }: AskCtx) {
        fixture.ran.push(line);
        fixture.lastSentAt = lastSentAt;
        await fixture.gate();
        const answer = fixture.lines.get(line) ?? {};
        if (answer instanceof Error) throw answer;
        const { brief = [`brief of ${line}`], detail = null, comparison = null, hasNews = false } = answer;
        const [strong = '', ...lines] = brief;
        return {
          ...{ comparison, hasNews, isForecast: comparison !== null },
          brief: () => ({ brief: { verdict: { strong, lines } }, isWhole: detail === null }),
          view: () => ({ text: detail ?? '', blocks: [] }),
          stored: (reader) => toStored({ verdict: { strong: detail ?? '' } }, { line }, reader),
        } satisfies AnsweredLine;
      },
      // What a digest uses of a line.
    }) as unknown as ParsedLine;
  const ctxOf = (mine: Database['db'], ofWorkspace: string): WorkCtx => {
    const now = () => clock.now;
    const services = {
      ...{ store: storeOf(mine, ofWorkspace), now, realNow, newId, logger, source: 'service' },
      settings: { leaseMs: defaultLeaseMs },
      pauses: { at: async () => undefined, next: async () => undefined },
      slack: {
        asksOnly: async () => false,
        personOf: async () => ({ isAdmin: false }),
        audienceOf: async () => 'channel',
      },
    } as unknown as WorkspaceServices;
    const askLine = createAskLine(parseLine);
    const registry = { askLine, vessels: async () => createVesselDirectory([]) };
    return { services, registry } as unknown as WorkCtx;
  };
  const openRunner = ({ db: mine } = database, ofWorkspace = workspaceId) => {
    const ctx = ctxOf(mine, ofWorkspace);
    return { runDue: (now: Date, mayClaim = () => true) => runDueDigests(now, mayClaim, ctx) };
  };
  const openStore = (ofWorkspace: string) =>
    createDigestStore({ store: storeOf(db, ofWorkspace), newId, maxDigestsPerChannel: 5 });
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
  const fixture = {
    clock,
    /** The answer of each line, or the error it throws. Other lines answer without a comparison. */
    lines: new Map<string, FakeAnswer | Error>(),
    ran: [] as string[], // none yet
    /** The one that the last line of a digest got. */
    lastSentAt: undefined as Date | undefined, // none yet
    /** Awaited by every line. */
    gate: async (): Promise<void> => {},
    store,
    openStore,
    runner: openRunner(),
    openRunner,
    slack,
    outbox: openOutbox(),
    openOutbox,
    add: (digest: Partial<NewDigest> = {}, to: DigestStore = store): Promise<Digest> =>
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
    /** Moves both clocks and runs due digests, but not the outbox. `answers`: what lines answer from then on. */
    at(time: string, answers: Record<string, FakeAnswer | Error> = {}): ReturnType<typeof runDueDigests> {
      for (const [line, answer] of Object.entries(answers)) fixture.lines.set(line, answer);
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
export const nextPort = (port: string, eta: string): FakeAnswer => {
  const call = { port: port as Locode, probability: 0.8, eta: new Date(eta) };
  const id = String(cypress);
  return { comparison: { questions: [{ id, isList: false, rows: [{ id, imo: cypress, call }] }] } };
};

/** The answer of `portcalls NLRTM` with this many vessels. */
export const portCalls = (count: number): FakeAnswer => {
  const port = 'NLRTM' as Locode;
  const call = { port, probability: 0.8, eta: new Date('2026-12-25T08:00Z') };
  const rows = Array.from({ length: count }, (_, index) => ({
    id: String(index),
    imo: (cypress + index) as Imo, // only has to differ
    ...{ call, when: 'within' as const },
  }));
  return { comparison: { questions: [{ id: port, isList: true, rows }] } };
};
