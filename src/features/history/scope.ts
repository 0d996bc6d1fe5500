import { type Answer, watchesIn, watchThese } from '../../answers/answer.ts';
import type { Text } from '../../answers/text.ts';
import { type LineHelp, type LineOption, optionOf, wordsError } from '../../grammar/line.ts';
import { exampleList, exampleVessels } from '../../reference/codes.ts';
import { fold } from '../../reference/nearest.ts';
import { notInChannel } from '../../workspaces/permissions.ts';
import { type AskCtx, actorIn, example, type ParseContext, type Privacy } from '../ctx.ts';
import { filterByScope, type Scope, type ScopeFilter } from '../scope.ts';

/** The watches that a line is about. In a direct message with the bot, the scope `channel` means the person's own. */
export interface Scoped {
  scope: Scope;
  /** Another channel than the line's own; only with the scope `channel`. */
  channelId?: string | undefined;
}

export const scopes = new Map<string, Scope>([
  ...['', 'here', 'this channel'].map((words) => [words, 'channel'] as const),
  ...['all', 'all channels'].map((words) => [words, 'all'] as const),
  ...['mine', 'my', 'me'].map((words) => [words, 'mine'] as const),
  ...["everyone's", "everybody's", 'everyone', 'everybody'].map((words) => [words, 'all'] as const),
]);

/** The watches or digests of a text in own words: those here unless it says otherwise. */
export function scopeIn(text: string): Scope {
  const words = ` ${fold(text)} `;
  if (ofAll.test(words)) return 'all';
  return / (?:i|im|me|my|mine|myself) /.test(
    words.replace(/ (?:show|give|send|tell|let) me | (?:list|show|check|find|get|pull) .*for me /, ' '),
  )
    ? 'mine'
    : 'channel';
}

const ofAll =
  / (?:who|whos|whom|whose|colleagues?|anyone|anybody|everyones?|everybodys?|everywhere|anywhere|(?:whole|entire|this|the|our) (?:workspace|company|team|organi[sz]ation|slack)|(?:all|other|every|which|what|by|per|each) channels?|not (?:just|only) (?:mine|my|here)|nobody) | (?:watches|alerts) all $/;

export const scopeOption: LineOption<Scope> = optionOf(
  /(?:^|\s)(?:in )?(all channels|all|my|mine|me|here|this channel)$/i,
  ([, typed = '']) => scopes.get(typed.toLowerCase()) ?? 'channel',
);

export const formatScope = (scope: Scope): string => (scope === 'channel' ? '' : scope);

/** Throws UserError for a channel together with `mine` or `all`. `format`: the line of such values. */
export function checkScope<Values extends Scoped>(
  values: Values,
  help: LineHelp,
  format: (values: Values) => string,
): void {
  const { channelId, scope } = values;
  if (channelId === undefined || scope === 'channel') return;
  const choices = [
    { label: 'In that channel', line: format({ ...values, scope: 'channel' }) },
    {
      label: scope === 'all' ? 'In all my channels' : 'My watches',
      line: format({ ...values, channelId: undefined }),
    },
  ];
  const message = 'You can ask for one channel, all your channels, or your own watches.';
  throw wordsError('unexpected-words', message, help, { choices });
}

/** Not everybody in this channel may see other channels' watches and personal watches. */
export const privacyOf = ({ scope, channelId }: Scoped): Privacy =>
  channelId === undefined && scope === 'channel' ? 'open' : 'not-public';

/** What the person may see of these watches. Throws UserError for another channel that they aren't in. */
export async function scopeOf(
  { scope, channelId }: Scoped,
  ctx: AskCtx,
): Promise<{ scope: Scope; filter: ScopeFilter }> {
  const { access } = ctx.services;
  const here = actorIn(ctx);
  const actor = channelId === undefined ? here : { ...here, channelId, mayHaveLeft: true };
  if (actor.channelId !== here.channelId && !(await access.mayUse(actor.channelId, actor)))
    throw notInChannel();
  const isOwn = channelId === undefined && ctx.place?.destination === 'direct-message';
  const meant = isOwn && scope === 'channel' ? 'mine' : scope;
  return { scope: meant, filter: await filterByScope(meant, actor, access) };
}

const places: Record<Scope, string> = {
  channel: 'in this channel',
  all: 'in the channels you are in',
  mine: 'of yours',
};

/** `in #ops`, or where the watches of the scope are. */
export const placeOf = ({ scope, channelId }: Scoped): Text =>
  channelId === undefined ? places[scope] : ['in ', { channel: channelId }];

export const noWatches = ({ scope, channelId }: Scoped, lines: Pick<ParseContext, 'lineOf'>): Answer => ({
  isOwn: true,
  verdict: {
    strong: ['No watches ', placeOf({ scope, channelId }), ' yet'],
    lines: [
      [
        ...['For example: ', { code: `/${example(watchThese(exampleVessels[0].imo), lines)}` }],
        ...[' or ', { code: `/${example(watchThese(exampleList), lines)}` }],
      ],
    ],
  },
  actions: {
    runs: [
      { label: 'Watch a vessel …', form: 'watch', target: {} },
      ...(scope === 'channel' ? [{ label: 'In all my channels', intent: watchesIn({ scope: 'all' }) }] : []),
    ],
  },
});
