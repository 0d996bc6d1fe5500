export { forecastOf } from './forecast.ts';
export { promisesHere } from './here.ts';
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
