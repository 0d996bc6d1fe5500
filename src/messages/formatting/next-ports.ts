import type { Locode } from '../../reference/locode.ts';
import { portName } from '../../reference/ports.ts';
import { percent } from './probability.ts';

interface Candidate {
  port: Locode;
  probability: number;
}

/** `Norfolk or New York`. */
export const portNames = (next: readonly Candidate[]): string =>
  next.map(({ port }) => portName(port)).join(' or ');

/** `DS CYPRESS → Rotterdam 82%`, `DS CYPRESS · Undecided: Norfolk 51% or New York 47%`; not escaped. */
export function nextInWords(name: string, next: readonly Candidate[]): string {
  const ports = next.map(({ port, probability }) => `${portName(port)} ${percent(probability)}`).join(' or ');
  return next.length > 1 ? `${name} · Undecided: ${ports}` : `${name} → ${ports}`;
}

/** The port that may be next instead: `Le Havre is likelier (77%)`, or `about as likely` if undecided; not escaped. */
export const rivalInWords = ({ rival, isLikelier }: { rival: Candidate; isLikelier: boolean }): string =>
  `${portName(rival.port)} is ${isLikelier ? 'likelier' : 'about as likely'} (${percent(rival.probability)})`;
