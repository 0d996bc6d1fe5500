import { vesselShort } from '../../../messages/formatting/vessel-label.ts';
import { escaped } from '../../../messages/mrkdwn.ts';
import type { WatchEvent } from '../rules/index.ts';
import { watchRules } from '../rules/registry.ts';
import { type EventText, type EventTextContext, knownVessel } from './event-text.ts';

/** What a message of a watch knows beside its own data; names are not escaped. */
export interface WatchFrame extends Pick<EventTextContext, 'nameOf'> {
  ownerName?: string;
  /** Who acknowledged. */
  acknowledgedBy?: string;
}

export interface EventWords extends Required<EventText> {
  /** Undefined where it is about no vessel. */
  vessel: string | undefined;
}

/** An event in words, by its rule. */
export function eventInWords(event: WatchEvent, { nameOf }: WatchFrame, now: Date): EventWords {
  const text = watchRules.ruleOf(event).view(event, { now, nameOf });
  const vessel = 'imo' in event ? escaped(vesselShort(knownVessel(event.imo, nameOf))) : undefined;
  return { vessel, startsWithName: false, rest: '.', details: [], ...text };
}
