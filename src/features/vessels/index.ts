import { createVesselDirectory, type VesselDirectory } from '../../grammar/vessel-directory.ts';
import { exampleVessels } from '../../reference/vessels.ts';
import { DeadlineError, withinDeadline } from '../deadline.ts';
import type { Feature, GetFleet, WorkspaceServices } from '../feature.ts';
import { vessel } from './command.ts';
import { createFleets } from './fleets.ts';
import { name } from './form.ts';
import { namesOnHome } from './home.ts';
import { importNames } from './import-names.ts';
import { createVesselNames, type VesselNames } from './vessel-names.ts';

interface Vessels extends Feature {
  getFleet: GetFleet;
  /** The current names; the last ones read if the store does not answer. */
  directory(): Promise<VesselDirectory>;
}

/** Names for vessels, and fleets. */
export function createVessels(services: WorkspaceServices): Vessels {
  const names = createVesselNames({ ...services, examples: exampleVessels });
  const fleets = createFleets(services);
  const vesselsServices = { names, fleets, sendFile: services.slack.sendFile };
  return {
    commands: [vessel(vesselsServices)],
    forms: [name(vesselsServices)],
    home: namesOnHome(vesselsServices),
    takeFile: (file, context) => importNames(file, { ...context, ...vesselsServices }),
    getFleet: fleets.get,
    directory: createRecentDirectory(names, services),
  };
}

const waitMs = 1_000;

/** No command waits longer than a second for the names: then it gets the last ones read. */
function createRecentDirectory(
  names: Pick<VesselNames, 'directory'>,
  { logger }: Pick<WorkspaceServices, 'logger'>,
): () => Promise<VesselDirectory> {
  let last = createVesselDirectory(exampleVessels);
  let reading: Promise<VesselDirectory> | undefined;
  return async () => {
    reading ??= names.directory().finally(() => {
      reading = undefined;
    });
    const current = reading;
    try {
      last = await withinDeadline(waitMs, () => current);
    } catch (error) {
      if (!(error instanceof DeadlineError))
        logger.warn({ err: error }, "vessel names can't be read: going on with those last known");
    }
    return last;
  };
}
