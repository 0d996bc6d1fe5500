import type { FaultSwitches } from '../fault-switches.ts';
import type { SlashCommand } from '../manifest.ts';
import type {
  ClickRequest,
  ManageRequest,
  PageMessage,
  PageReply,
  PageShortcut,
  PageState,
  PageTexts,
  SayReply,
  SayRequest,
  ShortcutRequest,
  UploadReply,
  ViewActRequest,
  ViewCloseRequest,
  ViewReply,
  ViewSubmitRequest,
  WriteRequest,
} from '../page-api/page-api.ts';
import type { PageStep, StepReply, StepRequest } from '../page-api/step-api.ts';
import type { Installation } from '../web-api/installation.ts';
import type { FileStore, NewFile, SharedFile } from '../world/files.ts';
import { pageChannels, pageMessage, pageUser, pageViews } from '../world/render.ts';
import type { Store } from '../world/store.ts';
import type { Views } from '../world/views.ts';
import { mayRead, maySee } from '../world/visibility.ts';
import { type Channel, SLACKBOT, type User } from '../world/world.ts';
import type { ClockControl } from '../world/world-clock.ts';
import type { Agent } from './agent.ts';
import { BUILT_IN_COMMANDS } from './built-in-commands.ts';
import type { ComposerLinks } from './composer-links.ts';
import type { Escaper } from './escape.ts';
import type { Events } from './events.ts';
import { isSlashCommand, type SlashInput } from './slash.ts';
import type { ViewInteractions } from './view-interactions.ts';

export type Reply = SayReply & {
  /** For a slash command or click: the id in its `DeliveryMark`s. */
  deliveryId?: string;
};

/** The actions of people in the workspace. The page's API and the tests call the same functions. */
export interface Workspace {
  say(request: SayRequest): Promise<Reply>;
  /** The app may show something under the links. */
  write(request: WriteRequest): Promise<PageReply>;
  click(request: ClickRequest): Promise<Reply>;
  /** Uploads a file, which this user can then share in a message. */
  upload(file: NewFile): UploadReply;
  manage(request: ManageRequest): Promise<PageReply>;
  actInView(request: ViewActRequest): Promise<PageReply>;
  submitView(request: ViewSubmitRequest): Promise<ViewReply>;
  closeView(request: ViewCloseRequest): Promise<PageReply>;
  shortcut(request: ShortcutRequest): Promise<PageReply>;
  /** Runs a custom step; resolves when the app has ended it. */
  runStep(request: StepRequest): Promise<StepReply>;
  /** Without a user, the state of the first one. Undefined for an unknown user. */
  state(userId?: string): PageState | undefined;
  openHome(userId: string, tab: 'home' | 'messages'): Promise<void>;
}

const NOT_INSTALLED = { ok: false as const, error: 'This app is no longer installed in this workspace.' };
const MAX_MESSAGE_LENGTH = 12_000;

