import type { Prediction } from '../../analytics/answers.ts';
import type { LineFacts } from '../line-facts.ts';
import type { FleetNextPorts } from './fleet-view.ts';
import type { NextPortsAnswer } from './view.ts';

/** The likeliest port of each vessel. A vessel that could not be asked is said to be so: it has no news. */
export function nextPortsFacts(answer: NextPortsAnswer | FleetNextPorts): LineFacts {
  const vessels =
    answer.kind === 'next-ports'
      ? [{ vessel: answer.vessel, top: answer.predictions, failed: false }]
      : answer.vessels;
  return {
    kind: 'next-ports',
    vessels: vessels.map(({ vessel, top, failed }) => ({
      imo: vessel.imo,
      next: top[0] ? prospectOf(top[0]) : null,
      isUnanswered: failed,
    })),
  };
}

const prospectOf = ({ port, probability, eta }: Prediction) => ({ port, probability, eta: eta ?? null });
