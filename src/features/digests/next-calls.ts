import type { Comparison } from '../../answers/answer.ts';
import type { Imo } from '../../reference/codes.ts';
import { minListedCall } from '../port-calls/index.ts';
import type { DigestMessage, News, VesselCall } from './digest.ts';

/** The most vessels in a digest's message. */
export const maxVessels = 10;

interface AnsweredLine {
  comparison: Comparison | null;
  /** The message has the line's verdict. */
  isBrief: boolean;
}

/**
 * The call of each vessel that the lines answer about, its likeliest, the earliest first. Left out is a vessel that the
 * news names, or the verdict of a line about it alone.
 */
export function nextCalls(
  answers: readonly AnsweredLine[],
  news: readonly Pick<News, 'imo'>[],
): DigestMessage['calls'] {
  const named = new Set([
    ...news.map(({ imo }) => imo),
    ...answers.flatMap(({ comparison, isBrief }) => (isBrief ? onlyVesselOf(comparison) : [])),
  ]);
  const likeliest = new Map<Imo, VesselCall>();
  for (const call of answers.flatMap(({ comparison }) => callsOf(comparison)))
    if (!named.has(call.imo) && isLikelier(call, likeliest.get(call.imo))) likeliest.set(call.imo, call);
  const all = [...likeliest.values()].sort((one, other) => timeOf(one) - timeOf(other));
  return { first: all.slice(0, maxVessels), total: all.length };
}

/** The calls that the answer shows. */
function callsOf(comparison: Comparison | null): VesselCall[] {
  const { questions = [], from = 0 } = comparison ?? {};
  return questions.flatMap(({ isList, rows }) =>
    (rows ?? []).flatMap(({ imo, call, when }) => {
      const isShown =
        !isList || (when === 'within' && call && call.probability >= Math.max(from, minListedCall));
      return imo !== undefined && call && isShown ? [{ imo, ...call }] : [];
    }),
  );
}

function onlyVesselOf(comparison: Comparison | null): Imo[] {
  const [question, ...others] = comparison?.questions ?? [];
  if (!question || question.isList || others.length > 0) return [];
  return (question.rows ?? []).flatMap(({ imo }) => imo ?? []);
}

const isLikelier = (call: VesselCall, than: VesselCall | undefined): boolean =>
  than === undefined || call.probability > than.probability;

/** Calls without an ETA come last. */
const timeOf = ({ eta }: VesselCall): number => eta?.getTime() ?? Number.MAX_SAFE_INTEGER;
