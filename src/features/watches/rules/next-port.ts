import { z } from 'zod';
import { portName } from '../../../reference/ports.ts';
import { damping } from '../evaluation/damping.ts';
import { nextPortChanged, portsWaver } from '../evaluation/next-port.ts';
import { etaFigures, etaInWords, formerEta, portChance } from '../views/event-text.ts';
import { portChangeText } from '../views/port-change-text.ts';
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
    if (event.kind === 'next-port-changed') return portChangeText(event, now);
    const { was, next, old } = event;
    const ports = `${portName(was.port)} and ${portName(next.port)}`;
    const chances = [next, ...(old ? [old] : [])].map(portChance).join(', ');
    return {
      headline: `Toss-up between ${ports}`,
      aside: `now ${chances}`,
      figures: [
        ...etaFigures(next, now),
        ...formerEta(was, next, now),
        `next alert when one has led for ${damping.settledHours} h`,
      ],
      what: 'Toss-up',
      change: chances,
      eta: etaInWords(next, now),
    };
  },
});
