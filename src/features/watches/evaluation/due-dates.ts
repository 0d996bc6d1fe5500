import type { Imo } from '../../../reference/imo.ts';
import { canonicalPort } from '../../../reference/ports.ts';
import type { WatchEvent } from './events.ts';
import { isNear } from './next-port.ts';
import { type DueDate, damping } from './rules.ts';
import type { DueMemory, VesselState } from './state.ts';
import { hourMs, type Prospect } from './values.ts';

interface DueInput {
  imo: Imo;
  ranked: readonly Prospect[];
  due: readonly DueDate[];
  now: Date;
}

/** A date that the user gave: told when the ETA passes it, or the port gets unlikely; each armed again later. */
export function checkDueDates(
  memories: VesselState['due'],
  { imo, ranked, due, now }: DueInput,
): { events: WatchEvent[]; memories: VesselState['due'] } {
  const events: WatchEvent[] = [];
  const entries = due.map((date) => {
    const current = prospectOf(date, ranked);
    const memory = memories[keyOf(date)] ?? firstMemory(date, current);
    const checked = checkOne(memory, { date, current, now });
    if (checked.reasons.length > 0) {
      events.push({ kind: 'due', imo, due: date, now: current ?? null, reasons: checked.reasons });
    }
    return [keyOf(date), checked.memory];
  });
  return { events, memories: Object.fromEntries(entries) };
}

/** Whether or not anything is told: new dates are taken up in silence, and the last ETA is remembered. */
export function observeDueDates(memories: VesselState['due'], { ranked, due }: DueInput): VesselState['due'] {
  const entries = due.map((date) => {
    const current = prospectOf(date, ranked);
    const memory = memories[keyOf(date)] ?? firstMemory(date, current);
    return [keyOf(date), { ...memory, eta: current?.eta ?? memory.eta }];
  });
  return Object.fromEntries(entries);
}

const keyOf = ({ port, at }: DueDate): string => `${port} ${at.toISOString()}`;

function prospectOf({ port }: DueDate, ranked: readonly Prospect[]): Prospect | undefined {
  return ranked.find((prospect) => prospect.port === canonicalPort(port));
}

const isLate = ({ at }: DueDate, { eta }: Prospect): boolean => eta !== null && eta > at;

/** What is so from the start tells nothing; a port that is not yet listed may still come late. */
function firstMemory(date: DueDate, current: Prospect | undefined): DueMemory {
  return {
    lateArmed: !current || !isLate(date, current),
    unlikelyArmed: current !== undefined && current.probability >= damping.likely,
    eta: current?.eta ?? null,
  };
}

function checkOne(
  memory: DueMemory,
  { date, current, now }: { date: DueDate; current: Prospect | undefined; now: Date },
): { reasons: ('late' | 'unlikely')[]; memory: DueMemory } {
  const reasons: ('late' | 'unlikely')[] = [];
  let { lateArmed, unlikelyArmed } = memory;
  if (current?.eta) {
    if (lateArmed && isLate(date, current)) reasons.push('late');
    const inTime = current.eta.getTime() <= date.at.getTime() - damping.rearmDueHours * hourMs;
    lateArmed = isLate(date, current) ? false : lateArmed || inTime;
  }
  if (!current && isNear(memory.eta, now)) unlikelyArmed = false;
  const probability = current?.probability ?? 0;
  if (unlikelyArmed && probability < damping.likely) reasons.push('unlikely');
  unlikelyArmed =
    probability < damping.likely ? false : unlikelyArmed || probability >= damping.likely + damping.rearm;
  return { reasons, memory: { lateArmed, unlikelyArmed, eta: current?.eta ?? memory.eta } };
}
