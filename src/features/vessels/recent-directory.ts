import { createVesselDirectory, type VesselDirectory } from '../../grammar/vessel-directory.ts';
import type { Logger } from '../../log.ts';
import { exampleVessels } from '../../reference/vessels.ts';
import type { VesselNames } from './vessel-names.ts';

const waitMs = 1_000;

/** The names as they are now; those last known while the store does not answer, so that no command waits for it. */
export function createRecentDirectory(
  names: Pick<VesselNames, 'directory'>,
  { workspaceId, logger }: { workspaceId: string; logger: Logger },
): () => Promise<VesselDirectory> {
  let last = createVesselDirectory(exampleVessels);
  let reading: Promise<VesselDirectory> | undefined;
  return async () => {
    reading ??= names.directory(workspaceId).finally(() => {
      reading = undefined;
    });
    const { promise: late, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => resolve(undefined), waitMs);
    try {
      last = (await Promise.race([reading, late])) ?? last;
    } catch (error) {
      logger.warn({ err: error }, "vessel names can't be read: going on with those last known");
    } finally {
      clearTimeout(timer);
    }
    return last;
  };
}
