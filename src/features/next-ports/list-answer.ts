import type { Answer } from '../../answers/answer.ts';
import { clip } from '../../answers/message.ts';
import { type AskedPage, fleetAnswer, vesselsOf } from './fleet-answer.ts';
import { type AskedPorts, fleetAtAnswer } from './fleet-at-answer.ts';
import { comparisonOf, type FleetPredictions, type ListPredictions } from './predictions.ts';
import { formatList, type Several } from './words.ts';

interface Asked extends AskedPage {
  at?: AskedPorts | undefined;
}

/** Where several vessels will probably call next, or which of them may call at ports. */
export const groupAnswer = (found: FleetPredictions, { at, ...asked }: Asked): Answer =>
  at === undefined ? fleetAnswer(found, asked) : fleetAtAnswer(found, { ...asked, at });

/** Refresh and Watch have the spelling that the service knows. */
export function listAnswer(
  found: ListPredictions,
  { period, ...asked }: Omit<Asked, 'watched'> & Pick<Several, 'period'>,
): Answer {
  const line = formatList({ name: found.list, at: asked.at?.asked, period, page: asked.page });
  if (found.vessels.length === 0) return { line, ...unknownList(found) };
  return { line, ...groupAnswer(found, { ...asked, watched: { kind: 'list', name: found.list } }) };
}

function unknownList(found: ListPredictions): Answer {
  const { list, offered = [] } = found;
  return {
    verdict: {
      strong: `No list called ${clip(list, 100)}; lists are kept by the provider`,
      lines: [
        [
          "They can't be made here, and a list without predictions looks the same. Check the spelling with whoever set up the list, or ask for vessels by IMO number: ",
          { code: '/nextport 9461477, 9755933' },
        ],
        ...(offered.length > 0 ? [`Lists that are watched here: ${offered.join(', ')}`] : []),
      ],
    },
    sections: [vesselsOf(found)],
    provenance: found,
    isForecast: true,
    actions: {
      runs: offered.map((name) => ({ label: `List ${name}`, line: formatList({ name, page: 1 }) })),
    },
    comparison: comparisonOf([]),
  };
}
