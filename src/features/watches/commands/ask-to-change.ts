import { type ChangeQuestion, changeValue } from '../service/foreign-change.ts';
import { isOfPort } from '../store/watch-list.ts';
import type { WatchChangeQuestion } from '../views/change-question.ts';

/** What the question before a change of somebody else's watch shows. */
export function changeQuestion({ watch, change }: ChangeQuestion): WatchChangeQuestion {
  const { title, ownerId, rules } = watch;
  return {
    kind: 'watch-change-question',
    title,
    ownerId,
    isPort: isOfPort(watch),
    before: rules,
    rules: change.rules,
    ...(change.ownerId !== undefined && { newOwnerId: change.ownerId }),
    value: changeValue(change),
  };
}
