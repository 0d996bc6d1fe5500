import type { AskCtx } from '../../src/features/ctx.ts';
import { askMap } from '../../src/features/next-ports/map.ts';
import { messageOf } from '../../test/support/answer-message.ts';
import { runContext } from '../../test/support/run-command.ts';
import { asked, cypress, prediction, reader } from '../../test/support/view-fixtures.ts';
import { type ShownText, shown } from './shown-text.ts';

export async function shownMap(): Promise<ShownText> {
  const predictions = [
    prediction('NLRTM', 0.82, '2026-11-23T14:05:00Z', { etaZone: 'assumed-utc' }),
    prediction('THLKR', 0.16, '2026-12-25T03:05:00Z'),
    prediction('BEANR', 0.02),
  ];
  const analytics = { vesselPredictions: async () => ({ ...asked, predictions }) };
  const services = { analytics, pictures: { urlOf: () => 'https://…' } };
  // askMap uses nothing else.
  const answer = await askMap(cypress.imo, { ...runContext(), services } as unknown as AskCtx);
  return shown('nextport 9461477 map', messageOf(answer, 'nextport 9461477 map', reader));
}
