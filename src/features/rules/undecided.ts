import { z } from 'zod';
import { isUndecided } from '../../predictions/next-port.ts';
import type { Prospect } from '../../reference/prediction.ts';
import {
  armedIf,
  disputeEvent,
  disputeMemory,
  disputeText,
  isOpenDispute,
  isTooFar,
  nextPoll,
} from './dispute.ts';
import { damping } from './evaluation/damping.ts';
import { defineRule, flagRule } from './rule.ts';

/** Two ports are within 5 points, or take turns within a day: one alert, edited in place until one has led for 6 hours. */
export const undecided = defineRule({
  key: 'undecided',
  appliesTo: 'vessels',
  ...flagRule({
    typed: 'undecided',
    pattern: 'undecided|disputes?|toss-?ups?',
    when: 'two ports are about equally likely, or take turns',
  }),
  help: 'two ports are within 5 points, or take turns; one alert, kept up to date',
  event: z.union([disputeEvent('undecided'), disputeEvent('back-and-forth')]),
  // Like a diversion, unless the other port is nearly as likely.
  isCritical: ({ kind, now, other, end }) =>
    kind === 'back-and-forth' && end === undefined && !(other && isTossUp(now, other)),
  isCurrent: isOpenDispute,
  replaces: ['unlikely'],
  memory: disputeMemory,
  begin: ({ current, ranked }) => armedIf(isClear(current, rivalOf(current, ranked))),
  evaluate({ imo, baseline: was, current, rival, isOnTop, isDisputed, memory, now }) {
    const polled = nextPoll(memory, {
      isDisputed,
      // If the other port leads, the vessel is diverted at the next poll, or this one is back on top.
      isTrue: isOnTop && isTossUp(current, rival) && !isTooFar(current, now),
      isClear: isClear(current, rival),
    });
    if (!polled.isConfirmed || !rival) return { events: [], memory: polled.memory };
    const event = { kind: 'undecided', imo, was, since: now, now: current, other: rival } as const;
    return { events: [event], memory: polled.memory };
  },
  portChanged(change, now) {
    if (change.kind !== 'back-and-forth' && change.kind !== 'undecided') return [];
    const { kind, imo, was, next, old } = change;
    return [{ kind, imo, was, since: now, now: next, ...(old && { other: old }) }];
  },
  view: (event, { now }) => disputeText(event, now),
});

const rivalOf = ({ port: own }: Prospect, ranked: readonly Prospect[]): Prospect | undefined =>
  ranked.find(({ port }) => port !== own);

const isTossUp = (current: Prospect, rival: Prospect | undefined): boolean =>
  isUndecided(current.probability, rival?.probability);

const isClear = (current: Prospect, rival: Prospect | undefined): boolean =>
  current.probability - (rival?.probability ?? 0) + 1e-9 >= damping.rearmLead;
