import type { Answer } from '../../answers/answer.ts';
import { formatVessels } from '../../grammar/vessel.ts';
import type { Imo } from '../../reference/codes.ts';
import type { AskCtx } from '../ctx.ts';
import { nextportCommand } from './command.ts';
import { askNextPorts } from './predictions.ts';
import { briefAnswer } from './vessel-answer.ts';
import { formatFleet, formatHistory } from './words.ts';

/** Where vessels will probably call next. */
export const nextPorts = {
  commands: [nextportCommand],
  fulfils: {
    'history-of': ({ imo }: { imo: Imo }) => formatHistory({ imo, page: 1 }),
    'next-ports-of': ({ imos }: { imos: readonly [Imo, ...Imo[]] }) => `nextport ${formatVessels(imos)}`,
    'next-ports-of-fleet': ({ fleet }: { fleet: string }) => formatFleet({ name: fleet, page: 1 }),
  },
  prompts: [{ title: 'Where does vessel 9461477 call next?', line: 'nextport 9461477' }],
};

/** The answer to `nextport <imo>` in a few lines; `isEmpty` if nothing is predicted. */
export async function nextPortsInBrief(imo: Imo, ctx: AskCtx): Promise<{ answer: Answer; isEmpty: boolean }> {
  const found = await askNextPorts(imo, ctx);
  return { answer: briefAnswer(found, ctx.now()), isEmpty: found.predictions.length === 0 };
}
