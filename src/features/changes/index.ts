export { changes, changesHelp, parseChanges } from './changes.ts';
export { sinceHelp } from './since.ts';
