import type { Imo } from './imo.ts';

/**
 * Real vessels for examples: names are not in the API, and no openly licensed list was found. Their check
 * digits are held by a test.
 */
export const exampleVessels: readonly { imo: Imo; name: string }[] = [
  { imo: 9461477 as Imo, name: 'DS CYPRESS' },
  { imo: 9755933 as Imo, name: 'MSC DIANA' },
  { imo: 9811000 as Imo, name: 'EVER GIVEN' },
  { imo: 9839430 as Imo, name: 'MSC GULSUN' },
];
