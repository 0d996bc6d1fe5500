import type { MapPicture, MapPlace } from '../../src/pictures/map-picture.ts';
import type { Locode } from '../../src/reference/codes.ts';
import { portOf } from '../../src/reference/ports.ts';

/** A place at a known port. */
export function placeAt(code: string, weight: number, more: Partial<MapPlace> = {}): MapPlace {
  const { name = code, latitude, longitude } = portOf(code as Locode) ?? {};
  return {
    name,
    share: `${Math.round(weight * 100)}%`,
    weight,
    detail: 'Mon 23 Nov 15:05 LT',
    ...(latitude !== undefined && longitude !== undefined && { at: [latitude, longitude] }),
    ...more,
  };
}

export const pictureOf = (places: MapPlace[], more: Partial<MapPicture> = {}): MapPicture => ({
  title: 'DS CYPRESS',
  subtitle: 'Likely next ports · forecast as of Sat 21 Nov 09:05 UTC',
  places,
  notes: ['No position or route: the service gives none'],
  ...more,
});

export const picture = pictureOf([placeAt('NLRTM', 0.82), placeAt('DEHAM', 0.11), placeAt('BEANR', 0.05)]);
