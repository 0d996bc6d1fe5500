import type { KnownBlock } from '@slack/types';
import { limits } from '../../answers/limits.ts';
import type { Message, Reader } from '../../answers/message.ts';
import { workingNotice } from '../../answers/slack/notices.ts';
import { createCache } from '../../cache.ts';
import { createFairQueue, type FairQueue } from '../../fair-queue.ts';
import { type AskCtx, privateReader } from '../../features/ctx.ts';
import type { StateKey } from '../../features/services.ts';
import type { SlackContext } from '../context.ts';
import { noReplies } from '../dispatch/ask.ts';
import { dispatch } from '../dispatch/dispatch.ts';
import { viewBlocks } from '../forms/modal-view.ts';
import {
  formatPlace,
  type HomePlace,
  homeRowsPerPage,
  homeSections,
  homeTroubleView,
  homeView,
} from './home-view.ts';

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

const tabsKey: StateKey<ReturnType<typeof createTabs>> = { name: 'Home tabs' };

const createTabs = ({ realNow }: SlackContext) => ({
  tabs: createCache<Tab>({}),
  /** The place shown to each person who opened the tab within the last hour. */
  shownPlaces: createCache<HomePlace>({ ttlMs: 3_600_000, realNow }),
});

const tabsOf = (slack: SlackContext) => slack.ctx.services.state(tabsKey, () => createTabs(slack));

/** Draws the tab again for people who have opened it within the last hour. */
export function refreshHomes(userIds: readonly string[], slack: SlackContext): void {
  for (const userId of new Set(userIds)) {
    const place = tabsOf(slack).shownPlaces.get(userId);
    // A failure is in the log, and the next change draws the tab again.
    if (place) void slack.inFlight.track(drawHome({ userId, place }, slack).catch(() => undefined));
  }
}

/**
 * Publishes the Home tab; if that fails, the error. One drawing at a time per person: of those that wait, only the newest is
 * drawn.
 */
export function drawHome(drawing: Drawing, slack: SlackContext): Promise<void> {
  const { tabs } = tabsOf(slack);
  const { userId } = drawing;
  const tab: Tab = tabs.get(userId) ?? { turns: createFairQueue({ max: () => 1 }) };
  tabs.set(userId, tab);
  if (tab.turns.taken() === 0) return tab.turns.run(() => drawNow(drawing, slack));
  if (tab.waiting) {
    tab.waiting.next = withUnshownNotice(drawing, tab.waiting.next);
    return tab.waiting.drawn;
  }
  const drawn: Promise<void> = tab.turns.run(() => {
    delete tab.waiting;
    return drawNow(waiting.next, slack);
  });
  const waiting = { next: drawing, drawn };
  tab.waiting = waiting;
  return drawn;
}

async function drawNow({ userId, place, notice }: Drawing, slack: SlackContext): Promise<void> {
  const { features, ctx } = slack;
  const noticeBlocks = notice ? viewBlocks(notice) : [];
  const footerFor = (reader: Reader) => features.flatMap(({ homeFooter }) => homeFooter?.(reader, ctx) ?? []);
  const readPart = async (part: 'homeTop' | 'homeBottom', context: AskCtx) =>
    (await Promise.all(features.map((feature) => feature[part]?.(context) ?? []))).flat();
  const publish = async (place: HomePlace, blocks: KnownBlock[]) => {
    tabsOf(slack).shownPlaces.set(userId, place);
    const shown = blocks.slice(0, limits.viewBlocks);
    const view = { type: 'home' as const, private_metadata: formatPlace(place), blocks: shown };
    await slack.clients.posts.views.publish({ user_id: userId, view });
  };
  const line = {
    name: `home ${place.section}`,
    repeatable: true,
    async run(context: AskCtx) {
      let answer = await readHome(place, context, slack);
      // Rows may have gone since the button was drawn.
      while (answer.place.page > answer.lastPage)
        answer = await readHome({ ...place, page: answer.lastPage }, context, slack);
      const reader = privateReader(context);
      const top = await readPart('homeTop', context);
      const footer = [...(await readPart('homeBottom', context)), ...footerFor(reader)];
      const waits = await Promise.all(features.map((feature) => feature.questionsWait?.(ctx) ?? false));
      const canAsk = !waits.includes(true);
      await publish(answer.place, homeView(answer, { notice: noticeBlocks, top, footer, canAsk, reader }));
      return undefined;
    },
  };
  const user = { id: userId, teamId: undefined };
  await dispatch(
    { surface: 'home', line, user, channelId: userId },
    {
      ...noReplies,
      failure(message) {
        const { now, source } = ctx.services;
        const reader: Reader = { now: now(), zone: 'UTC', source, audience: 'private' };
        const trouble = [...noticeBlocks, ...viewBlocks(message)];
        return publish(place, homeTroubleView(trouble, place, footerFor(reader)));
      },
      decline: (message) => publish(place, viewBlocks(message)),
    },
    slack,
  );
}

/** Adds the notice of the former drawing, which was never drawn, unless it is “Working on it …”. */
function withUnshownNotice(drawing: Drawing, former: Drawing): Drawing {
  const notice = drawing.notice ?? (former.notice === workingNotice ? undefined : former.notice);
  return { ...drawing, ...(notice && { notice }) };
}

/** Reads the Home tab from the store alone, without a request to the service. */
async function readHome(place: HomePlace, context: AskCtx, { features }: SlackContext) {
  const { scope } = place;
  const read = await Promise.all(
    homeSections(features).map(async (section) => {
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
