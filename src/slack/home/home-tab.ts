import type { App } from '@slack/bolt';
import type { Button, KnownBlock } from '@slack/types';
import type { HomePart } from '../../answers/answer.ts';
import { uncapitalised } from '../../answers/formatting/words.ts';
import { limits, type Message, pageNumbers, type Reader } from '../../answers/message.ts';
import { inventedNotes, shownNote } from '../../answers/slack/answer-message.ts';
import {
  actionIds,
  actions,
  button,
  formActionId,
  goToPattern,
  homeGoTo,
  primary,
} from '../../answers/slack/blocks.ts';
import { workingNotice } from '../../answers/slack/notices.ts';
import { homeBlocks } from '../../answers/slack/render.ts';
import { joined, type Text } from '../../answers/text.ts';
import { createCache } from '../../cache.ts';
import { messageOf, ownLines } from '../../errors.ts';
import { createFairQueue, type FairQueue } from '../../fair-queue.ts';
import { type AskCtx, type CommandHelp, exampleTaking, privateReader } from '../../features/ctx.ts';
import type { Feature, HomePage, HomePageRequest, HomeSection, Prompt } from '../../features/feature.ts';
import type { StateKey } from '../../features/services.ts';
import { actionOf, buttonClickOf, type Click } from '../buttons/action-of.ts';
import { blocksWithoutChanges } from '../buttons/without-changes.ts';
import { runOnce, type SlackContext, slackFor } from '../context.ts';
import { dispatch, noReplies } from '../dispatch.ts';
import { viewBlocks } from '../forms/open-form.ts';

/** The Home tab, drawn when it is opened and after each action there; and the prompts of the Messages tab. */
export function listenToHomeTab(app: App): void {
  app.event('app_home_opened', async ({ event, body, context }) => {
    const slack = slackFor(context);
    const { user: userId, channel: channelId, tab, view } = event;
    if (tab === 'messages' && slack.isAgent)
      await runOnce(`prompts ${body.event_id}`, () => suggestPrompts({ userId, channelId }, slack), slack);
    if (tab !== 'home') return;
    const place = readPlace(view?.private_metadata ?? '', slack.features);
    await runOnce(`home ${body.event_id}`, () => drawHome({ userId, place }, slack), slack);
  });
}

export async function pressOnHome(
  click: Click,
  { private_metadata }: { private_metadata: string },
  slack: SlackContext,
): Promise<void> {
  const { id, value, user } = click;
  const userId = user.id;
  if (goToPattern.test(id)) return drawHome({ userId, place: readPlace(value, slack.features) }, slack);
  const place = readPlace(private_metadata, slack.features);
  let notice: Message | undefined;
  const setNotice = async (message: Message) => {
    notice = message;
  };
  let showsWorking = false;
  const working = () => {
    showsWorking = true;
    return drawHome({ userId, place, notice: workingNotice }, slack);
  };
  const clicked = buttonClickOf(click, userId);
  const surface = id === actionIds.refresh ? 'refresh' : 'home';
  const line = actionOf(clicked, slack) ?? clicked.value;
  const replies = { working, answer: setNotice, failure: setNotice };
  const { allowsOutsidersIn } = clicked;
  await dispatch({ surface, line, user, channelId: userId, allowsOutsidersIn }, replies, slack);
  // Opening a form gives no answer: the tab stays as it is.
  if (notice || showsWorking) await drawHome({ userId, place, ...(notice && { notice }) }, slack);
  await slack.runDue();
}

/** Slack shows no more. */
const maxPrompts = 4;

/**
 * Puts suggestions above a person's direct message with the bot. Slack takes them only from an agent; without them, it shows
 * those of the manifest.
 */
async function suggestPrompts(
  { userId, channelId }: { userId: string; channelId: string },
  slack: SlackContext,
): Promise<void> {
  const line = {
    name: 'prompts',
    repeatable: true,
    async run(context: AskCtx) {
      const prompts = await promptsFor(slack.features, context);
      await slack.clients.reads.assistant.threads
        .setSuggestedPrompts({
          channel_id: channelId,
          prompts: prompts.map(({ title, line }) => ({ title, message: line })),
        })
        .catch((error) => slack.logger.warn({ reason: messageOf(error) }, 'Slack took no suggested prompts'));
      return undefined;
    },
  };
  const user = { id: userId, teamId: undefined };
  await dispatch({ surface: 'home', line, user, channelId: userId }, noReplies, slack);
}

