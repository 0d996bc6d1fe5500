import type { KyselyPlugin } from 'kysely';

/** Lets `count` statements through, and fails all others, like a process that ends in between. */
export function failAfter(count: number): KyselyPlugin {
  let left = count;
  return {
    transformQuery({ node }) {
      left -= 1;
      if (left < 0) throw new Error('the process has ended');
      return node;
    },
    transformResult: async ({ result }) => result,
  };
}
