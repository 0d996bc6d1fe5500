import type { Message, Reader } from '../../messages/message.ts';
import { type NextPortsComparison, nextPortsCompareView } from './compare-view.ts';
import { type FleetNextPorts, fleetNextPortsView } from './fleet-view.ts';
import { type VesselHistoryAnswer, vesselHistoryView } from './history-view.ts';
import { type NextPortsMap, nextPortsMapView } from './map-view.ts';
import { type NextPortsAnswer, nextPortsView } from './view.ts';

/** The answer to any line of the command. */
export type NextportAnswer =
  | NextPortsAnswer
  | NextPortsComparison
  | NextPortsMap
  | FleetNextPorts
  | VesselHistoryAnswer;

export function nextportView(answer: NextportAnswer, reader: Reader): Message {
  switch (answer.kind) {
    case 'next-ports':
      return nextPortsView(answer, reader);
    case 'next-ports-comparison':
      return nextPortsCompareView(answer, reader);
    case 'next-ports-map':
      return nextPortsMapView(answer, reader);
    case 'fleet-next-ports':
      return fleetNextPortsView(answer, reader);
    case 'vessel-history':
      return vesselHistoryView(answer, reader);
  }
}
