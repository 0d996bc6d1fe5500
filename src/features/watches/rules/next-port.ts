import { z } from 'zod';
import { isUndecided, percent } from '../../../messages/formatting/probability.ts';
import { nextPortChanged, portsWaver } from '../evaluation/next-port.ts';
import { etaText, lastNotified, portText, prospectText } from '../views/event-text.ts';
import { defineRule } from './rule.ts';
import { flagRule } from './rule-parts.ts';

/** Another port is the next one, or two ports waver. */
export const nextPort = defineRule({
  key: 'nextPort',
  appliesTo: 'vessels',
  ...flagRule({
    typed: 'next port',
    pattern: 'next port(?: changes?)?|port changes?',
    when: 'the next port changes',
  }),
  help: 'another port is on top',
  event: z.union([nextPortChanged, portsWaver]),
  // On its next leg the vessel has probably called at the old port.
  isCritical: (event) => event.kind === 'next-port-changed' && event.nextLeg !== true,
  portChanged: (change) => [change],
  view(event, { now }) {
    if (event.kind === 'wavering') {
      return {
        headline: `Wavering between ${portText(event.was)} and ${portText(event.next)}`,
        rest: `: now ${prospectText(event.next)}${event.old ? `, ${prospectText(event.old)}` : ''}.`,
        details: [
          `${etaText(event.next, now)}. You will be notified again when one of them has led for 6 hours.`,
        ],
      };
    }
    return {
      headline: `${leadIn(event)} ${prospectText(event.next)}`,
      rest: otherPort(event),
      details: [`${etaText(event.next, now)}. ${lastNotified(event.was, now)}`],
    };
  },
});

type Changed = z.output<typeof nextPortChanged>;

function leadIn({ next, old, settled }: Changed): string {
  if (old && isUndecided(next.probability, old.probability)) return 'Next port is undecided:';
  return settled ? 'Settled: next port is' : 'Next port is now';
}

function otherPort({ old, was, next, rival = was.port }: Changed): string {
  if (old) return `; ${portText(old)} ${percent(old.probability)}.`;
  return rival === next.port ? '.' : `; ${portText({ port: rival })} is no longer predicted.`;
}
