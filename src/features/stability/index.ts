export { storeEndedCalls } from './ended-calls.ts';
export { movedInWords, stayedInWords } from './figures.ts';
export { forgetFinishedCalls, readFinishedCalls } from './finished-calls.ts';
export { stability, stabilityTool } from './stability.ts';
export { parseStability, stabilityHelp } from './words.ts';
