export { forecastOf } from './forecast.ts';
export { type Met, metBy, promisesHere } from './here.ts';
export { type Memories, readMemories, wasCalledAt } from './memory.ts';
export {
  type AddedPromise,
  addPromises,
  callOf,
  changePromisesOwner,
  forgetPastPromises,
  identityOf,
  type NewPromise,
  promiseLimits,
  readOwnPromises,
  readPromises,
  removePromises,
  replacePromises,
  type StoredPromise,
  setOwnPromises,
} from './store.ts';
