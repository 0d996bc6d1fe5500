import { briefAnswer } from '../../src/features/next-ports/vessel-answer.ts';
import { messageOf } from '../../test/support/answer-message.ts';
import { asked, cypress, prediction, reader } from '../../test/support/view-fixtures.ts';
import { type ShownText, shown } from './shown-text.ts';

export function shownLinks(): ShownText[] {
  const predictions = [
    prediction('NLRTM', 0.82, '2026-11-23T14:05:00Z', { etaZone: 'assumed-utc' }),
    prediction('THLKR', 0.16, '2026-12-25T03:05:00Z'),
    prediction('BEANR', 0.02),
  ];
  const brief = (given: typeof predictions) =>
    messageOf(
      briefAnswer({ ...asked, vessel: cypress, endpoint: 'vessel', predictions: given }, reader.now),
      'nextport 9461477',
    );
  return [shown('briefAnswer', brief(predictions)), shown('briefAnswer, nothing', brief([]))];
}
