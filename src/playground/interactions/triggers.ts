import { ApiError } from '../blocks/content.ts';
import { randomId } from '../ids.ts';

/** Who did something that the app may answer with a view, and where. */
export interface Trigger {
  userId: string;
  channelId?: string;
  /** The view it was done in, from which another may be pushed. */
  viewId?: string;
}

export interface Triggers {
  /** A `trigger_id` that begins with `unique`. */
  open(unique: string, trigger: Trigger): string;
  /** Once, within 3 s. Throws ApiError as Slack names it. */
  exchange(id: unknown): Trigger;
}

const LIFETIME_MS = 3000;
const KEPT = 1000;

export function createTriggers(options: { teamId: string; now: () => number }): Triggers {
  const open = new Map<string, { trigger: Trigger; until: number; used: boolean }>();
  return {
    open(unique, trigger) {
      const id = `${unique}.${options.teamId}.${randomId('', 12)}`;
      open.set(id, { trigger, until: options.now() + LIFETIME_MS, used: false });
      const oldest = open.size > KEPT ? open.keys().next().value : undefined;
      if (oldest) open.delete(oldest);
      return id;
    },
    exchange(id) {
      const entry = typeof id === 'string' ? open.get(id) : undefined;
      if (!entry) throw new ApiError('invalid_trigger_id');
      if (entry.used) throw new ApiError('exchanged_trigger_id');
      if (entry.until < options.now()) throw new ApiError('expired_trigger_id');
      entry.used = true;
      return entry.trigger;
    },
  };
}
