import { hash } from 'node:crypto';
import { createCache } from '../../cache.ts';
import { UserError } from '../../errors.ts';
import type { ParsedLine } from '../../features/command.ts';
import type { BoundAction } from '../../features/feature.ts';
import type { Privacy } from '../../features/line.ts';
import type { Place, RunContext } from '../../features/run-context.ts';
import type { Logger } from '../../log.ts';
import { withoutShare } from '../../messages/frame/answer-actions.ts';
import {
  refreshedNote,
  understoodNote,
  utcNote,
  withNote,
  withSharer,
} from '../../messages/frame/small-print.ts';
import type { Message, Reader } from '../../messages/message.ts';
import type { Person } from '../../workspaces/person.ts';
import type { Visibility } from '../../workspaces/settings.ts';
import type { Lookups } from '../people/lookups.ts';
import { type Ask, audienceAround, destinationOf, isOwnDirectMessage } from './ask.ts';
import { createParseInThread } from './parse-in-thread.ts';
import type { WorkspaceEdge } from './workspace-edge.ts';

/** A parsed line or an action, ready to run. */
export interface Work extends BoundAction {
  /** The command line, for a button that runs it again. */
  line?: string;
  /** Set if the line ends in `public` or `private`. */
  visibility?: Visibility;
  privacy?: Privacy;
  /** The line, if a plain question was typed. */
  understoodAs?: string;
}

/** Work whose answer is the message to show. */
export interface Shown extends Omit<Work, 'run'> {
  run(context: RunContext): Promise<Message | undefined>;
}

interface ShownTo {
  person: Person;
  /** Decided when the work is known. */
  visibility(): Visibility;
}

/** Turns a request into work. */
export function createWorker(options: {
  workspace: WorkspaceEdge;
  lookups: Lookups;
  isAgent: boolean;
  realNow: () => number;
  logger: Logger;
}) {
  const { workspace, lookups, realNow } = options;
  const parseInThread = createParseInThread(options);
  const refreshes = createRefreshes({ realNow });
  return { prepare };

  async function placeOf(ask: Ask, visibility: Visibility): Promise<Place> {
    const { surface, channelId, threadTs } = ask;
    const destination = destinationOf(ask);
    const mayHaveLeft = surface === 'form' && destination === 'channel';
    const isShared =
      destination === 'direct-message' &&
      visibility === 'public' &&
      !(await isOwnDirectMessage(ask, lookups));
    return { channelId, destination, mayHaveLeft, isShared, ...(threadTs !== undefined && { threadTs }) };
  }

  /** Throws UserError for a line that can't be parsed, or that a button must not run. */
  async function prepare(
    { line, ...ask }: Ask,
    { vessels, ...shownTo }: { vessels: RunContext['vessels'] } & ShownTo,
  ): Promise<Shown> {
    if (typeof line !== 'string') return shown(line, { line, ...ask }, shownTo);
    const parsed = await parseInThread(line, ask, vessels);
    checkRepeatable(ask.surface, parsed);
    return shown({ name: parsed.line, ...parsed }, { line, ...ask }, shownTo);
  }

  /** The same with its answer as the message to show; undefined if the work has no answer. */
  function shown(work: Work, ask: Ask, { person, ...shownTo }: ShownTo): Shown {
    return {
      ...work,
      async run(context) {
        const visibility = shownTo.visibility();
        const refresh = ask.surface === 'refresh' ? refreshes.claim(work.name) : undefined;
        const isSeen = isSeenByAll({ ...ask, visibility }, lookups);
        try {
          const audience = visibility === 'public' ? await audienceAround(ask, lookups) : 'private';
          const answered = await work.run({
            ...context,
            audience,
            place: await placeOf(ask, visibility),
            ...(ask.key !== undefined && { idempotencyKey: hashOf(workspace.workspaceId, ask.key) }),
            fresh: refresh?.granted ?? false,
            ...(ask.allowsOutsidersIn !== undefined && { allowsOutsidersIn: ask.allowsOutsidersIn }),
          });
          if (!answered) return undefined;
          const view = answered.view(readerOf(person, audience, workspace));
          const answer =
            work.understoodAs === undefined ? view : withNote(view, understoodNote(work.understoodAs));
          const seen = (await isSeen) ? withoutShare(answer) : answer;
          const message =
            person.zone === undefined && work.line !== undefined ? withNote(seen, utcNote) : seen;
          if (ask.surface === 'share') return withSharer(message, person.name);
          return refresh && !refresh.granted ? withNote(message, refreshedNote(refresh.agoMs)) : message;
        } catch (error) {
          if (refresh?.granted) refreshes.release(work.name);
          throw error;
        }
      },
    };
  }
}

/** Refresh and Share run a line again, so an old or forged button must not change anything through them. */
export function checkRepeatable(surface: Ask['surface'], { line, repeatable }: ParsedLine): void {
  if (repeatable || (surface !== 'refresh' && surface !== 'share')) return;
  throw new UserError({
    code: 'not-allowed',
    message: `This can't be ${surface === 'share' ? 'shared' : 'refreshed'}, so nothing was done.`,
    hint: 'Type it after a slash instead.',
    example: line,
  });
}

/** True if everybody has seen the answer, and Share has no use. */
async function isSeenByAll(ask: Ask, lookups: Lookups): Promise<boolean> {
  return ask.visibility === 'public' ? !ask.inThread : await isOwnDirectMessage(ask, lookups);
}

export function readerOf(person: Person, audience: Reader['audience'], edge: WorkspaceEdge): Reader {
  return { now: edge.now(), zone: person.zone ?? 'UTC', source: edge.source, audience };
}

/** The same id for the same words, in every process. */
function hashOf(...words: readonly string[]): string {
  const digest = hash('sha256', JSON.stringify(words));
  return digest.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Limits how often a line may ask the service again. */
export function createRefreshes({ realNow }: { realNow: () => number }) {
  const claimedAt = createCache<number>({ ttlMs: 60_000, realNow });
  return {
    /** Grants one refresh of a line per minute, to all people together. `agoMs`: the time since the last refresh. */
    claim(line: string): { granted: true } | { granted: false; agoMs: number } {
      const at = claimedAt.get(line);
      if (at !== undefined) return { granted: false, agoMs: realNow() - at };
      claimedAt.set(line, realNow());
      return { granted: true };
    },
    /** After a failed refresh the next one need not wait. */
    release: (line: string) => void claimedAt.delete(line),
  };
}
