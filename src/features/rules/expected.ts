import { addDays } from 'date-fns/addDays';
import { z } from 'zod';
import { percent, percentPair } from '../../answers/formatting/words.ts';
import { portName } from '../../reference/ports.ts';
import { prospect } from '../../reference/prediction.ts';
import { baseline } from './evaluation/state.ts';
import { etaFigures, etaInWords, timeAt } from './event-text.ts';
import { defineRule, flagRule, isLatestAtPort, vesselEvent } from './rule.ts';

const newlyExpected = vesselEvent('newly-expected', { now: prospect });
const noLongerExpected = vesselEvent('no-longer-expected', { was: baseline, now: prospect.nullable() });

/** A vessel that is no longer expected stays worth a look for this long. */
const goneDays = 3;

/** A vessel is newly expected in a port, or no longer. `PortWindow` says how far ahead, and how near its ETA. */
export const expected = defineRule({
  key: 'expected',
  appliesTo: 'ports',
  ...flagRule({ typed: 'expected', when: 'a vessel is newly expected, or no longer' }),
  help: 'for a port: a vessel is newly expected there (of a whole port: within 7 days), or no longer',
  brief: () => 'vessels expected',
  event: z.union([newlyExpected, noLongerExpected]),
  isCurrent: (event, after) =>
    event.kind === 'newly-expected'
      ? isLatestAtPort(after)
      : after.expected === undefined && after.now < addDays(after.at, goneDays),
  appeared: ({ imo, current }) => [{ kind: 'newly-expected', imo, now: current }],
  vanished: ({ current, ...facts }) => [
    { kind: 'no-longer-expected' as const, ...facts, now: current ?? null },
  ],
  view(event, { now }) {
    if (event.kind === 'newly-expected') {
      const { now: current } = event;
      return {
        headline: `Newly expected at ${portName(current.port)}, ${percent(current.probability)}`,
        figures: etaFigures(current, now),
        what: `Newly expected at ${portName(current.port)}`,
        change: percent(current.probability),
        eta: etaInWords(current, now),
        isRoutine: true,
      };
    }
    const { now: current, was } = event;
    const port = portName(was.port);
    const pair = current && percentPair(was.probability, current.probability);
    const former = pair?.was ?? percent(was.probability);
    const after = pair?.now ?? 'not predicted';
    const figures = [`was ${former}${was.eta ? `, ${timeAt(was.port, was.eta, now)}` : ''}`];
    return {
      headline: `No longer expected at ${port}`,
      aside: current ? `now ${after}` : 'no longer predicted',
      figures,
      what: `No longer expected at ${port}`,
      change: `${former} → ${after}`,
    };
  },
});
