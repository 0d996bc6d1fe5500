import type { Answer } from '../answers/answer.ts';
import { forMembers } from '../answers/text.ts';
import type { VesselDirectory } from '../grammar/vessel-directory.ts';
import type { Imo } from '../reference/codes.ts';

/** Notes the references that name a line's vessels: the answer says how it was understood, and begins with the reference. */
export function noteReferences(vessels: VesselDirectory) {
  const found = new Map<Imo, string>();
  const noting: VesselDirectory = {
    ...vessels,
    referenced(text) {
      const matches = vessels.referenced(text);
      for (const { imo, reference } of matches) found.set(imo, reference);
      return matches;
    },
  };
  const typedIn = ({ line }: { line: string }) => {
    const imos = new Set(line.match(/\b\d{7}\b/g)?.map(Number));
    const typed = found.entries().filter(([imo]) => imos.has(imo));
    const [reference] = [...typed].map(([, each]) => each);
    return {
      hasReference: reference !== undefined,
      /** As it is stored, if the line is about its vessel alone. */
      ...(reference !== undefined && imos.size === 1 && { reference }),
    };
  };
  return { vessels: noting, typedIn };
}

/** `BK-4403 · AMBER BEACON → Rotterdam, 90%`. What the workspace itself has stored of a vessel needs no such beginning. */
export function ledByReference(answer: Answer, reference: string | undefined): Answer {
  if (reference === undefined || answer.isOwn) return answer;
  const { verdict, ...others } = answer;
  return { ...others, verdict: { ...verdict, strong: [forMembers(`${reference} · `), verdict.strong] } };
}
