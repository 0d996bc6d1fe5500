// Notes for each test file which changes it reaches, imports included, and switches one on.
import { afterAll, inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    activeMutant: number;
  }
  interface TaskMeta {
    reachedMutants?: number[];
  }
}

const active = inject('activeMutant');
const reached = new Set<number>();

Object.assign(globalThis, {
  isMutant(id: number): boolean {
    reached.add(id);
    return id === active;
  },
});

// biome-ignore lint/correctness/noEmptyPattern: Vitest accepts no other parameter here.
afterAll(({}, file) => {
  file.meta.reachedMutants = [...reached];
});
