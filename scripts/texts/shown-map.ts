import { mapOf } from '../../src/features/next-ports/map.ts';
import { nextPortsMapView } from '../../src/features/next-ports/map-view.ts';
import { asked, cypress, now, prediction, reader } from '../../test/support/view-fixtures.ts';
import { type ShownText, shown } from './shown-text.ts';

export function shownMap(): ShownText {
  const predictions = [
    prediction('NLRTM', 0.82, '2026-11-23T14:05:00Z', { etaZone: 'assumed-utc' }),
    prediction('THLKR', 0.16, '2026-12-25T03:05:00Z'),
    prediction('BEANR', 0.02),
  ] as const;
  const answer = { ...asked, vessel: cypress, endpoint: 'vessel', predictions } as const;
  const picture = mapOf(answer, { source: 'sandbox', now });
  const more = { kind: 'next-ports-map', line: 'nextport 9461477 map', picture, url: 'https://…' } as const;
  return shown('nextPortsMapView', nextPortsMapView({ ...answer, ...more }, reader));
}