export function createWorkspace(options: {
  store: Store;
  escaper: Escaper;
  commands: SlashCommand[];
  slash: (input: SlashInput) => Promise<Reply>;
  builtIn: (input: SlashInput) => Promise<Reply> | undefined;
  manage: Record<ManageRequest['action'], (channelId: string) => Promise<void>>;
  composer: ComposerLinks;
  files: FileStore;
  /** Undefined if one of the files doesn't belong to this user or no longer exists. */
  shareFiles: (userId: string, channelId: string, fileIds: string[]) => SharedFile[] | undefined;
  click: (actor: { user: User; channel: Channel }, click: ClickRequest) => Promise<Reply>;
  shortcut: (actor: { user: User; channel: Channel }, request: ShortcutRequest) => Promise<PageReply>;
  viewInteractions: ViewInteractions;
  views: Views;
  agent: Pick<Agent, 'pageAgent'>;
  homeEnabled: boolean;
  shortcuts: PageShortcut[];
  steps: readonly PageStep[];
  step: (request: StepRequest) => Promise<StepReply>;
  events: Events;
  connected: () => boolean;
  clock: ClockControl | undefined;
  faultSwitches: Pick<FaultSwitches, 'list'>;
  isServiceRecorded: boolean;
  texts: PageTexts;
  installation: Installation;
  /** What the page shows of the installation. */
  pageState?: () => Partial<PageState>;
}): Workspace {
  const { store, installation } = options;

  /** The user and the channel, or the error if this user can't act there. */
  const findActor = (userId: string, channelId: string): { user: User; channel: Channel } | string => {
    const user = store.user(userId);
    const channel = store.channel(channelId);
    if (!user || user.isBot) return 'There is no such user.';
    if (!channel || !mayRead(user, channel, store.world)) return 'There is no such channel.';
    if (!channel.memberIds.includes(user.id)) return `You are not in #${channel.name}. Join it first.`;
    if (channel.isArchived) return `#${channel.name} is archived.`;
    return { user, channel };
  };

  const withApp = <R>(act: () => R): R | typeof NOT_INSTALLED =>
    installation.isActive() ? act() : NOT_INSTALLED;

  const asUser = <R>(userId: string, act: (user: User) => R): R | { ok: false; error: string } => {
    const user = store.user(userId);
    return user && !user.isBot ? act(user) : { ok: false, error: 'There is no such user.' };
  };

  return {
    async say({ userId, channelId, text, threadTs, fileIds = [] }) {
      const actor = findActor(userId, channelId);
      if (typeof actor === 'string') return { ok: false, error: actor };
      const files = options.shareFiles(userId, channelId, fileIds);
      if (!files) return { ok: false, error: 'This file is no longer available. Attach it again.' };
      if (text.trim() === '' && files.length === 0) return { ok: false, error: 'There is nothing to send.' };
      if (text.length > MAX_MESSAGE_LENGTH) return { ok: false, error: 'This message is too long.' };
      const input = { ...actor, text, threadTs };
      if (isSlashCommand(text)) return options.builtIn(input) ?? options.slash(input);
      if (threadTs && !store.find(channelId, threadTs)) {
        return { ok: false, error: 'This thread no longer exists.' };
      }
      const message = store.post({
        channelId,
        userId,
        text: options.escaper.message(text),
        ...(files.length > 0 ? { files } : {}),
        ...(threadTs ? { threadTs } : {}),
      });
      void options.composer.write(userId, '');
      postInviteHint(store, actor.channel, message);
      return { ok: true, ts: message.ts };
    },
    async write({ userId, text }) {
      return asUser(userId, () => {
        // The page doesn't wait for the app.
        void options.composer.write(userId, isSlashCommand(text) ? '' : text);
        return { ok: true } as const;
      });
    },
    async click(request) {
      const actor = findActor(request.userId, request.channelId);
      if (typeof actor === 'string') return { ok: false, error: actor };
      return installation.isActive() ? options.click(actor, request) : NOT_INSTALLED;
    },
    upload(file) {
      const user = store.user(file.userId);
      if (!user || user.isBot) return { ok: false, error: 'There is no such user.' };
      if (!file.name || file.content.length === 0) return { ok: false, error: 'This file is empty.' };
      return { ok: true, fileId: options.files.add(file).id };
    },
    async manage({ userId, channelId, action }) {
      const user = store.user(userId);
      const channel = store.channel(channelId);
      const isMember = user && !user.isBot && channel?.memberIds.includes(user.id);
      if (!isMember || channel?.kind === 'dm') return { ok: false, error: 'You are not in this channel.' };
      await options.manage[action](channelId);
      return { ok: true };
    },
    actInView: async (request) =>
      withApp(() => asUser(request.userId, (user) => options.viewInteractions.act(user, request))),
    submitView: async (request) =>
      withApp(() => asUser(request.userId, (user) => options.viewInteractions.submit(user, request))),
    closeView: async (request) =>
      asUser(request.userId, (user) => options.viewInteractions.close(user, request)),
    async shortcut(request) {
      const actor = findActor(request.userId, request.channelId);
      if (typeof actor === 'string') return { ok: false, error: actor };
      return installation.isActive() ? options.shortcut(actor, request) : NOT_INSTALLED;
    },
    runStep: async (request) => withApp(() => asUser(request.userId, () => options.step(request))),
    state(userId) {
      const me = userId ? store.user(userId) : store.world.users[0];
      if (!me || me.isBot) return undefined;
      const channels = pageChannels(store, me);
      const appCommands = installation.isActive() ? options.commands : [];
      return {
        teamId: store.world.team.id,
        teamName: store.world.team.name,
        me: pageUser(me, store.world),
        users: store.world.users.map((user) => pageUser(user, store.world)),
        ...(installation.isActive() ? { botUserId: store.world.app.botUserId } : {}),
        channels,
        commands: [...appCommands, ...BUILT_IN_COMMANDS].map(({ command, description, usageHint }) => ({
          command,
          description,
          usageHint,
        })),
        messages: channels
          .flatMap((channel) => store.messages(channel.id))
          .filter((message) => maySee(me, message))
          .map(pageMessage),
        appConnected: options.connected(),
        faults: options.faultSwitches.list(),
        isServiceRecorded: options.isServiceRecorded,
        texts: options.texts,
        homeEnabled: options.homeEnabled,
        shortcuts: installation.isActive() ? options.shortcuts : [],
        steps: installation.isActive() ? options.steps : [],
        ...pageViews(options.views, me.id),
        agent: options.agent.pageAgent(me),
        ...(options.clock ? { clock: options.clock.show() } : {}),
        ...options.pageState?.(),
      };
    },
    async openHome(userId, tab) {
      const user = store.user(userId);
      if (user && !user.isBot) {
        await options.events.appHomeOpened(user, tab, options.views.home(userId));
      }
    },
  };
}

/** Slackbot's hint after a mention of the app in a channel that the app isn't in. */
function postInviteHint(store: Store, channel: Channel, message: Pick<PageMessage, 'text' | 'userId'>): void {
  const { botUserId } = store.world.app;
  if (!message.text.includes(`<@${botUserId}>`) || channel.memberIds.includes(botUserId)) return;
  store.post({
    channelId: channel.id,
    userId: SLACKBOT,
    text: `<@${botUserId}> isn't in this channel, so it didn't receive your message.`,
    ephemeralTo: message.userId,
  });
}
