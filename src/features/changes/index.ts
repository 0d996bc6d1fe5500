export { changes, changesHelp, parseChanges } from './changes.ts';
export { formatSince, readSince, resolveSince, type Since, sinceHelp, sinceOption } from './since.ts';