/** The person's own first, then those that show other commands. */
async function promptsFor(features: readonly Feature[], context: AskCtx): Promise<Prompt[]> {
  const own = (await Promise.all(features.map((feature) => feature.ownPrompts?.(context) ?? []))).flat();
  const others = generalPrompts(features).filter(
    ({ line }) => !own.some((prompt) => commandOf(prompt.line) === commandOf(line)),
  );
  return [...own, ...others].slice(0, maxPrompts);
}

const commandOf = (line: string): string => line.replace(/ .*/, '');

export const generalPrompts = (features: readonly Feature[]): Prompt[] =>
  features.flatMap(({ prompts = [] }) => prompts).slice(0, maxPrompts);

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
  const publish = async (place: HomePlace, blocks: KnownBlock[]) => {
    tabsOf(slack).shownPlaces.set(userId, place);
    const shown = blocks.slice(0, limits.viewBlocks);
    const view = { type: 'home' as const, private_metadata: formatPlace(place), blocks: shown };
    await slack.clients.posts.views.publish({ user_id: userId, view });
  };
  const user = { id: userId, teamId: undefined };
  const line = {
    name: `home ${place.section}`,
    repeatable: true,
    async run(context: AskCtx) {
      let answer = await readHome(place, context, slack);
      // Rows may have gone since the button was drawn.
      while (answer.place.page > answer.lastPage)
        answer = await readHome({ ...place, page: answer.lastPage }, context, slack);
      const reader = privateReader(context);
      const top = await Promise.all(features.map(({ homeTop }) => homeTop?.(context) ?? []));
      const bottom = await Promise.all(features.map(({ homeBottom }) => homeBottom?.(context) ?? []));
      const footer = [...bottom.flat(), ...footerFor(reader)];
      const waits = await Promise.all(features.map((feature) => feature.questionsWait?.(ctx) ?? false));
      const canAsk = !waits.includes(true);
      const around = { notice: noticeBlocks, top: top.flat(), footer, canAsk };
      const blocks = homeView(answer, around, { reader, ...ctx.registry });
      // Without its buttons, the part above the first divider can be empty.
      const isEmptyTop = (block: KnownBlock, index: number) => index === 0 && block.type === 'divider';
      const known = { user, channelId: userId, vessels: await ctx.registry.vessels(ctx), slack };
      const left = context.actor.asksOnly ? blocksWithoutChanges(blocks, known) : blocks;
      await publish(
        answer.place,
        left.filter((block, index) => !isEmptyTop(block, index)),
      );
      return undefined;
    },
  };
  await dispatch(
    { surface: 'home', line, user, channelId: userId },
    {
      ...noReplies,
      failure(message) {
        const { now, source } = ctx.services;
        const reader: Reader = { now: now(), zone: 'UTC', source, audience: 'private' };
        const trouble = [...noticeBlocks, ...viewBlocks(message)];
        const footer = drawFooter(footerFor(reader), { reader, ...ctx.registry });
        const again = actions([goTo(place, 'Try again')]);
        return publish(place, [...trouble, ...again, divider, ...footer]);
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

/** What a person's Home tab shows. Stored in the values of its buttons. */
export interface HomePlace {
  /** The name of the section shown. */
  section: string;
  scope: HomePageRequest['scope'];
  page: number;
}

interface ReadSection {
  section: HomeSection;
  /** If the section is not shown, only the total and the notes are used. */
  page: HomePage;
}

interface HomeAnswer {
  place: HomePlace;
  sections: readonly ReadSection[];
}

export const homeRowsPerPage = 12;

const maxNoticeBlocks = 10;
const divider: KnownBlock = { type: 'divider' };

type ShownTo = Parameters<typeof homeBlocks>[1];

interface AroundSections {
  /** The result of the person's last action. */
  notice: readonly KnownBlock[];
  /** What needs the person. */
  top: readonly HomePart[];
  /** The account and the state of Landfall. */
  footer: readonly Text[];
  /** False while questions can't be answered, which `top` says. */
  canAsk: boolean;
}

export function homeView(
  answer: HomeAnswer,
  { notice, top, footer, canAsk }: AroundSections,
  { commands, ...shownTo }: ShownTo & { commands: readonly CommandHelp[] },
): KnownBlock[] {
  const { place } = answer;
  const hasNothingYet =
    place.scope === 'all' &&
    answer.sections.every(({ section, page }) => !section.hasOwners || page.total === 0);
  const shown = answer.sections.find(({ section }) => section.name === place.section);
  const notes = [
    ...answer.sections.flatMap(({ page }) => page.notes ?? []),
    ...inventedNotes(shownTo.reader),
  ];
  const draw = (part: HomePart) => homeBlocks(part, shownTo);
  return [
    ...(notice.length > 0 ? [...notice.slice(0, maxNoticeBlocks), divider] : []),
    ...(top.length > 0 ? [...top.flatMap(draw), divider] : []),
    ...(hasNothingYet
      ? draw(firstSteps(answer, { canAsk, commands }))
      : actions(answer.sections.map(({ section: { opener } }) => openerButton(opener)))),
    divider,
    ...actions(answer.sections.map((section) => tab(section, place))),
    ...(shown ? [...draw(rowsOf(shown, place)), ...actions(turningButtons(shown, place))] : []),
    ...draw({ notes }),
    divider,
    ...drawFooter(footer, shownTo),
  ];
}

/** A line each. */
const drawFooter = (footer: readonly Text[], shownTo: ShownTo): KnownBlock[] =>
  footer.flatMap((note) => homeBlocks({ notes: [note] }, shownTo));

const openerButton = ({ form, label }: HomeSection['opener']): Button =>
  button({ id: formActionId(form), label, value: '{}' });

/** One step per section, with its button. */
function firstSteps(
  { sections }: HomeAnswer,
  { canAsk, commands }: { canAsk: boolean; commands: readonly CommandHelp[] },
): HomePart {
  const examples = [exampleTaking('vessels', commands), exampleTaking('ports', commands), ownLines.all];
  return {
    verdict: { strong: 'Welcome to Landfall.', rest: ' Three things to begin with:' },
    sections: [
      {
        kind: 'rows',
        rows: sections.map(({ section: { firstStep, opener } }, index) => ({
          lines: [[{ strong: [`${index + 1} `, firstStep.strong] }, firstStep.rest ?? '']],
          button: { ...opener, target: {} },
        })),
      },
    ],
    notes: [
      [
        `${canAsk ? 'Or ask at once,' : 'Once the account is connected, ask'} in any channel: `,
        joined(examples.map((line) => ({ code: `/${line}` }))),
        ' shows all',
      ],
    ],
  };
}

/** Opens a section's first page. The button of the section shown is highlighted. */
function tab({ section: { name, label }, page }: ReadSection, place: HomePlace): Button {
  const button = goTo({ ...place, section: name, page: 1 }, `${label} ${page.total.toLocaleString('en')}`);
  return name === place.section ? primary(button) : button;
}

const formatPlace = ({ section, scope, page }: HomePlace): string => `${section} ${scope} ${page}`;

const homeSections = (features: readonly Feature[]): HomeSection[] =>
  features.flatMap(({ home }) => home ?? []);

/** Unreadable text gives the first page of the first section. */
export function readPlace(text: string, features: readonly Feature[]): HomePlace {
  const [, name, scope, page] = /^(\S+) (all|mine) (\d{1,6})$/.exec(text) ?? [];
  const all = homeSections(features);
  const section = all.find((section) => section.name === name) ?? all[0];
  return {
    section: section?.name ?? '',
    scope: scope === 'mine' ? 'mine' : 'all',
    page: Math.max(1, Number(page ?? 1)),
  };
}

function goTo(place: HomePlace, label: string): Button {
  const value = formatPlace(place);
  return button({ id: homeGoTo(value), label, value });
}

function rowsOf({ section, page: { rows, total } }: ReadSection, place: HomePlace): HomePart {
  if (rows.length === 0) return { sections: [{ kind: 'text', lines: [section.empty] }] };
  const notes = shownNote(pageNumbers(total, place.page, homeRowsPerPage), homeRowsPerPage);
  return { sections: [{ kind: 'rows', rows }], notes };
}

function turningButtons({ section, page: { total } }: ReadSection, place: HomePlace): Button[] {
  const { after } = pageNumbers(total, place.page, homeRowsPerPage);
  const what = uncapitalised(section.label);
  const turnTo = (page: number, label: string) => goTo({ ...place, page }, label);
  return [
    ...(after > 0 ? [turnTo(place.page + 1, `Next ${Math.min(after, homeRowsPerPage)} ${what}`)] : []),
    ...(place.page > 1 ? [turnTo(place.page - 1, `Previous ${what}`)] : []),
    ...scopeButton(section, total, place),
  ];
}

function scopeButton({ hasOwners, label }: HomeSection, total: number, place: HomePlace): Button[] {
  if (!hasOwners || (place.scope === 'all' && total === 0)) return [];
  return place.scope === 'all'
    ? [goTo({ ...place, scope: 'mine', page: 1 }, `Only my ${uncapitalised(label)}`)]
    : [goTo({ ...place, scope: 'all', page: 1 }, `${label} in all my channels`)];
}
