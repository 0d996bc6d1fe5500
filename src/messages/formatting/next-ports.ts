import type { Locode } from '../../reference/locode.ts';
import { portName, samePort } from '../../reference/ports.ts';
import { isUndecided, percent } from './probability.ts';

interface Candidate {
  port: Locode;
  probability: number;
}

/**
 * What is shown as a vessel's next port: the likeliest, or the first two if they are undecided. `ranked`: likeliest
 * first; `disputed`: two ports that stay undecided while the likeliest is one of them.
 */
export function nextPorts<Port extends Candidate>(
  [first, ...others]: readonly Port[],
  disputed: readonly Locode[] = [],
): readonly Port[] {
  if (!first) return [];
  const rival = disputed.includes(first.port)
    ? others.find(({ port }) => disputed.includes(port))
    : undefined;
  const [second] = others;
  const other = rival ?? (isUndecided(first.probability, second?.probability) ? second : undefined);
  return other ? [first, other] : [first];
}

/** `Norfolk or New York`. */
export const portNames = (next: readonly Candidate[]): string =>
  next.map(({ port }) => portName(port)).join(' or ');

/** `DS CYPRESS → Rotterdam 82%`, `DS CYPRESS · Undecided: Norfolk 51% or New York 47%`; not escaped. */
export function nextInWords(name: string, next: readonly Candidate[]): string {
  const ports = next.map(({ port, probability }) => `${portName(port)} ${percent(probability)}`).join(' or ');
  return next.length > 1 ? `${name} · Undecided: ${ports}` : `${name} → ${ports}`;
}

/**
 * The port that may be next instead of this one: `Le Havre is likelier (77%)`, or `about as likely` where both are
 * undecided. Undefined if this one is clearly the next. Not escaped.
 */
export function rivalOf<Port extends Candidate>(
  ranked: readonly Port[],
  at: Locode,
): { rival: Port; isLikelier: boolean; words: string } | undefined {
  const next = nextPorts(ranked);
  const rival = next.find(({ port }) => !samePort(port, at));
  if (!rival) return undefined;
  const isLikelier = !next.some(({ port }) => samePort(port, at));
  const how = isLikelier ? 'likelier' : 'about as likely';
  return { rival, isLikelier, words: `${portName(rival.port)} is ${how} (${percent(rival.probability)})` };
}
