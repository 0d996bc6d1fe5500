import { z } from 'zod';
import { date, prospect } from '../../../reference/stored-values.ts';
import { baseline } from '../evaluation/state.ts';
import { vesselEvent } from './rule.ts';

/** An event whose alert is edited in place until the dispute ends. `Kind` says what began it. */
export const disputeEvent = <const Kind extends string>(kind: Kind) =>
  vesselEvent(kind, {
    /** The baseline when the dispute began. */
    was: baseline,
    since: date,
    /** The likeliest port of the dispute now, and the other one if it is still predicted. */
    now: prospect,
    other: z.exactOptional(prospect),
    /** The threshold that the baseline's port fell under. */
    below: z.exactOptional(z.number()),
    /** `settled`: one port has led for long enough; `over`: another alert, or the next leg, has replaced it. */
    end: z.exactOptional(z.object({ kind: z.enum(['settled', 'over']), at: date })),
  });

const anyDispute = z.union([
  disputeEvent('undecided'),
  disputeEvent('back-and-forth'),
  disputeEvent('unlikely'),
]);
export type DisputeEvent = z.infer<typeof anyDispute>;

const kinds: readonly string[] = ['undecided', 'back-and-forth', 'unlikely'] satisfies DisputeEvent['kind'][];

export const isDisputeEvent = <E extends { kind: string }>(event: E): event is E & DisputeEvent =>
  kinds.includes(event.kind);

/** The edit key of its alert: a vessel has one dispute at a time. */
export const disputeKey = ({ imo }: DisputeEvent): string => `dispute ${imo}`;
