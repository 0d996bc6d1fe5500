import { millisecondsInMinute } from 'date-fns/constants';
import type { Prediction } from '../../analytics/answers.ts';
import { sections } from '../../messages/blocks.ts';
import { percent } from '../../messages/formatting/probability.ts';
import { duration, portTime } from '../../messages/formatting/times.ts';
import { vesselHeading, vesselShort } from '../../messages/formatting/vessel-label.ts';
import { capitalised, counted } from '../../messages/formatting/words.ts';
import type { Message, Reader } from '../../messages/message.ts';
import { escaped } from '../../messages/mrkdwn.ts';
import { dataTable } from '../../messages/rich-blocks.ts';
import { portLabel, portOf } from '../../reference/ports.ts';
import { type PagedAnswer, pageOf } from '../paged-answer.ts';
import type { ComparedPort, compareNextPorts } from './answer.ts';

export type NextPortsComparison = PagedAnswer & Awaited<ReturnType<typeof compareNextPorts>>;

const maxBullets = 12;

export function nextPortsCompareView(answer: NextPortsComparison, reader: Reader): Message {
  const { vessel, ports } = answer;
  const page = pageOf(answer, ports, { size: 10, reader });
  const differences = [...topDifference(ports), ...ports.flatMap(portDifferences)];
  const verdict =
    ports.length === 0
      ? 'neither the vessel view nor the ship view has a prediction'
      : differences.length === 0
        ? 'vessel view and ship view agree'
        : 'vessel view and ship view differ';
  const bullets = differences.slice(0, maxBullets).map((difference) => `• ${capitalised(difference)}`);
  const heading = sections([vesselHeading(vessel), `*${capitalised(verdict)}*`, ...bullets]);
  const rows = page.items.map((port) => row(port, reader.now));
  const unlisted = differences.length - maxBullets;
  const zoneAssumed = ports.some(({ shipView }) => shipView?.eta && shipView.etaZone === 'assumed-utc');
  return page.message({
    texts: [`${escaped(vesselShort(vessel))}: ${verdict}`, ...differences],
    body: [
      ...heading,
      ...dataTable({
        caption: `Both views of ${vesselShort(vessel)}`,
        columns,
        rows,
        lines: page.items.map((port) => plainRow(port, reader.now)),
      }),
    ],
    notes: [
      'Predicted, not reported',
      ...(zoneAssumed ? ['ETAs of the ship view: zone assumed UTC'] : []),
      ...(unlisted > 0 ? [`${counted(unlisted, 'more difference')}, see the table`] : []),
      ...page.shownNote,
    ],
    more: [{ label: 'Vessel view only', line: `nextport ${vessel.imo}` }],
  });
}

const columns = [
  { header: 'Port' },
  { header: 'Vessel view', align: 'right' },
  { header: 'Ship view', align: 'right' },
  { header: 'ETA, vessel view' },
  { header: 'ETA, ship view' },
] as const;

function row({ port, vesselView, shipView }: ComparedPort, now: Date): string[] {
  const [probability, eta] = cells(vesselView, now);
  const [shipProbability, shipEta] = cells(shipView, now);
  return [portLabel(port), probability, shipProbability, eta, shipEta];
}

function cells(prediction: Prediction | undefined, now: Date): [probability: string, eta: string] {
  if (!prediction) return ['not predicted', '–'];
  const { port, probability, eta } = prediction;
  return [percent(probability), eta ? portTime(eta, portOf(port)?.zone, now) : 'ETA not given'];
}

function plainRow({ port, vesselView, shipView }: ComparedPort, now: Date): string {
  const inWords = (prediction: Prediction | undefined) =>
    prediction ? ` ${cells(prediction, now).join(', ')}` : ': not predicted';
  const lines = [`\u2003vessel view${inWords(vesselView)}`, `\u2003ship view${inWords(shipView)}`];
  return [`*${escaped(portLabel(port))}*`, ...lines].join('\n');
}

function topDifference(ports: readonly ComparedPort[]): string[] {
  const [vesselTop, shipTop] = (['vesselView', 'shipView'] as const).map((view) => {
    const [first] = ports.flatMap((port) => port[view] ?? []).sort((a, b) => b.probability - a.probability);
    return first && escaped(portLabel(first.port));
  });
  if (!vesselTop || !shipTop || vesselTop === shipTop) return [];
  return [`most probable: ${vesselTop} in the vessel view, ${shipTop} in the ship view`];
}

/** Leaves out differences of one point or of 15 minutes, which don't matter to a planner. */
function portDifferences({ port, vesselView, shipView }: ComparedPort): string[] {
  const label = escaped(portLabel(port));
  if (!vesselView || !shipView) return [`${label} only in the ${vesselView ? 'vessel' : 'ship'} view`];
  const differences: string[] = [];
  const [probability, shipProbability] = [vesselView.probability, shipView.probability];
  if (Math.round(Math.abs(probability - shipProbability) * 100) > 1)
    differences.push(
      `${label}: ${percent(probability)} in the vessel view, ${percent(shipProbability)} in the ship view`,
    );
  if (vesselView.eta && shipView.eta) {
    const minutes = Math.abs(vesselView.eta.getTime() - shipView.eta.getTime()) / millisecondsInMinute;
    if (minutes > 15) differences.push(`${label}: ETAs ${duration(minutes)} apart`);
  } else if (vesselView.eta || shipView.eta)
    differences.push(`${label}: ETA given only in the ${vesselView.eta ? 'vessel' : 'ship'} view`);
  return differences;
}
