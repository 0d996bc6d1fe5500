import { vesselShort } from '../../../messages/formatting/vessel-label.ts';
import { escaped } from '../../../messages/mrkdwn.ts';
import type { WatchEvent } from '../rules/index.ts';
import { watchRules } from '../rules/registry.ts';
import { type EventText, type EventTextContext, knownVessel } from './event-text.ts';

/** The names that a watch's message needs, not escaped. */
export interface WatchFrame extends Pick<EventTextContext, 'nameOf'> {
  ownerName?: string;
  acknowledgedBy?: string;
}

export interface EventWords extends Required<EventText> {
  /** Undefined if the event isn't about a vessel. */
  vessel: string | undefined;
}

export function eventInWords(event: WatchEvent, { nameOf }: WatchFrame, now: Date): EventWords {
  const text = watchRules.ruleOf(event).view(event, { now, nameOf });
  const vessel = 'imo' in event ? escaped(vesselShort(knownVessel(event.imo, nameOf))) : undefined;
  return { vessel, startsWithName: false, rest: '.', details: [], isAboutEta: false, ...text };
}
