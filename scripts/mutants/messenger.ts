import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** What a run tells its parent. A message about each test shows that it goes on. */
export interface FileResult {
  file: string;
  milliseconds: number;
  reached: readonly number[];
  /** The names of failed tests, or of what else has failed. */
  failures: readonly string[];
}
export type Message =
  | { kind: 'test' }
  | ({ kind: 'file' } & FileResult)
  | { kind: 'end'; errors: readonly string[] };

const send = (message: Message) => process.send?.(message);

/** A reporter for the process that has started Vitest. */
export default class Messenger implements Reporter {
  onTestCaseResult(): void {
    send({ kind: 'test' });
  }

  onTestModuleEnd(module: TestModule): void {
    const tests = [...module.children.allTests('failed')].map(nameOf);
    const failures = tests.length > 0 || module.ok() ? tests : ['(outside of its tests)'];
    const { reachedMutants: reached = [] } = module.meta();
    const { duration: milliseconds } = module.diagnostic();
    send({ kind: 'file', file: relative('', module.moduleId), milliseconds, reached, failures });
  }

  onTestRunEnd(_modules: unknown, errors: readonly { message: string }[]): void {
    send({ kind: 'end', errors: errors.map(({ message }) => message) });
  }
}

function nameOf({ fullName }: TestCase): string {
  return fullName.replaceAll(' > ', ' › ');
}
