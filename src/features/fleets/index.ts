export {
  addFleets,
  addToFleet,
  type Fleet,
  type FleetChanged,
  findFleet,
  fleetsHere,
  getFleet,
  readFleetNames,
  removeFromFleet,
  removeMembers,
} from './fleets.ts';
