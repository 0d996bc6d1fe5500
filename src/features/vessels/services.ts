import type { FindFleet, SendFile, WorkspaceServices } from '../feature.ts';
import type { RunContext } from '../run-context.ts';
import type { Fleets } from './fleets.ts';
import type { VesselNames } from './vessel-names.ts';

export interface VesselsServices extends Pick<WorkspaceServices, 'workspaceId'> {
  names: VesselNames;
  fleets: Fleets;
  findFleet: FindFleet;
  sendFile: SendFile;
}

export type VesselsContext = RunContext & VesselsServices;
