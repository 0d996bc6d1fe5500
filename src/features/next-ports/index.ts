import type { Reader } from '../../messages/message.ts';
import type { Imo } from '../../reference/imo.ts';
import type { Feature } from '../feature.ts';
import type { RunContext } from '../run-context.ts';
import { askNextPorts, type NextPortsServices } from './answer.ts';
import { nextPortsBrief } from './brief-view.ts';
import { nextport } from './command.ts';

/** Where vessels will probably call next. */
export const createNextPorts = (services: NextPortsServices) => ({
  ...({
    commands: [nextport(services)],
    fulfils: { 'next-ports-of': ({ imos }) => `nextport ${imos.join(', ')}` },
    prompts: [{ title: 'Where does vessel 9461477 call next?', line: 'nextport 9461477' }],
  } satisfies Feature),
  /** The answer to `nextport <imo>` in a few lines; `isEmpty` if nothing is predicted. */
  async brief(imo: Imo, context: RunContext) {
    const answer = await askNextPorts(imo, { ...context, ...services });
    const shown = { ...answer, line: `nextport ${imo}`, page: 1 };
    return {
      isEmpty: answer.predictions.length === 0,
      view: (reader: Reader) => nextPortsBrief(shown, reader),
    };
  },
});
