export { changes, changesHelp, parseChanges } from './changes.ts';
export { formatSince, resolveSince, type Since, sinceHelp, sinceOption } from './since.ts';
