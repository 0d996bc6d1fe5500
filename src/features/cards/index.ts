export {
  cancelCardCleanup,
  closeCard,
  postCard,
  removeCard,
  scheduleCardRemoval,
  scheduleFinalCard,
} from './change-card.ts';
export type { WatchMessage } from './messages.ts';
export { watchMessages } from './outgoing.ts';
export { currentTitles, findShown, renderAcknowledged, renderCard, renderPost } from './render-post.ts';
export { type AlertElsewhere, alertElsewhere, alertPlace } from './views/alerts.ts';
export {
  dueLines,
  expectedInWords,
  expectedVessels,
  isToCheck,
  type ListedVessel,
  linesOf,
  listedVessels,
  nextCallAt,
  nextExpected,
  nextOf,
  promiseLines,
  vesselNotes,
} from './views/shown-vessel.ts';
