export { changes, parseChanges } from './changes.ts';
export { sinceHelp } from './since.ts';
