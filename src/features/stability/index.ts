export { movedInWords, stayedInWords } from './answer.ts';
export { storeEndedCalls } from './ended-calls.ts';
export { forgetFinishedCalls, readFinishedCalls } from './finished-calls.ts';
export { stability, stabilityTool } from './stability.ts';
export { parseStability, stabilityHelp } from './words.ts';
