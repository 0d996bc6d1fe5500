export { movedInWords, stayedInWords } from './answer.ts';
export { forgetFinishedCalls, readFinishedCalls, storeEndedCalls } from './calls.ts';
export { findGroup } from './group.ts';
export { parseStability, stability, stabilityHelp, stabilityTool } from './stability.ts';
