import type { KyselyPlugin, RootOperationNode } from 'kysely';

interface Hooks {
  /** Before each statement; what it throws is the statement's error. */
  before?: (node: RootOperationNode) => void;
  /** When the answer has come, before whoever asked gets it. */
  after?: () => unknown;
}

export const aroundStatements = ({ before, after }: Hooks): KyselyPlugin => ({
  transformQuery({ node }) {
    before?.(node);
    return node;
  },
  async transformResult({ result }) {
    await after?.();
    return result;
  },
});

/** Lets `count` statements through, and fails all others, like a process that ends in between. */
export function failAfter(count: number): KyselyPlugin {
  let left = count;
  return aroundStatements({
    before() {
      left -= 1;
      if (left < 0) throw new Error('the process has ended');
    },
  });
}
