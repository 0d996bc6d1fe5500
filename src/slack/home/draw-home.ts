import type { KnownBlock } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import { privateReader, type RunContext } from '../../features/run-context.ts';
import { workingNotice } from '../../messages/frame/notices.ts';
import { limits } from '../../messages/limits.ts';
import type { Message, Reader } from '../../messages/message.ts';
import type { Dispatch } from '../dispatch/dispatch.ts';
import type { WorkspaceEdge } from '../dispatch/workspace-edge.ts';
import { viewBlocks } from '../forms/modal-view.ts';
import { formatPlace, type HomePlace, homeTroubleView, homeView } from './home-view.ts';
import { readHome } from './read-home.ts';

export interface DrawHomeOptions {
  dispatch: Dispatch;
  workspace: Pick<WorkspaceEdge, 'all' | 'now' | 'source'>;
  client: WebClient;
  realNow: () => number;
}

interface Drawing {
  userId: string;
  place: HomePlace;
  /** The result of the person's last action. */
  notice?: Message;
}

interface DrawHome {
  draw(drawing: Drawing): Promise<void>;
  refresh(userId: string): Promise<void>;
}

/** Publishes the Home tab, or the error that prevents it. One at a time per person; the newest drawing stays. */
export function createDrawHome({ dispatch, workspace, client, realNow }: DrawHomeOptions): DrawHome {
  const sections = workspace.all.flatMap(({ home }) => home ?? []);
  const footerFor = (reader: Reader) => workspace.all.flatMap(({ homeFooter }) => homeFooter?.(reader) ?? []);
  const opened = new LRUCache<string, HomePlace>({
    max: 2_000,
    ttl: 3_600_000,
    ttlResolution: 0,
    perf: { now: realNow },
  });
  const drawing = new Map<string, Promise<void>>();
  /** The next drawing per person. Only the last of many is drawn, since Slack limits how often it may be. */
  const waiting = new Map<string, { wanted: Drawing; drawn: Promise<void> }>();

  async function publish(userId: string, place: HomePlace, blocks: KnownBlock[]): Promise<void> {
    opened.set(userId, place);
    const shown = blocks.slice(0, limits.viewBlocks);
    const view = { type: 'home' as const, private_metadata: formatPlace(place), blocks: shown };
    await client.views.publish({ user_id: userId, view });
  }

  async function drawNow({ userId, place, notice }: Drawing): Promise<void> {
    const action = {
      name: `home ${place.section}`,
      repeatable: true,
      async run(context: RunContext) {
        const answer = await readHome(place, sections, context);
        const reader = privateReader(context);
        const said = notice ? viewBlocks(notice) : [];
        await publish(
          userId,
          answer.place,
          homeView(answer, { notice: said, footer: footerFor(reader), reader }),
        );
        return undefined;
      },
    };
    const decline = (message: Message) => publish(userId, place, viewBlocks(message));
    const failure = (message: Message) => {
      const said = [notice, message].flatMap((one) => (one ? viewBlocks(one) : []));
      const { now, source } = workspace;
      const reader: Reader = { now: now(), zone: 'UTC', source, audience: 'private' };
      return publish(userId, place, homeTroubleView(said, place, footerFor(reader)));
    };
    await dispatch(
      {
        surface: 'home',
        line: action,
        userId,
        channelId: userId,
        destination: 'response',
        home: 'unsaid' as const,
        visibility: 'private',
      },
      { working: async () => undefined, answer: async () => undefined, failure, decline },
    );
  }

  function begin(wanted: Drawing): Promise<void> {
    const mine = drawNow(wanted);
    const ended = mine
      .catch(() => undefined)
      .then(() => {
        if (drawing.get(wanted.userId) === ended) drawing.delete(wanted.userId);
      });
    drawing.set(wanted.userId, ended);
    return mine;
  }

  function draw(wanted: Drawing): Promise<void> {
    const { userId } = wanted;
    const next = waiting.get(userId);
    if (next) {
      next.wanted = newer(next.wanted, wanted);
      return next.drawn;
    }
    const before = drawing.get(userId);
    if (!before) return begin(wanted);
    const drawn: Promise<void> = before.then(() => {
      waiting.delete(userId);
      return begin(mine.wanted);
    });
    const mine = { wanted, drawn };
    waiting.set(userId, mine);
    return drawn;
  }

  return {
    draw,
    async refresh(userId) {
      const place = opened.get(userId);
      // A failure is in the log, and the next change draws it again.
      if (place) await draw({ userId, place }).catch(() => undefined);
    },
  };
}

/** A notice that has not been shown yet stays. */
function newer(before: Drawing, wanted: Drawing): Drawing {
  const notice = wanted.notice ?? (before.notice === workingNotice ? undefined : before.notice);
  return { ...wanted, ...(notice && { notice }) };
}
