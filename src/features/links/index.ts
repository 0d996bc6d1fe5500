import type { Answer } from '../../answers/answer.ts';
import { toMessage } from '../../answers/slack/render.ts';
import { withoutShare } from '../../messages/frame/answer-actions.ts';
import type { Reader } from '../../messages/message.ts';
import type { Imo } from '../../reference/imo.ts';
import type { BoundAction, Feature } from '../feature.ts';
import { commandCause, type RunContext, type WorkCtx } from '../run-context.ts';
import type { AskCtx } from '../variant.ts';
import { vesselOfLink } from './vessel-of-link.ts';

export { linkDomains } from './vessel-of-link.ts';
export { linkChoices } from './words.ts';

/** The next ports of a vessel, in short; `isEmpty` if nothing is predicted. */
type Brief = (imo: Imo, ctx: AskCtx) => Promise<{ answer: Answer; isEmpty: boolean }>;

/** Links to vessels on other sites, which show the next ports where an admin has switched that on. */
export function createLinks(brief: Brief): Feature {
  // The line that asks the same: they share the limit of one refresh a minute.
  const questionAbout = (imo: Imo) => (surface: 'link' | 'refresh', ctx: WorkCtx) => {
    const { lineOf } = ctx.registry;
    const line = lineOf({ kind: 'next-ports-of', imos: [imo] }) ?? '';
    return {
      name: line,
      repeatable: true,
      async run(context: RunContext) {
        const cause = commandCause('nextport', context.place);
        const { answer, isEmpty } = await brief(imo, { ...context, cause });
        // “No prediction” under every link to a tug would be noise; who presses Refresh wants to know.
        if (isEmpty && surface === 'link') return undefined;
        // Everybody already sees it.
        return { view: (reader: Reader) => withoutShare(toMessage(answer, { line, reader, lineOf })) };
      },
    } satisfies BoundAction;
  };
  return {
    commands: [],
    readLink(url) {
      const imo = vesselOfLink(url);
      return imo === undefined ? undefined : { key: String(imo), ask: questionAbout(imo) };
    },
  };
}
