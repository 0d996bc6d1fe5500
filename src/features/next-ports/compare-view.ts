import type { Prediction, Provenance } from '../../analytics/answers.ts';
import { sections, table } from '../../messages/blocks.ts';
import { percent } from '../../messages/formatting/probability.ts';
import { duration, portTime } from '../../messages/formatting/times.ts';
import { type KnownVessel, vesselHeading, vesselShort } from '../../messages/formatting/vessel-label.ts';
import { answerMessage } from '../../messages/frame/answer-message.ts';
import { pageButtons, pageLine, shownNote } from '../../messages/frame/paging.ts';
import { joinWithin, limits, paged } from '../../messages/limits.ts';
import type { Message, Reader } from '../../messages/message.ts';
import { escaped } from '../../messages/mrkdwn.ts';
import type { Locode } from '../../reference/locode.ts';
import { portLabel, portOf } from '../../reference/ports.ts';

/** One port as the two endpoints see it; the one that does not list it is left out. */
export interface ComparedPort {
  port: Locode;
  vesselView?: Prediction;
  shipView?: Prediction;
}

/** The vessel and the ship endpoint side by side, the most probable port first. */
export interface NextPortsComparison extends Provenance {
  kind: 'next-ports-comparison';
  line: string;
  vessel: KnownVessel;
  ports: readonly ComparedPort[];
  page: number;
}

const pageSize = 10;

export function nextPortsCompareView(answer: NextPortsComparison, reader: Reader): Message {
  const { vessel, line } = answer;
  const page = paged(answer.ports, answer.page, pageSize);
  const differences = disagreements(answer.ports);
  const verdict =
    answer.ports.length === 0
      ? 'neither the vessel view nor the ship view has a prediction'
      : differences.length === 0
        ? 'vessel view and ship view agree'
        : 'vessel view and ship view differ';
  const said = differences.map((difference) => `• ${capital(difference)}`);
  const heading = sections([vesselHeading(vessel), `*${capital(verdict)}*`, ...said.slice(0, 12)]);
  const rows = page.items.map((port) => row(port, reader.now));
  return answerMessage(
    {
      text: joinWithin(
        [`${escaped(vesselShort(vessel))}: ${verdict}`, ...differences],
        '; ',
        limits.messageText - 200,
      ),
      body: rows.length > 0 ? [...heading, table(columns, rows)] : heading,
      plainBody: [...heading, ...sections(page.items.map((port) => plainRow(port, reader.now)))],
      notes: [
        'Predicted, not reported',
        ...(hasAssumedZone(answer.ports) ? ['ETAs of the ship view: zone assumed UTC'] : []),
        ...(differences.length > 12 ? [`${differences.length - 12} more differences, see the table`] : []),
        ...shownNote(page, pageSize),
      ],
      provenance: answer,
      actions: {
        line: pageLine(line, page.page),
        runs: pageButtons(line, page, pageSize),
        more: [{ label: 'Vessel view only', line: `nextport ${vessel.imo}` }],
      },
    },
    reader,
  );
}

const columns = [
  { header: 'Port' },
  { header: 'Vessel view', align: 'right' },
  { header: 'Ship view', align: 'right' },
  { header: 'ETA, vessel view' },
  { header: 'ETA, ship view' },
] as const;

function row({ port, vesselView, shipView }: ComparedPort, now: Date): string[] {
  return [
    portLabel(port),
    vesselView ? percent(vesselView.probability) : 'not predicted',
    shipView ? percent(shipView.probability) : 'not predicted',
    time(vesselView, now),
    time(shipView, now),
  ];
}

function plainRow({ port, vesselView, shipView }: ComparedPort, now: Date): string {
  const one = (name: string, prediction: Prediction | undefined) =>
    prediction
      ? `${name} ${percent(prediction.probability)}, ${time(prediction, now)}`
      : `${name}: not predicted`;
  return `*${escaped(portLabel(port))}*\n\u2003${one('vessel view', vesselView)}\n\u2003${one('ship view', shipView)}`;
}

function time(prediction: Prediction | undefined, now: Date): string {
  if (!prediction) return '–';
  if (!prediction.eta) return 'ETA not given';
  return portTime(prediction.eta, portOf(prediction.port)?.zone, now);
}

function hasAssumedZone(ports: readonly ComparedPort[]): boolean {
  return ports.some(({ shipView }) => shipView?.eta && shipView.etaZone === 'assumed-utc');
}

/** What a planner would want to know, in words; a point or a quarter of an hour is no difference. */
function disagreements(ports: readonly ComparedPort[]): string[] {
  return [...topDiffers(ports), ...ports.flatMap(portDiffers)];
}

function topDiffers(ports: readonly ComparedPort[]): string[] {
  const top = (view: 'vesselView' | 'shipView') =>
    ports.reduce<Prediction | undefined>((best, compared) => {
      const one = compared[view];
      return one && (!best || one.probability > best.probability) ? one : best;
    }, undefined)?.port;
  const [vesselTop, shipTop] = [top('vesselView'), top('shipView')];
  if (!vesselTop || !shipTop || vesselTop === shipTop) return [];
  return [
    `most probable: ${escaped(portLabel(vesselTop))} in the vessel view, ${escaped(portLabel(shipTop))} in the ship view`,
  ];
}

function portDiffers({ port, vesselView, shipView }: ComparedPort): string[] {
  const label = escaped(portLabel(port));
  if (!vesselView || !shipView) return [`${label} only in the ${vesselView ? 'vessel' : 'ship'} view`];
  const points = Math.round(Math.abs(vesselView.probability - shipView.probability) * 100);
  const minutes =
    vesselView.eta && shipView.eta
      ? Math.abs(vesselView.eta.getTime() - shipView.eta.getTime()) / 60_000
      : undefined;
  return [
    ...(points > 1
      ? [
          `${label}: ${percent(vesselView.probability)} in the vessel view, ${percent(shipView.probability)} in the ship view`,
        ]
      : []),
    ...(minutes !== undefined && minutes > 15 ? [`${label}: ETAs ${duration(minutes)} apart`] : []),
    ...(minutes === undefined && vesselView.eta !== shipView.eta
      ? [`${label}: ETA given only in the ${vesselView.eta ? 'vessel' : 'ship'} view`]
      : []),
  ];
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
