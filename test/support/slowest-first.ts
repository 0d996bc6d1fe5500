import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** These start processes and wait for them, so they are slower than their size tells. */
const areSlow = /\/process\.test\.ts$|\/operate-workspaces\.test\.ts$|\.browser\.test\.ts$/;

/** Without the durations of an earlier run, Vitest sorts files by size, and a slow file could run alone at the end. */
export default class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification) => areSlow.test(moduleId);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}
