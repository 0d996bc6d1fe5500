import type { Imo } from './imo.ts';

/** Real vessels for examples: the API has no names. A test checks the check digits. */
export const exampleVessels: readonly { imo: Imo; name: string }[] = [
  { imo: 9461477 as Imo, name: 'DS CYPRESS' },
  { imo: 9755933 as Imo, name: 'MSC DIANA' },
  { imo: 9811000 as Imo, name: 'EVER GIVEN' },
  { imo: 9839430 as Imo, name: 'MSC GULSUN' },
];
