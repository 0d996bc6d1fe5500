import type { VesselDirectory } from '../../grammar/vessel-directory.ts';
import { exampleVessels } from '../../reference/vessels.ts';
import type { Feature, FindFleet, WorkspaceServices } from '../feature.ts';
import { vessel } from './command.ts';
import { createFindFleet } from './find-fleet.ts';
import { createFleets } from './fleets.ts';
import { name } from './form.ts';
import { namesOnHome } from './home.ts';
import { importNames } from './import-names.ts';
import { createRecentDirectory } from './recent-directory.ts';
import { createVesselNames } from './vessel-names.ts';

interface Vessels extends Feature {
  findFleet: FindFleet;
  /** The names as they are now; those last known while the store does not answer. */
  directory(): Promise<VesselDirectory>;
}

/** Names for vessels, and fleets of several. */
export function createVessels(services: WorkspaceServices): Vessels {
  const { workspaceId, slack } = services;
  const names = createVesselNames({ ...services, examples: exampleVessels });
  const fleets = createFleets(services);
  const findFleet = createFindFleet({ fleets, workspaceId });
  const own = { workspaceId, names, fleets, findFleet, sendFile: slack.sendFile };
  return {
    commands: [vessel(own)],
    forms: [name(own)],
    home: namesOnHome(own),
    takeFile: (file, context) => importNames(file, { ...context, ...own }),
    findFleet,
    directory: createRecentDirectory(names, services),
  };
}
