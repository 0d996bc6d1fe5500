export { parseChanges, watchChanges } from './changes.ts';
export type { ReadWatched } from './find-changes.ts';
export type { SentAlert } from './net-changes.ts';
export { sinceHelp } from './since.ts';
