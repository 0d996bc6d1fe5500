import { ApiError } from '../blocks/content.ts';
import { isJsonObject, type JsonObject, nonEmptyString, parseJson } from '../json.ts';
import type { PagePrompt } from '../page-api/agent-api.ts';
import type { Channel } from '../world/world.ts';
import { invalid, isMember, type Method, type MethodContext, visibleChannel } from './method.ts';

const MAX_PROMPTS = 4;
const MAX_LOADING_MESSAGES = 10;

/** With which an agent suggests prompts, and any app shows what it is doing. */
export function agentMethods(context: MethodContext): Record<string, Method> {
  return {
    'assistant.threads.setStatus': {
      token: 'bot',
      scopes: ['chat:write', 'assistant:write'],
      run: (args) => setStatus(context, args),
    },
    'assistant.threads.setSuggestedPrompts': {
      token: 'bot',
      scopes: ['assistant:write'],
      run: (args) => setSuggestedPrompts(context, args),
    },
  };
}

/** Loading messages are checked; the page shows the status only. */
function setStatus(context: MethodContext, args: JsonObject): undefined {
  context.limit('assistant.threads.setStatus', 'tier3');
  const { status } = args;
  requireFields(args, ['channel_id', 'thread_ts']);
  if (typeof status !== 'string') throw invalid('invalid_arguments', ['missing required field: status']);
  const loading = listOf(args.loading_messages ?? []);
  if (!loading?.every(nonEmptyString)) throw listFault('loading_messages', 'must be a list of strings');
  if (loading.length > MAX_LOADING_MESSAGES) throw tooMany('loading_messages', MAX_LOADING_MESSAGES);
  const { id: channelId } = ownChannel(context, args.channel_id);
  const root = context.store.find(channelId, String(args.thread_ts));
  if (!root || root.threadTs || root.ephemeralTo) throw new ApiError('invalid_thread_ts');
  context.agent.setStatus({ channelId, threadTs: root.ts, text: status });
}

function setSuggestedPrompts(context: MethodContext, args: JsonObject): undefined {
  context.limit('assistant.threads.setSuggestedPrompts', 'tier3');
  requireFields(args, ['channel_id', 'prompts']);
  const prompts = readPrompts(args.prompts);
  const title = nonEmptyString(args.title);
  const isInThread = nonEmptyString(args.thread_ts) !== undefined;
  if (!context.agent.isAgent) throw new ApiError(isInThread ? 'invalid_thread_ts' : 'not_agent_app');
  const channel = ownChannel(context, args.channel_id);
  if (channel.kind !== 'dm') throw new ApiError('channel_not_found');
  // Prompts in threads are of apps from before there were agents. Slack accepts and ignores them.
  if (!isInThread) context.agent.setPrompts(channel.id, { prompts, ...(title && { title }) });
}

function readPrompts(value: unknown): PagePrompt[] {
  const list = listOf(value);
  if (!list || list.length === 0) throw listFault('prompts', 'must be a list of prompts');
  if (list.length > MAX_PROMPTS) throw tooMany('prompts', MAX_PROMPTS);
  return list.map((prompt, index) => {
    const fields = isJsonObject(prompt) ? prompt : {};
    const [title, message] = [nonEmptyString(fields.title), nonEmptyString(fields.message)];
    if (!title || !message) throw listFault(`prompts/${index}`, 'must have a title and a message');
    return { title, message };
  });
}

function ownChannel(context: MethodContext, value: unknown): Channel {
  const channel = visibleChannel(context, value);
  if (!isMember(channel, context.store)) throw new ApiError('channel_not_found');
  return channel;
}

function requireFields(args: JsonObject, names: string[]): void {
  const missing = names.filter((name) => args[name] === undefined || args[name] === '');
  if (missing.length === 0) return;
  throw invalid(
    'invalid_arguments',
    missing.map((name) => `missing required field: ${name}`),
  );
}

/** Clients send lists as JSON too. */
function listOf(value: unknown): unknown[] | undefined {
  const list = typeof value === 'string' ? parseJson(value) : value;
  return Array.isArray(list) ? list : undefined;
}

const listFault = (pointer: string, fault: string): ApiError =>
  invalid('invalid_arguments', [`${fault} [json-pointer:/${pointer}]`]);

const tooMany = (pointer: string, max: number): ApiError =>
  listFault(pointer, `no more than ${max} items allowed`);
