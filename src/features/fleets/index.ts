export {
  addFleets,
  addToFleet,
  type Fleet,
  type FleetChanged,
  findFleet,
  fleetsHere,
  getFleet,
  removeFromFleet,
} from './fleets.ts';
