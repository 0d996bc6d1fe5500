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
} from './fleets.ts';
