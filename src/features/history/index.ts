export {
  forgetHistory,
  listedSource,
  lookBackHours,
  portHistory,
  readAnswersAt,
  readHistory,
  readPredictions,
  slowestMinutes,
  writeHistory,
} from './history.ts';
export {
  checkScope,
  formatScope,
  noWatches,
  placeOf,
  privacyOf,
  type Scoped,
  scopeOf,
  scopeOption,
  scopes,
} from './scope.ts';
export {
  columnsKey,
  fromColumns,
  readWatched,
  type SubjectColumns,
  selectFollowed,
  subjectKey,
  toColumns,
  watchedLists,
  watchedVessels,
} from './subject.ts';
export {
  beginWatched,
  changeWatchedOwner,
  endWatched,
  readWatchedTimes,
  type WatchedTime,
  watchedAt,
} from './watched-times.ts';
