import { millisecondsInMinute } from 'date-fns/constants';
import type { Prediction } from '../../analytics/answers.ts';
import { type Answer, type Verdict, watchThese } from '../../answers/answer.ts';
import { roundedDuration } from '../../answers/formatting/times.ts';
import { counted, type KnownVessel, percent, vesselShort } from '../../answers/formatting/words.ts';
import { type EtaOptions, eta, field, port, shown, vessel } from '../../answers/kinds.ts';
import { paged } from '../../answers/message.ts';
import { table } from '../../answers/table.ts';
import { onlyInLine } from '../../answers/text.ts';
import { portListed, portName } from '../../reference/ports.ts';
import {
  after,
  type ComparedPort,
  etaInWords,
  etaZone,
  type NextPortsComparison,
  readAsUtc,
  timeOf,
  vesselNotes,
  zoneNotes,
} from './predictions.ts';
import { formatHistory, formatVessel } from './words.ts';

type Compared = ComparedPort & { vessel: KnownVessel };

const vesselView = ({ vesselView: prediction }: Compared) => prediction;
const shipView = ({ shipView: prediction }: Compared) => prediction;

type Which = 'first' | 'second';

const share = (which: Which, predictionIn: (row: Compared) => Prediction | undefined) =>
  field<Compared>('share', `in the ${which} forecast, from 0 to 1`, (row) => predictionIn(row)?.probability);

/** A line says first which forecast it is. */
const etaIn = (
  which: Which,
  predictionIn: (row: Compared) => Prediction | undefined,
): EtaOptions<Compared> => ({
  about: `in the ${which} forecast`,
  hasZoneElsewhere: true,
  words(row, { now }) {
    const prediction = predictionIn(row);
    return prediction ? [onlyInLine(`${which} forecast: `), etaInWords(prediction, now)] : '';
  },
});

export const comparedTable = table<Compared>({
  name: 'next-ports-compared',
  about:
    "A port in each of the service's two forecasts: the first is of `/nextport/vessel`, the second of `/nextport/ship`",
  isOfService: true,
  columns: {
    vessel: vessel(null, ({ vessel }) => vessel),
    port: port('Port', 'port', (row) => row.port, { words: (row) => portListed(row.port) }),
    both: shown('%, both forecasts', bothInWords),
    vessel_view_probability: share('first', vesselView),
    vessel_view_eta: eta('ETA, first', vesselView, etaIn('first', vesselView)),
    vessel_view_eta_zone: etaZone(vesselView),
    ship_view_probability: share('second', shipView),
    ship_view_eta: eta('ETA, second', shipView, etaIn('second', shipView)),
    ship_view_eta_zone: etaZone(shipView),
  },
});

/** A phone has no room for more. */
const portsPerPage = 20;

/** Both forecasts of the service, side by side. */
export function compareAnswer(
  found: NextPortsComparison,
  { page: asked, now }: { page: number; now: Date },
): Answer {
  const { vessel: of, ports } = found;
  const { items, ...page } = paged(ports, asked, portsPerPage);
  const rowOf = (row: ComparedPort) => ({ ...row, vessel: of });
  const one = { imo: of.imo, page: 1 };
  return {
    verdict: verdictOf(found, now),
    sections: [
      comparedTable.of({
        caption: `Both forecasts of ${vesselShort(of)}`,
        rows: ports.map(rowOf),
        shown: items.map(rowOf),
        subject: [String(of.imo)],
      }),
    ],
    notes: [...vesselNotes(of), ...forecastNotes(items)],
    provenance: found,
    isForecast: true,
    page: { ...page, size: portsPerPage },
    actions: {
      about: vesselShort(of),
      watch: watchThese(of.imo),
      runs: [{ label: 'Next ports', line: formatVessel(one) }],
      more: [{ label: 'History', line: formatHistory(one) }],
    },
  };
}

/** `82% and 40%, ETAs 3 h apart`, the first forecast first. */
function bothInWords({ vesselView: first, shipView: second }: ComparedPort): string {
  if (!first || !second) {
    const only = first ?? second;
    return `${only ? `${percent(only.probability)}, ` : ''}only in the ${first ? 'first' : 'second'} forecast`;
  }
  const percents = [...new Set([first, second].map(({ probability }) => percent(probability)))];
  const both = percents.length === 1 ? `${percents[0]} in both` : percents.join(' and ');
  return [both, ...etaDifference(first, second)].join(', ');
}

/** Leaves out a difference of 15 minutes, which doesn't matter to a planner. */
function etaDifference({ eta: first }: Prediction, { eta: second }: Prediction): string[] {
  if (first && second) {
    const minutes = Math.abs(first.getTime() - second.getTime()) / millisecondsInMinute;
    return minutes > 15 ? [`ETAs ${roundedDuration(minutes)} apart`] : [];
  }
  return first || second ? [`ETA only in the ${first ? 'first' : 'second'} forecast`] : [];
}

/** True if they differ by more than a point or 15 minutes. */
function differs({ vesselView: first, shipView: second }: ComparedPort): boolean {
  if (!first || !second) return true;
  const points = Math.round(Math.abs(first.probability - second.probability) * 100);
  return points > 1 || etaDifference(first, second).length > 0;
}

function verdictOf({ vessel: of, ports }: NextPortsComparison, now: Date): Verdict {
  const name = vesselShort(of);
  const [vesselTop, shipTop] = [topOf(ports, 'vesselView'), topOf(ports, 'shipView')];
  if (!vesselTop && !shipTop)
    return {
      strong: `No prediction for IMO ${of.imo}`,
      rest: " · neither of the service's two forecasts has one",
    };
  const differing = ports.filter(differs);
  if (differing.length === 0) {
    const percents = vesselTop && percent(vesselTop.probability);
    const time = vesselTop === undefined ? [] : timeOf(vesselTop.prediction, now);
    return {
      strong: `${name} → ${vesselTop?.name}, ${percents}: both forecasts agree`,
      rest: after(time),
    };
  }
  const rest = ` · ${counted(differing.length, 'port differs', 'ports differ')}`;
  if (vesselTop?.port !== shipTop?.port) {
    const inWords = (top: Top | undefined) => (top ? `${top.name} ${percent(top.probability)}` : 'nothing');
    return {
      strong: `${name}: first forecast ${inWords(vesselTop)}, second ${inWords(shipTop)}`,
      rest,
    };
  }
  const both = ports.find(({ port: locode }) => locode === vesselTop?.port);
  const strong = `${name} → ${vesselTop?.name} in both forecasts, ${both ? bothInWords(both) : ''}`;
  return { strong, rest: [...(vesselTop ? after(timeOf(vesselTop.prediction, now)) : []), rest] };
}

type Top = NonNullable<ReturnType<typeof topOf>>;

function topOf(ports: readonly ComparedPort[], view: 'vesselView' | 'shipView') {
  const [first] = ports
    .flatMap(({ port: locode, [view]: prediction }) =>
      prediction
        ? [{ port: locode, name: portName(locode), probability: prediction.probability, prediction }]
        : [],
    )
    .sort((one, other) => other.probability - one.probability);
  return first;
}

function forecastNotes(ports: readonly ComparedPort[]): string[] {
  const isAssumed = ports.some((each) => each.shipView?.eta && each.shipView.etaZone === 'assumed-utc');
  return [
    ...(isAssumed ? [`second forecast: ${readAsUtc}`] : []),
    ...zoneNotes(ports.flatMap((each) => each.vesselView ?? [])),
  ];
}
