import type { FindFleet } from '../feature.ts';
import type { RunContext } from '../run-context.ts';
import type { WatchService } from './service/watch-service.ts';

export interface WatchesServices {
  watches: WatchService;
  findFleet: FindFleet;
}

export type WatchesContext = RunContext & WatchesServices;
