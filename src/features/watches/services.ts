import type { GetFleet } from '../feature.ts';
import type { RunContext } from '../run-context.ts';
import type { WatchService } from './service/watch-service.ts';

export interface WatchesServices {
  watches: WatchService;
  getFleet: GetFleet;
}

export type WatchesContext = RunContext & WatchesServices;
