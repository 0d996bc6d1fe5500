import { ApiError } from '../blocks/content.ts';
import { randomId } from '../ids.ts';

/** An action that the app may answer with a view: who did it, and where. */
interface Trigger {
  userId: string;
  channelId?: string;
  /** The view in which it happened, onto which another can be pushed. */
  viewId?: string;
}

export type Triggers = ReturnType<typeof createTriggers>;

const LIFETIME_MS = 3000;
const MAX_OPEN = 1000;

export function createTriggers(options: { teamId: string; now: () => number }) {
  const open = new Map<string, { trigger: Trigger; expiresAt: number; used: boolean }>();
  return {
    /** Creates a `trigger_id` with this prefix. */
    open(prefix: string, trigger: Trigger): string {
      const id = `${prefix}.${options.teamId}.${randomId('', 12)}`;
      open.set(id, { trigger, expiresAt: options.now() + LIFETIME_MS, used: false });
      const oldest = open.size > MAX_OPEN ? open.keys().next().value : undefined;
      if (oldest) open.delete(oldest);
      return id;
    },
    /** Works once, within 3 s. Throws ApiError with Slack's error codes. */
    exchange(id: unknown): Trigger {
      const entry = typeof id === 'string' ? open.get(id) : undefined;
      if (!entry) throw new ApiError('invalid_trigger_id');
      if (entry.used) throw new ApiError('exchanged_trigger_id');
      if (entry.expiresAt < options.now()) throw new ApiError('expired_trigger_id');
      entry.used = true;
      return entry.trigger;
    },
  };
}
