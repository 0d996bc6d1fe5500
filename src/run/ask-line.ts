import type { LineAnswer, ParsedLine, ParseLine } from '../features/command.ts';
import type { AskedLine, AskedOutcome, WorkCtx } from '../features/run-context.ts';
import { measureNothing } from '../measure.ts';
import { createRunLine, type RunServices } from './run-line.ts';

interface AskServices extends Pick<RunServices, 'now' | 'realNow' | 'source' | 'logger'> {
  parseLine: ParseLine;
}

/** Runs lines that features ask, such as those of a digest. The metrics count only what people ask. */
export function createAskLine({ parseLine, ...services }: AskServices) {
  const runLine = createRunLine({ ...services, deadlineMs: 15_000, measure: measureNothing });

  return async <Rendered>(
    { surface, fields, line, deadlineMs, who, check, render, ...context }: AskedLine<Rendered>,
    ctx: WorkCtx,
  ): Promise<AskedOutcome<Rendered>> =>
    runLine<ParsedLine, Rendered>({
      ...{ surface, fields, deadlineMs },
      who: async () => ({ ctx, ...(await who()) }),
      read({ vessels }) {
        const parsed = parseLine(line, { vessels });
        check(parsed);
        return parsed;
      },
      contextOf: () => context,
      render: (answer: LineAnswer, { prepared, reader }) => render(answer, prepared, reader),
    });
}
