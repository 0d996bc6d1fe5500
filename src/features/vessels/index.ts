import { createVesselDirectory, type VesselDirectory } from '../../grammar/vessel-directory.ts';
import { exampleVessels } from '../../reference/vessels.ts';
import { DeadlineError, withinDeadline } from '../deadline.ts';
import type { Feature, GetFleet } from '../feature.ts';
import type { FollowFleets } from '../run-context.ts';
import type { WorkspaceServices } from '../services.ts';
import type { AskCtx } from '../variant.ts';
import { vessel } from './command.ts';
import { createFleets } from './fleets.ts';
import { name } from './form.ts';
import { namesOnHome } from './home.ts';
import { importNames } from './import-names.ts';
import { createImportTurns } from './import-turns.ts';
import { createVesselNames, type VesselNames } from './vessel-names.ts';

/** Names for vessels, and fleets. */
export function createVessels(services: WorkspaceServices & { followFleets: FollowFleets }) {
  const names = createVesselNames({ ...services, examples: exampleVessels });
  const fleets = createFleets(services);
  const takeTurn = createImportTurns(services);
  const vesselsServices = { names, fleets, sendFile: services.slack.sendFile, access: services.access };
  const feature: Feature = {
    commands: [vessel(vesselsServices)],
    forms: [name(vesselsServices)],
    home: namesOnHome(vesselsServices),
    takeFile: (file, context) =>
      takeTurn(context, () => importNames(file, { ...context, ...vesselsServices })),
  };
  return { ...feature, getFleet: fleets.get, directory: createRecentDirectory(names, services) };
}

/** For lines of other features that name a fleet. */
export const fleetsHere = ({ services }: Pick<AskCtx, 'services'>): { get: GetFleet } =>
  createFleets(services);

const maxWaitMs = 1_000;

/** Returns the current names; if the store does not answer within a second, the names read last. */
function createRecentDirectory(
  names: Pick<VesselNames, 'directory'>,
  { logger }: Pick<WorkspaceServices, 'logger'>,
): () => Promise<VesselDirectory> {
  let lastRead = createVesselDirectory(exampleVessels);
  let pendingRead: Promise<VesselDirectory> | undefined;
  return async () => {
    pendingRead ??= names.directory().finally(() => {
      pendingRead = undefined;
    });
    const current = pendingRead;
    try {
      lastRead = await withinDeadline(maxWaitMs, () => current);
    } catch (error) {
      if (!(error instanceof DeadlineError))
        logger.warn({ err: error }, "vessel names can't be read; the names read last stay in use");
    }
    return lastRead;
  };
}
