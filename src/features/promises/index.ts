export { dueInWords, dueSchema, dueText, dueTime, resolveDue } from './due.ts';
export { forecastOf } from './forecast.ts';
export { promisesHere } from './here.ts';
export { apart, type Predicted, type Standing, standingLine, standingOf } from './standing.ts';
export {
  addPromises,
  forgetPastPromises,
  type NewPromise,
  promiseLimits,
  readOwnPromises,
  readPromises,
  removePromises,
  type StoredPromise,
  setOwnPromises,
} from './store.ts';
