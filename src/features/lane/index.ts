import type { Feature } from '../feature.ts';
import type { AnalyticsServices } from '../run-context.ts';
import { lane } from './command.ts';

/** How the carriers of a trade lane perform. */
export const createLane = (services: AnalyticsServices): Feature => ({
  commands: [lane(services)],
  prompts: [
    { title: 'Which carriers are late from Rotterdam to Singapore?', line: 'lane Rotterdam Singapore' },
  ],
});
