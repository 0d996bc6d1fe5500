import { wordsError } from '../../../grammar/line-help.ts';
import { formatPage, joinWords, pageOption, scanOptions } from '../../../grammar/options.ts';
import { channelOption, formatChannel } from '../../../grammar/place-words.ts';
import type { ParseContext } from '../../line.ts';
import type { Scope } from '../../owned.ts';
import {
  formatStabilitySubject,
  parseStabilitySubject,
  type StabilitySubject,
} from '../words/stability-subject.ts';
import { checkScope, formatScope, scopeOption } from './scope-words.ts';

export interface StabilityArgs {
  kind: 'stability';
  of: StabilitySubject;
  /** Of the watched vessels, also for a lane. Other subjects have the scope `channel`, and no channel. */
  scope: Scope;
  channelId?: string | undefined;
  page: number;
}

const help = { command: 'watch stability', example: 'watch stability 9461477' };

/** The words after `watch stability`: `Rotterdam Hamburg mine`, `9461477 page 2`. Throws UserError. */
export function parseStability(words: string, { vessels }: ParseContext): StabilityArgs {
  const options = { page: pageOption, channel: channelOption, scope: scopeOption };
  const { rest, values, help: lineHelp } = scanOptions(words, options, help);
  const { page = 1, channel: channelId, scope = 'channel' } = values;
  const of = parseStabilitySubject(rest, { ...lineHelp, vessels });
  const args: StabilityArgs = { kind: 'stability', of, scope, page, channelId };
  checkScope(args, lineHelp, formatStability);
  const isOfWatched = of.kind === 'watched' || of.kind === 'lane';
  if (isOfWatched || (scope === 'channel' && channelId === undefined)) return args;
  const line = formatStability({ ...args, scope: 'channel', channelId: undefined });
  const message = 'The figures of vessels that you name are those of the watches here.';
  throw wordsError('unexpected-words', message, lineHelp, { choices: [{ label: line, line }] });
}

export const formatStability = ({ of, scope, channelId, page }: StabilityArgs): string =>
  joinWords(
    'watch stability',
    formatStabilitySubject(of),
    formatScope(scope),
    formatChannel(channelId),
    formatPage(page),
  );
