export { checkPlace, ownerField, type PlaceFields, placeFields, readPlace } from './form.ts';
export {
  askToEnd,
  checkMayAdd,
  checkMayChange,
  checkNewOwner,
  checkOutsidersAsked,
  editButton,
  gone,
  isPersonalThing,
  listChoice,
  type OwnedKind,
  type OwnedThing,
  offeredToChange,
  placeInWords,
  requireToChange,
  unknownThing,
} from './kind.ts';
export { askAboutOutsiders, checkOutsiders } from './outsiders.ts';
export { pausedInWords, pausedWork, resumeButton, withPausedWork } from './paused-work.ts';
export { pauseRefused, pausing } from './pausing.ts';
export { auditEntries, checkChannelLimit, pausableRows } from './store.ts';
