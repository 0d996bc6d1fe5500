import type { WebSocket } from 'ws';
import type { Wire } from '../delivery/wire.ts';
import { pageChannels, pageMessage, pageViews } from '../world/render.ts';
import type { Store } from '../world/store.ts';
import type { Views } from '../world/views.ts';
import { mayRead, maySee } from '../world/visibility.ts';
import type { User } from '../world/world.ts';
import type { PageAgent } from './agent-api.ts';
import type { PageFault } from './inspector-api.ts';
import type { LiveEvent, PageClock, PageUnfurl } from './page-api.ts';

export interface Live {
  /** Takes over a page's socket; closes it if the user is unknown. */
  accept(socket: WebSocket, userId: string): void;
  connectionChanged(isConnected: boolean): void;
  clockChanged(clock: PageClock): void;
  faultsChanged(faults: PageFault[]): void;
  /** Call this when the user's modals or Home tab have changed. */
  viewsChanged(userId: string, views: Views): void;
  /** Call this when the app shows something of the links that a user is writing. */
  previewsChanged(userId: string, previews: PageUnfurl[]): void;
  /** Call this when the app has set prompts, or when a status has changed. */
  agentChanged(pageAgent: (user: User) => PageAgent): void;
  /** Call this when a channel or its members have changed. */
  channelsChanged(): void;
  /** Call this when the app was installed, uninstalled or changed. */
  appChanged(): void;
  /** Call this when a message was posted in another workspace. */
  postedElsewhere(teamId: string): void;
  close(): void;
}

/** Sends each open page the events that its user may see. */
export function createLive({ store, wire }: { store: Store; wire: Wire }): Live {
  const sockets = new Map<WebSocket, User>();
  const send = (socket: WebSocket, event: LiveEvent) => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(event));
  };
  return {
    accept(socket, userId) {
      const user = store.user(userId);
      if (!user) return socket.close(1008, 'no such user');
      const unsubscribeStore = store.subscribe((event) => {
        const { message } = event;
        const channel = store.channel(message.channelId);
        if (!channel || !mayRead(user, channel, store.world) || !maySee(user, message)) return;
        if (event.type !== 'deleted') return send(socket, { type: 'message', message: pageMessage(message) });
        const { channelId, ts, threadTs } = message;
        send(socket, { type: 'message_deleted', channelId, ts, ...(threadTs ? { threadTs } : {}) });
      });
      const unsubscribeWire = wire.subscribe((entry) => send(socket, { type: 'wire', entry }));
      sockets.set(socket, user);
      socket.on('error', () => socket.terminate());
      socket.on('close', () => {
        sockets.delete(socket);
        unsubscribeStore();
        unsubscribeWire();
      });
    },
    connectionChanged(connected) {
      for (const socket of sockets.keys()) send(socket, { type: 'app_connected', connected });
    },
    clockChanged(clock) {
      for (const socket of sockets.keys()) send(socket, { type: 'clock', clock });
    },
    faultsChanged(faults) {
      for (const socket of sockets.keys()) send(socket, { type: 'faults', faults });
    },
    viewsChanged(userId, views) {
      for (const [socket, user] of sockets) {
        if (user.id === userId) send(socket, { type: 'views', ...pageViews(views, userId) });
      }
    },
    previewsChanged(userId, previews) {
      for (const [socket, user] of sockets) {
        if (user.id === userId) send(socket, { type: 'previews', previews });
      }
    },
    agentChanged(pageAgent) {
      for (const [socket, user] of sockets) send(socket, { type: 'agent', agent: pageAgent(user) });
    },
    channelsChanged() {
      for (const [socket, user] of sockets) {
        send(socket, { type: 'channels', channels: pageChannels(store, user) });
      }
    },
    appChanged() {
      for (const socket of sockets.keys()) send(socket, { type: 'app_changed' });
    },
    postedElsewhere(teamId) {
      for (const socket of sockets.keys()) send(socket, { type: 'posted_elsewhere', teamId });
    },
    close() {
      for (const socket of sockets.keys()) socket.terminate();
    },
  };
}
