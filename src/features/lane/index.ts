import type { AnalyticsServices } from '../call-options.ts';
import type { Feature } from '../feature.ts';
import { lane } from './command.ts';

/** How the carriers of a trade lane perform. */
export const createLane = (services: AnalyticsServices): Feature => ({ commands: [lane(services)] });
