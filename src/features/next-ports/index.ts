import type { Answer, Fulfils } from '../../answers/answer.ts';
import type { Imo } from '../../reference/codes.ts';
import type { AskCtx } from '../ctx.ts';
import { nextportCommand } from './command.ts';
import { askNextPorts } from './predictions.ts';
import { briefAnswer } from './vessel-answer.ts';
import { formatFleet, formatHistory, formatList, formatMap, formatSeveral, formatWatched } from './words.ts';

/** Where vessels will probably call next. */
export const nextPorts = {
  commands: [nextportCommand],
  fulfils: {
    'history-of': ({ imo }) => formatHistory({ imo, page: 1 }),
    'map-of': ({ imo }) => formatMap({ imo, page: 1 }),
    'next-ports-of'({ vessels }) {
      if (vessels === 'watched') return formatWatched({ page: 1 });
      if ('imos' in vessels) return formatSeveral({ imos: vessels.imos, page: 1 });
      return 'list' in vessels
        ? formatList({ name: vessels.list, page: 1 })
        : formatFleet({ name: vessels.fleet, page: 1 });
    },
  } satisfies Fulfils,
  prompts: [{ title: 'Where does vessel 9461477 call next?', line: 'nextport 9461477' }],
};

/** The answer to `nextport <imo>` in a few lines; `isEmpty` if nothing is predicted. */
export async function nextPortsInBrief(imo: Imo, ctx: AskCtx): Promise<{ answer: Answer; isEmpty: boolean }> {
  const found = await askNextPorts(imo, ctx);
  return { answer: briefAnswer(found, ctx.now()), isEmpty: found.predictions.length === 0 };
}
