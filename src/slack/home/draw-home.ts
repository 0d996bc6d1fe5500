import type { KnownBlock } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { createCache } from '../../cache.ts';
import { createFairQueue, type FairQueue } from '../../fair-queue.ts';
import type { HomeSection } from '../../features/feature.ts';
import { privateReader, type RunContext } from '../../features/run-context.ts';
import { workingNotice } from '../../messages/frame/notices.ts';
import { limits } from '../../messages/limits.ts';
import type { Message, Reader } from '../../messages/message.ts';
import type { Dispatch } from '../dispatch/dispatch.ts';
import type { WorkspaceEdge } from '../dispatch/workspace-edge.ts';
import { viewBlocks } from '../forms/modal-view.ts';
import { formatPlace, type HomePlace, homeRowsPerPage, homeTroubleView, homeView } from './home-view.ts';

interface DrawHomeOptions {
  dispatch: Dispatch;
  workspace: Pick<WorkspaceEdge, 'all' | 'ctx' | 'now' | 'source'>;
  client: WebClient;
  realNow: () => number;
}

interface Drawing {
  userId: string;
  place: HomePlace;
  /** The result of the person's last action. */
  notice?: Message;
}

/** Of one person. Slack limits how often a tab may be drawn, so only the last of many drawings is drawn. */
interface Tab {
  turns: FairQueue;
  waiting?: { next: Drawing; drawn: Promise<void> };
}

/** Publishes the Home tab; if that fails, the error. */
export function createDrawHome({ dispatch, workspace, client, realNow }: DrawHomeOptions) {
  const sections = workspace.all.flatMap(({ home }) => home ?? []);
  const { ctx } = workspace;
  const footerFor = (reader: Reader) =>
    workspace.all.flatMap(({ homeFooter }) => homeFooter?.(reader, ctx) ?? []);
  const readPart = async (part: 'homeTop' | 'homeBottom', context: RunContext) =>
    (await Promise.all(workspace.all.map((feature) => feature[part]?.(context) ?? []))).flat();
  const questionsWait = async () =>
    (await Promise.all(workspace.all.map((feature) => feature.questionsWait?.(ctx) ?? false))).includes(true);
  /** The place shown to each person who opened the tab within the last hour. */
  const shownPlaces = createCache<HomePlace>({ ttlMs: 3_600_000, realNow });
  const tabs = createCache<Tab>({});

  async function publish(userId: string, place: HomePlace, blocks: KnownBlock[]): Promise<void> {
    shownPlaces.set(userId, place);
    const shown = blocks.slice(0, limits.viewBlocks);
    const view = { type: 'home' as const, private_metadata: formatPlace(place), blocks: shown };
    await client.views.publish({ user_id: userId, view });
  }

  async function drawNow({ userId, place, notice }: Drawing): Promise<void> {
    const noticeBlocks = notice ? viewBlocks(notice) : [];
    const line = {
      name: `home ${place.section}`,
      repeatable: true,
      async run(context: RunContext) {
        let answer = await readHome(place, sections, context);
        // Rows may have gone since the button was drawn.
        while (answer.place.page > answer.lastPage)
          answer = await readHome({ ...place, page: answer.lastPage }, sections, context);
        const reader = privateReader(context);
        const top = await readPart('homeTop', context);
        const footer = [...(await readPart('homeBottom', context)), ...footerFor(reader)];
        const canAsk = !(await questionsWait());
        const blocks = homeView(answer, { notice: noticeBlocks, top, footer, canAsk, reader });
        await publish(userId, answer.place, blocks);
        return undefined;
      },
    };
    const nothing = async () => undefined;
    const user = { id: userId, teamId: undefined };
    await dispatch(
      { surface: 'home', line, user, channelId: userId },
      {
        working: nothing,
        answer: nothing,
        failure(message) {
          const { now, source } = workspace;
          const reader: Reader = { now: now(), zone: 'UTC', source, audience: 'private' };
          const trouble = [...noticeBlocks, ...viewBlocks(message)];
          return publish(userId, place, homeTroubleView(trouble, place, footerFor(reader)));
        },
        decline: (message) => publish(userId, place, viewBlocks(message)),
      },
    );
  }

  /** Draws once at a time per person. Of the drawings that wait, only the newest is drawn. */
  function draw(drawing: Drawing): Promise<void> {
    const { userId } = drawing;
    const tab: Tab = tabs.get(userId) ?? { turns: createFairQueue({ max: () => 1 }) };
    tabs.set(userId, tab);
    if (tab.turns.taken() === 0) return tab.turns.run(() => drawNow(drawing));
    if (tab.waiting) {
      tab.waiting.next = withUnshownNotice(drawing, tab.waiting.next);
      return tab.waiting.drawn;
    }
    const drawn: Promise<void> = tab.turns.run(() => {
      delete tab.waiting;
      return drawNow(waiting.next);
    });
    const waiting = { next: drawing, drawn };
    tab.waiting = waiting;
    return drawn;
  }

  return {
    draw,
    /** Draws the tab again for a person who has opened it within the last hour. */
    async refresh(userId: string): Promise<void> {
      const place = shownPlaces.get(userId);
      // A failure is in the log, and the next change draws the tab again.
      if (place) await draw({ userId, place }).catch(() => undefined);
    },
  };
}

/** Adds the notice of the former drawing, which was never drawn, unless it is “Working on it …”. */
function withUnshownNotice(drawing: Drawing, former: Drawing): Drawing {
  const notice = drawing.notice ?? (former.notice === workingNotice ? undefined : former.notice);
  return { ...drawing, ...(notice && { notice }) };
}

/** Reads the Home tab from the store alone, without a request to the service. */
async function readHome(place: HomePlace, sections: readonly HomeSection[], context: RunContext) {
  const { scope } = place;
  const read = await Promise.all(
    sections.map(async (section) => {
      const isShown = section.name === place.section;
      const rows = isShown
        ? { limit: homeRowsPerPage, offset: (place.page - 1) * homeRowsPerPage }
        : { limit: 1, offset: 0 };
      return { section, page: await section.read({ scope, ...rows }, context) };
    }),
  );
  const shown = read.find(({ section }) => section.name === place.section);
  const lastPage = Math.max(1, Math.ceil((shown?.page.total ?? 0) / homeRowsPerPage));
  return { place, lastPage, sections: read };
}
