// The tests as `npm test` runs them, without a browser, with all chosen changes compiled in as switches.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import root from '../../vitest.config.ts';
import { withSwitches } from './changes.ts';
import { Messenger } from './messenger.ts';
import { type Plan, planVariable } from './run-tests.ts';

// The parent has written it.
const plan = JSON.parse(readFileSync(process.env[planVariable] ?? '', 'utf8')) as Plan;
const { changes, active, files } = plan;

class InOrder extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => files?.indexOf(relative('', moduleId)) ?? 0;
    return specifications.toSorted((a, b) => place(a) - place(b));
  }
}

export default defineConfig({
  ...root,
  plugins: [
    {
      name: 'mutants',
      enforce: 'pre',
      transform(code, id) {
        const file = relative('', id.split('?', 1)[0] ?? '');
        const own = changes.flatMap((change, index) =>
          change.file === file ? [{ ...change, id: index }] : [],
        );
        return own.length > 0 ? { code: withSwitches(code, own), map: null } : undefined;
      },
    },
  ],
  test: {
    ...root.test,
    ...(files && { include: [...files], sequence: { sequencer: InOrder } }),
    exclude: [...(root.test?.exclude ?? []), '**/*.browser.test.ts'],
    // First: the others import sources.
    setupFiles: ['scripts/mutants/setup.ts', ...[root.test?.setupFiles ?? []].flat()],
    provide: { activeMutant: active ?? -1 },
    // While a worker is shared, what runs at an import is reached by its first file only.
    isolate: active === undefined,
    reporters: [new Messenger({ endsAtFailure: active !== undefined })],
  },
});
