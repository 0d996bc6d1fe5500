import type { Access } from '../../workspaces/permissions.ts';
import type { RunContext } from '../run-context.ts';
import type { SendFile } from '../services.ts';
import type { ChangeBy, Fleets } from './fleets.ts';
import type { VesselNames } from './vessel-names.ts';

export interface VesselsServices {
  names: VesselNames;
  fleets: Fleets;
  sendFile: SendFile;
  access: Access;
}

export type VesselsContext = RunContext & VesselsServices;

export const changeBy = ({ actor, now }: RunContext): ChangeBy => ({ actorId: actor.userId, now: now() });
