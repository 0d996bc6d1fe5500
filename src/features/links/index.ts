import type { Imo } from '../../reference/imo.ts';
import type { LineAnswer } from '../command.ts';
import type { BoundAction, Feature } from '../feature.ts';
import { commandCause, type RunContext } from '../run-context.ts';
import { vesselOfLink } from './vessel-of-link.ts';

export { linkDomains } from './vessel-of-link.ts';
export { linkChoices } from './words.ts';

interface LinksServices {
  /** The next ports of a vessel, in short. */
  brief(imo: Imo, context: RunContext): Promise<{ isEmpty: boolean; view: LineAnswer['view'] }>;
}

/** Links to vessels on other sites, which show the next ports where an admin has switched that on. */
export function createLinks({ brief }: LinksServices): Feature {
  const questionAbout = (imo: Imo) => (surface: 'link' | 'refresh') =>
    ({
      // The command line that asks the same: they share the limit of one refresh a minute.
      name: `nextport ${imo}`,
      repeatable: true,
      async run(context: RunContext) {
        const answer = await brief(imo, { ...context, cause: commandCause('nextport', context.place) });
        // “No prediction” under every link to a tug would be noise; who presses Refresh wants to know.
        return answer.isEmpty && surface === 'link' ? undefined : answer;
      },
    }) satisfies BoundAction;
  return {
    commands: [],
    readLink(url) {
      const imo = vesselOfLink(url);
      return imo === undefined ? undefined : { key: String(imo), ask: questionAbout(imo) };
    },
  };
}
