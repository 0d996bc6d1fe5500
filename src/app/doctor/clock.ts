import { sql } from 'kysely';
import type { Config } from '../../config/config.ts';
import { connectTool } from '../../database/connect.ts';
import { silentLogger } from '../../log.ts';
import { answerWithinMs, type Finding, fail, pass, type Section, warn } from './finding.ts';

const warnBeyondMs = 60_000;
/** Bolt refuses a delivery whose signature is older than this. */
const refuseBeyondMs = 5 * 60_000;

const setClock =
  'Let the system set the clock: timedatectl set-ntp true, or the settings of your container host.';

interface Clock {
  /** As in “Slack's”. */
  whose: string;
  /** Unix milliseconds; undefined if it doesn't say. */
  read(): Promise<number | undefined>;
}

/** Compares this machine's clock with those of Slack, the service and PostgreSQL. */
export const checkClock: Section = async ({ config, realNow }) => {
  const clocks = clocksOf(config);
  if (clocks.length === 0)
    return [pass('No other clock to compare with: Slack and the service are embedded')];
  const findings = await Promise.all(clocks.map((clock) => compare(clock, realNow)));
  const found = findings.filter((finding) => finding !== undefined);
  if (found.length > 0) return found;
  return [
    warn('Nothing answered with its time, so the clock could not be compared', 'See the sections above.'),
  ];
};

function clocksOf({ slack, analytics, databaseUrl: url }: Config): Clock[] {
  const clocks: Clock[] = [];
  if (slack !== 'playground')
    clocks.push({ whose: "Slack's", read: () => readDate(`${slack.apiUrl}api.test`) });
  if (analytics !== undefined && analytics !== 'sandbox')
    clocks.push({ whose: "the service's", read: () => readDate(analytics.baseUrl) });
  if (url !== undefined) clocks.push({ whose: "the database's", read: () => readDatabase(url) });
  return clocks;
}

/** Undefined if that clock can't be read: another section has said why. */
async function compare({ whose, read }: Clock, realNow: () => number): Promise<Finding | undefined> {
  const before = realNow();
  const theirs = await read().catch(() => undefined);
  if (theirs === undefined) return undefined;
  const aheadMs = (before + realNow()) / 2 - theirs;
  const byMs = Math.abs(aheadMs);
  if (byMs <= warnBeyondMs) return pass(`This machine's clock agrees with ${whose}`);
  const text = `This machine's clock is ${inMinutes(byMs)} ${aheadMs > 0 ? 'ahead of' : 'behind'} ${whose}`;
  return byMs > refuseBeyondMs && whose === "Slack's"
    ? fail(`${text}: deliveries over HTTP are refused beyond 5 minutes`, setClock)
    : byMs > refuseBeyondMs
      ? fail(text, setClock)
      : warn(text, setClock);
}

const inMinutes = (ms: number): string => {
  const minutes = Math.round(ms / 60_000);
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
};

/** The header has whole seconds, cut off. Any answer has one, also a refusal. */
async function readDate(url: string): Promise<number | undefined> {
  const response = await fetch(url, {
    method: 'HEAD',
    redirect: 'manual',
    signal: AbortSignal.timeout(answerWithinMs),
  });
  const date = Date.parse(response.headers.get('date') ?? '');
  return Number.isNaN(date) ? undefined : date + 500;
}

async function readDatabase(url: string): Promise<number | undefined> {
  const { db, close } = await connectTool({ url, logger: silentLogger }, { isReadOnly: true });
  try {
    const { rows } = await sql<{ ms: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(db);
    return rows[0]?.ms;
  } finally {
    await close();
  }
}
