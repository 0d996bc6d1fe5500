import { type LineHelp, wordsError } from '../../../grammar/line-help.ts';
import { type LineOption, optionOf } from '../../../grammar/options.ts';
import type { Scope } from '../../owned.ts';

export const scopes = new Map<string, Scope>([
  ...['', 'here', 'this channel'].map((words) => [words, 'channel'] as const),
  ...['all', 'all channels'].map((words) => [words, 'all'] as const),
  ...['mine', 'my', 'me'].map((words) => [words, 'mine'] as const),
]);

export const scopeOption: LineOption<Scope> = optionOf(
  /(?:^|\s)(?:in )?(all channels|all|my|mine|me|here|this channel)$/i,
  ([, typed = '']) => scopes.get(typed.toLowerCase()) ?? 'channel',
);

export const formatScope = (scope: Scope): string => (scope === 'channel' ? '' : scope);

interface Scoped {
  scope: Scope;
  channelId?: string | undefined;
}

/** Throws UserError for a channel together with `mine` or `all`. `format`: the line of such arguments. */
export function checkScope<Args extends Scoped>(
  args: Args,
  help: LineHelp,
  format: (args: Args) => string,
): void {
  const { channelId, scope } = args;
  if (channelId === undefined || scope === 'channel') return;
  const choices = [
    { label: 'In that channel', line: format({ ...args, scope: 'channel' }) },
    {
      label: scope === 'all' ? 'In all my channels' : 'My watches',
      line: format({ ...args, channelId: undefined }),
    },
  ];
  const message = 'You can ask for one channel, all your channels, or your own watches.';
  throw wordsError('unexpected-words', message, help, { choices });
}
