import type { LineFacts } from '../../answers/comparison.ts';

type PortFacts = Extract<LineFacts, { kind: 'port-calls' }>;

interface Listed extends Pick<PortFacts, 'port'> {
  /** By day, all calls count. */
  minProbability?: number;
  /** Includes calls on other days, so that a digest can tell a call that moved from a new one. */
  listed: PortFacts['calls'];
}

export function portCallsFacts(
  answer: { periodInWords?: string } & (Listed | { ports: readonly Listed[] }),
): LineFacts {
  const factsOf = ({ port, minProbability = 0, listed }: Listed): PortFacts => ({
    kind: 'port-calls',
    port,
    period: answer.periodInWords ?? null,
    from: minProbability,
    calls: listed,
  });
  return 'ports' in answer ? { kind: 'several-ports', ports: answer.ports.map(factsOf) } : factsOf(answer);
}
