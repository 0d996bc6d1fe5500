import type { VesselDirectory } from '../../../grammar/vessel-directory.ts';
import type { Imo } from '../../../reference/imo.ts';
import { type ChangeQuestion, changeValue } from '../service/foreign-change.ts';
import { isOfPort, vesselSubjects, vesselsTitle } from '../store/watch-list.ts';
import type { WatchChangeQuestion } from '../views/change-question.ts';

/** What the question before a change of somebody else's watch shows. */
export function changeQuestion(
  { watch, change }: ChangeQuestion,
  vessels: VesselDirectory,
): WatchChangeQuestion {
  const { title, ownerId, rules, followedSubjects } = watch;
  const former = vesselSubjects(followedSubjects);
  const { imos = former } = change;
  const without = (some: readonly Imo[], others: readonly Imo[]) =>
    vesselsTitle(
      some.filter((imo) => !others.includes(imo)),
      vessels,
    );
  return {
    kind: 'watch-change-question',
    title,
    ownerId,
    isPort: isOfPort(watch),
    before: rules,
    rules: change.rules,
    addedVessels: without(imos, former),
    removedVessels: without(former, imos),
    ...(change.ownerId !== undefined && { newOwnerId: change.ownerId }),
    value: changeValue(change),
  };
}
