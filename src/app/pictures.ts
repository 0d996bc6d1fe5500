import type { SecretBox } from '../database/secrets.ts';
import type { Pictures } from '../features/services.ts';
import type { Logger } from '../log.ts';
import { createPictureAddresses, picturesPath } from '../pictures/addresses.ts';
import { createDrawer } from '../pictures/drawer.ts';
import { createPictureServer } from '../pictures/picture-server.ts';

/** The pictures that messages show: their addresses, and the server behind these. */
export function createPictures({
  box,
  logger,
  timeoutMs,
}: {
  box: SecretBox;
  logger: Logger;
  timeoutMs: number | undefined;
}) {
  const addresses = createPictureAddresses(box.deriveKeys('picture addresses'));
  const drawer = createDrawer({ timeoutMs });
  const server = createPictureServer({ addresses, drawer, logger });
  return {
    handle: server.handle,
    routes: { [`${picturesPath}*`]: server.answer },
    close: drawer.close,
    /** `origin`: where Slack reaches the server, without a final slash. Without it there are no pictures. */
    at: (origin: string | undefined): Pictures | undefined =>
      origin === undefined ? undefined : { urlOf: (map) => `${origin}${addresses.pathOf(map)}` },
  };
}
