import { nextPortsBrief } from '../../src/features/next-ports/brief-view.ts';
import { asked, cypress, prediction, reader } from '../../test/support/view-fixtures.ts';
import { type ShownText, shown } from './shown-text.ts';

export function shownLinks(): ShownText[] {
  const predictions = [
    prediction('NLRTM', 0.82, '2026-11-23T14:05:00Z', { etaZone: 'assumed-utc' }),
    prediction('THLKR', 0.16, '2026-12-25T03:05:00Z'),
    prediction('BEANR', 0.02),
  ];
  const line = 'nextport 9461477';
  const answer = { kind: 'next-ports', ...asked, line, vessel: cypress, endpoint: 'vessel' } as const;
  return [
    shown('nextPortsBrief', nextPortsBrief({ ...answer, predictions }, reader)),
    shown('nextPortsBrief, nothing', nextPortsBrief({ ...answer, predictions: [] }, reader)),
  ];
}
