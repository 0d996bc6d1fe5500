import type { Answer, Fulfils } from '../../answers/answer.ts';
import { joinWords } from '../../grammar/line.ts';
import { formatVesselGroup } from '../../grammar/vessel.ts';
import type { Imo } from '../../reference/codes.ts';
import { type AskCtx, commandCause } from '../ctx.ts';
import { nextportCommand } from './command.ts';
import { customerForm } from './customer-form.ts';
import { askNextPorts } from './predictions.ts';
import { briefAnswer } from './vessel-answer.ts';
import { formatHistory, formatMap } from './words.ts';

export { example as nextPortExample, listExample as nextPortsExample } from './command.ts';

/** Where vessels will probably call next. */
export const nextPorts = {
  commands: [nextportCommand],
  forms: [customerForm],
  fulfils: {
    'history-of': ({ imo }) => formatHistory({ imo, page: 1 }),
    'map-of': ({ imo }) => formatMap({ imo, page: 1 }),
    'next-ports-of': ({ vessels }) =>
      joinWords('nextport', vessels === 'watched' ? vessels : formatVesselGroup(vessels)),
  } satisfies Fulfils,
  prompts: [{ title: 'Where does vessel 9461477 call next?', line: 'nextport 9461477' }],
};

/** The answer to `nextport <imo>` in a few lines; `isEmpty` if nothing is predicted. */
export async function nextPortsInBrief(imo: Imo, ctx: AskCtx): Promise<{ answer: Answer; isEmpty: boolean }> {
  const cause = commandCause(nextportCommand.name, ctx.place);
  const found = await askNextPorts(imo, { ...ctx, cause });
  return { answer: briefAnswer(found, ctx.now()), isEmpty: found.predictions.length === 0 };
}
