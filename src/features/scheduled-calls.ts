/** What watches poll, for the usage of the bot. */
export interface PolledSubject {
  /** As its requests are counted: `vessel 9811000`. */
  key: string;
  /** Plain text: `EVER GIVEN`, `list FEEDERS`, `port Rotterdam (NLRTM)`. */
  name: string;
  /** The channel of each watch that follows it; null for a personal watch. */
  watchedIn: readonly (string | null)[];
  /** Expected, with the ETA that it has now. */
  callsPerDay: number;
}

export interface WatchedSubject extends PolledSubject {
  /** The watches that follow it, paused ones too. */
  watchIds: readonly string[];
  /** One of them is active. */
  isActive: boolean;
}

export interface PolledSubjects {
  subjects: readonly PolledSubject[];
  /** Requests that all of them need per day at their present intervals. */
  plannedCalls: number;
  /** The budget of requests per day; undefined if there is none, or the interval is fixed. */
  dailyCalls: number | undefined;
}

export interface WatchedSubjects extends PolledSubjects {
  subjects: readonly WatchedSubject[];
}

/** The runs of a digest by its schedule. */
export interface DigestRuns {
  id: string;
  /** Plain text. */
  title: string;
  /** Null for a personal digest. */
  channelId: string | null;
  /** Since `from`, or since it was created. */
  past: number;
  /** Until `until`; 0 for one that is paused or removed. */
  left: number;
  /** Requests, if none of its answers is cached. */
  callsPerRun: number;
}

/** The requests of one run: as many as the runs of this month took, which have been counted by the digest's id. */
export const callsPerRun = (
  { id, past, callsPerRun: planned }: DigestRuns,
  counted: ReadonlyMap<string, number>,
): number => (past > 0 ? (counted.get(id) ?? 0) / past : planned);
