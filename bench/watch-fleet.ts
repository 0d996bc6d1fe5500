// A watched fleet and a service with canned answers, for measuring a sweep of watches.
import { randomUUID } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Insertable, Kysely } from 'kysely';
import type { Prediction, PredictionsAnswer } from '../src/analytics/answers.ts';
import type { Schema } from '../src/database/schema.ts';
import { chooseRules } from '../src/features/rules/registry.ts';
import type { PollAnalytics } from '../src/features/watches/polling/poll.ts';
import type { Imo, Locode } from '../src/reference/codes.ts';

export interface FleetSize {
  watches: number;
  vessels: number;
  shiplists: number;
}

/** Watches follow the vessels in turn. Every hundredth watch follows a shiplist. */
export const fleetOf = (watches: number): FleetSize => ({
  watches,
  vessels: Math.ceil(watches / 5),
  shiplists: Math.ceil(watches / 500),
});

const vesselsPerList = 50;
const channels = 200;
const start = Date.parse('2026-11-21T00:00:00Z');
const ports = ['NLRTM', 'DEHAM', 'SGSIN', 'CNXAM', 'MAPTM', 'USLAX'];
const portAt = (index: number): Locode => (ports[index % ports.length] ?? '') as Locode; // all are well-formed
const shares = [0.7, 0.15, 0.1, 0.05];

export const hourOf = (hours: number): Date => new Date(start + hours * 3_600_000);

/** An invented number, without a valid check digit. */
export const imoAt = (index: number): Imo => (9_000_000 + index) as Imo; // seven digits

export interface CannedService {
  analytics: PollAnalytics;
  requests: number;
  /** How often each vessel's most probable port has changed. */
  portChanges: Map<number, number>;
  /** The domain clock. */
  now: Date;
  /** Called with every answer about a single vessel. */
  onAnswer: (imo: Imo) => void;
}

export function createCannedService(): CannedService {
  const predict = (imo: Imo): Prediction[] =>
    shares.map((probability, index) => ({
      imo,
      port: portAt(imo + index + (service.portChanges.get(imo) ?? 0)),
      probability,
      eta: new Date(start + (300 + (imo % 100)) * 3_600_000),
      etaZone: 'given',
    }));
  // As with a socket, the answer comes in a later turn of the event loop, so timers can run.
  const answer = async (predictions: Prediction[]): Promise<PredictionsAnswer> => {
    service.requests += 1;
    await yieldToEventLoop();
    return { predictions, fetchedAt: service.now, cached: false, droppedRecords: 0, scale: 'fraction' };
  };
  const service: CannedService = {
    requests: 0,
    portChanges: new Map(),
    now: hourOf(0),
    onAnswer: () => {},
    analytics: {
      vesselPredictions(imo) {
        service.onAnswer(imo);
        return answer(predict(imo));
      },
      shiplistNextPorts: (name) =>
        answer(
          Array.from({ length: vesselsPerList }, (_, index) =>
            predict(imoAt(50_000 + Number(name) * vesselsPerList + index)),
          ).flat(),
        ),
      portPredictions: () => answer([]),
    },
  };
  return service;
}

/** The workspace is T1. */
export async function seedFleet(db: Kysely<Schema>, { watches, vessels, shiplists }: FleetSize) {
  const owner = { workspaceId: 'T1', at: hourOf(0) };
  const subjects = [
    ...range(vessels).map((index) => subjectRow({ ...owner, kind: 'vessel', key: String(imoAt(index)) })),
    ...range(shiplists).map((index) => subjectRow({ ...owner, kind: 'shiplist', key: String(index) })),
  ];
  const rows = range(watches).map((index) =>
    watchRow({ ...owner, channelId: `C${index % channels}`, cardTs: `${index}.0` }),
  );
  const subjectOf = (index: number) => {
    const hundreds = Math.floor(index / 100);
    const isList = index % 100 === 99;
    return subjects[isList ? vessels + (hundreds % shiplists) : (index - hundreds) % vessels];
  };
  const workspace = { id: owner.workspaceId, name: 'Bench', created_at: owner.at };
  await db.insertInto('workspaces').values(workspace).execute();
  await insertFleet(db, {
    subjects,
    watches: rows,
    followings: rows.map((watch, index) => followingRow(watch, subjectOf(index))),
  });
}

type RowOf<Table extends keyof Schema> = Insertable<Schema[Table]>;

interface FleetRows {
  subjects: RowOf<'subjects'>[];
  watches: RowOf<'watches'>[];
  followings: RowOf<'followings'>[];
}

/** Writes the rows in bulk, since the watch store would take minutes. */
export async function insertFleet(db: Kysely<Schema>, rows: FleetRows): Promise<void> {
  for (const part of chunks(rows.subjects)) await db.insertInto('subjects').values(part).execute();
  for (const part of chunks(rows.watches)) await db.insertInto('watches').values(part).execute();
  for (const part of chunks(rows.followings)) await db.insertInto('followings').values(part).execute();
}

/** Due at `at`. */
export const subjectRow = (subject: {
  workspaceId: string;
  kind: 'vessel' | 'shiplist';
  key: string;
  at: Date;
}) => ({
  id: randomUUID(),
  workspace_id: subject.workspaceId,
  kind: subject.kind,
  key: subject.key,
  interval_minutes: 15,
  polled_at: null,
  failing_since: null,
  nearest_eta: null,
  open_calls: null,
  due_at: subject.at,
  lease_until: null,
  lease_token: null,
  attempts: 0,
});

const rules = JSON.stringify(chooseRules({}));

export const watchRow = (watch: { workspaceId: string; channelId: string; cardTs: string; at: Date }) => ({
  id: randomUUID(),
  workspace_id: watch.workspaceId,
  channel_id: watch.channelId,
  destination: 'channel',
  owner_id: 'U1',
  title: `watch ${watch.cardTs}`,
  rules,
  snooze: null,
  status: 'active',
  pause_reason: null,
  card_ts: watch.cardTs,
  created_at: watch.at,
});

export const followingRow = (
  watch: { id: string; workspace_id: string },
  subject: { id: string } | undefined,
) => ({
  workspace_id: watch.workspace_id,
  watch_id: watch.id,
  subject_id: subject?.id ?? '',
  state: null,
});

export const range = (length: number): number[] => Array.from({ length }, (_, index) => index);

const perInsert = 500;

function chunks<T>(rows: readonly T[]): T[][] {
  return range(Math.ceil(rows.length / perInsert)).map((index) =>
    rows.slice(index * perInsert, (index + 1) * perInsert),
  );
}
