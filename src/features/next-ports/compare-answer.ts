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
  type ComparedPort,
  etaInWords,
  etaZone,
  type NextPortsComparison,
  vesselNotes,
  zoneNotes,
} from './predictions.ts';
import { formatHistory, formatVessel } from './words.ts';

type Compared = ComparedPort & { vessel: KnownVessel };

const vesselView = ({ vesselView: prediction }: Compared) => prediction;
const shipView = ({ shipView: prediction }: Compared) => prediction;

const share = (name: string, predictionIn: (row: Compared) => Prediction | undefined) =>
  field<Compared>('share', `in the ${name} view, from 0 to 1`, (row) => predictionIn(row)?.probability);

/** A line says first which view it is. */
const etaIn = (
  name: string,
  predictionIn: (row: Compared) => Prediction | undefined,
): EtaOptions<Compared> => ({
  about: `in the ${name} view`,
  hasZoneElsewhere: true,
  words(row, { now }) {
    const prediction = predictionIn(row);
    return prediction ? [onlyInLine(`${name} view: `), etaInWords(prediction, now)] : '';
  },
});

export const comparedTable = table<Compared>({
  name: 'next-ports-compared',
  about: "A port with the prediction of each of the service's two views",
  isOfService: true,
  columns: {
    vessel: vessel(null, ({ vessel }) => vessel),
    port: port('Port', 'port', (row) => row.port, { words: (row) => portListed(row.port) }),
    both: shown('Vessel and ship view', bothInWords),
    vessel_view_probability: share('vessel', vesselView),
    vessel_view_eta: eta('ETA, vessel view', vesselView, etaIn('vessel', vesselView)),
    vessel_view_eta_zone: etaZone(vesselView),
    ship_view_probability: share('ship', shipView),
    ship_view_eta: eta('ETA, ship view', shipView, etaIn('ship', shipView)),
    ship_view_eta_zone: etaZone(shipView),
  },
});

/** A phone has no room for more. */
const portsPerPage = 20;

/** Both views of the service, side by side. */
export function compareAnswer(found: NextPortsComparison, { page: asked }: { page: number }): Answer {
  const { vessel: of, ports } = found;
  const { items, ...page } = paged(ports, asked, portsPerPage);
  const rowOf = (row: ComparedPort) => ({ ...row, vessel: of });
  const one = { imo: of.imo, page: 1 };
  return {
    verdict: verdictOf(found),
    sections: [
      comparedTable.of({
        caption: `Both views of ${vesselShort(of)}`,
        rows: ports.map(rowOf),
        shown: items.map(rowOf),
        subject: [String(of.imo)],
      }),
    ],
    notes: [...vesselNotes(of), ...viewNotes(items)],
    provenance: found,
    isForecast: true,
    page: { ...page, size: portsPerPage },
    actions: {
      watch: watchThese(of.imo),
      runs: [{ label: 'Vessel view only', line: formatVessel(one) }],
      more: [{ label: 'History', line: formatHistory(one) }],
    },
  };
}

/** `82% and 40%, ETAs 3 h apart`, the vessel view first. */
function bothInWords({ vesselView: first, shipView: second }: ComparedPort): string {
  if (!first || !second) {
    const only = first ?? second;
    return `${only ? `${percent(only.probability)}, ` : ''}only in the ${first ? 'vessel' : 'ship'} view`;
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
  return first || second ? [`ETA only in the ${first ? 'vessel' : 'ship'} view`] : [];
}

/** True if the views differ by more than a point or 15 minutes. */
function differs({ vesselView: first, shipView: second }: ComparedPort): boolean {
  if (!first || !second) return true;
  const points = Math.round(Math.abs(first.probability - second.probability) * 100);
  return points > 1 || etaDifference(first, second).length > 0;
}

function verdictOf({ vessel: of, ports }: NextPortsComparison): Verdict {
  const name = vesselShort(of);
  const [vesselTop, shipTop] = [topOf(ports, 'vesselView'), topOf(ports, 'shipView')];
  if (!vesselTop && !shipTop)
    return {
      strong: `No prediction for IMO ${of.imo}`,
      rest: ' · neither in the vessel view nor in the ship view',
    };
  const differing = ports.filter(differs);
  if (differing.length === 0) {
    const percents = vesselTop && percent(vesselTop.probability);
    return { strong: `${name} → ${vesselTop?.name}, ${percents}: vessel view and ship view agree` };
  }
  const rest = ` · ${counted(differing.length, 'port differs', 'ports differ')}`;
  if (vesselTop?.port !== shipTop?.port) {
    const inView = (top: Top | undefined) => (top ? `${top.name} ${percent(top.probability)}` : 'nothing');
    return { strong: `${name}: vessel view ${inView(vesselTop)}, ship view ${inView(shipTop)}`, rest };
  }
  const both = ports.find(({ port: locode }) => locode === vesselTop?.port);
  return { strong: `${name} → ${vesselTop?.name} in both views, ${both ? bothInWords(both) : ''}`, rest };
}

type Top = NonNullable<ReturnType<typeof topOf>>;

function topOf(ports: readonly ComparedPort[], view: 'vesselView' | 'shipView') {
  const [first] = ports
    .flatMap(({ port: locode, [view]: prediction }) =>
      prediction ? [{ port: locode, name: portName(locode), probability: prediction.probability }] : [],
    )
    .sort((one, other) => other.probability - one.probability);
  return first;
}

function viewNotes(ports: readonly ComparedPort[]): string[] {
  const isAssumed = ports.some((each) => each.shipView?.eta && each.shipView.etaZone === 'assumed-utc');
  return [
    ...(isAssumed ? ['ship view: zone assumed UTC'] : []),
    ...zoneNotes(ports.flatMap((each) => each.vesselView ?? [])),
  ];
}
