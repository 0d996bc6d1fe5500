import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule, TestRunEndReason, Vitest } from 'vitest/node';

export interface Failure {
  file: string;
  test: string;
}

export interface FileResult {
  file: string;
  milliseconds: number;
  /** The ids of changes. */
  reached: readonly number[];
}

/** What a run sends to its parent. A message about each test shows that it goes on. */
export type Message =
  | { kind: 'test'; failure?: Failure }
  | { kind: 'file'; result: FileResult; failure?: Failure }
  | { kind: 'end'; errors: readonly string[] };

/** A reporter for the process that has started Vitest. */
export class Messenger implements Reporter {
  readonly #endsAtFailure: boolean;
  #vitest: Vitest | undefined;

  constructor({ endsAtFailure }: { endsAtFailure: boolean }) {
    this.#endsAtFailure = endsAtFailure;
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestCaseResult(test: TestCase): void {
    const failure = { file: fileOf(test.module), test: test.fullName.replaceAll(' > ', ' › ') };
    this.#send({ kind: 'test', ...(test.result().state === 'failed' && { failure }) });
  }

  onTestModuleEnd(module: TestModule): void {
    const { reachedMutants: reached = [] } = module.meta();
    const result = { file: fileOf(module), milliseconds: module.diagnostic().duration, reached };
    const failure = { file: result.file, test: 'outside of its tests' };
    const isOther = module.state() === 'failed' && [...module.children.allTests('failed')].length === 0;
    this.#send({ kind: 'file', result, ...(isOther && { failure }) });
  }

  onTestRunEnd(_modules: unknown, errors: readonly { message: string }[], reason: TestRunEndReason): void {
    const messages = errors.map(({ message }) => message);
    this.#send({ kind: 'end', errors: reason === 'interrupted' ? [...messages, 'interrupted'] : messages });
  }

  #send(message: Message): void {
    process.send?.(message);
    // Vitest's own `bail` may end the worker before it has said which test failed.
    if (this.#endsAtFailure && message.kind !== 'end' && message.failure)
      void this.#vitest?.cancelCurrentRun('test-failure');
  }
}

function fileOf({ moduleId }: TestModule): string {
  return relative('', moduleId);
}
