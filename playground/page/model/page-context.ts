import { createContext, useContext, useSyncExternalStore } from 'react';
import type {
  AdminAction,
  ClickRequest,
  FieldValues,
  ManageRequest,
  PageMessage,
  SayRequest,
  ShortcutRequest,
  ViewActRequest,
  ViewReply,
} from '../../src/page-api/page-api.ts';
import type { StepReply, StepRequest } from '../../src/page-api/step-api.ts';
import type { Drafts } from './drafts.ts';
import type { PageWorld } from './page-model.ts';

/** The data and the actions that most components share: the workspace as the reader sees it, and their actions. */
export interface Page {
  world: PageWorld;
  theme: 'light' | 'dark';
  drafts: Drafts;
  say: (line: Omit<SayRequest, 'userId'>) => Promise<void>;
  manage: (channelId: string, action: ManageRequest['action']) => Promise<void>;
  /** Resolves once the app has answered or failed. Failures appear in the message list. */
  click: (click: Omit<ClickRequest, 'userId'>, threadTs: string | undefined) => Promise<void>;
  shortcut: (request: Omit<ShortcutRequest, 'userId'>, threadTs: string | undefined) => Promise<void>;
  /** Resolves when the app has ended the step. */
  runStep: (request: Omit<StepRequest, 'userId'>) => Promise<StepReply>;
  /** Resolves with the error message, if any. */
  actInView: (request: Omit<ViewActRequest, 'userId'>) => Promise<string | undefined>;
  submitView: (viewId: string, values: FieldValues) => Promise<ViewReply>;
  closeView: (viewId: string, all: boolean) => Promise<void>;
  /** Resolves with the error message, if any. */
  administer: (request: AdminAction) => Promise<string | undefined>;
  dismiss: (message: PageMessage) => void;
  openThread: (ts: string | undefined) => void;
  openChannel: (channelId: string) => void;
  /** True if the link is one to a message of this workspace, which is then shown. */
  openLink: (link: string) => boolean;
}

export const PageContext = createContext<Page | undefined>(undefined);

export function usePage(): Page {
  const page = useContext(PageContext);
  if (!page) throw new Error('usePage outside of PageContext');
  return page;
}

/** The unsent text with this key, and its setter. */
export function useDraft(key: string): [string, (text: string) => void] {
  const { drafts } = usePage();
  const text = useSyncExternalStore(drafts.subscribe, () => drafts.get(key));
  return [text, (next) => drafts.set(key, next)];
}
