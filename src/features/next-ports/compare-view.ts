import { millisecondsInMinute } from 'date-fns/constants';
import type { Prediction } from '../../analytics/answers.ts';
import { sections } from '../../messages/blocks.ts';
import { percent } from '../../messages/formatting/probability.ts';
import { roundedDuration } from '../../messages/formatting/times.ts';
import { vesselShort } from '../../messages/formatting/vessel-label.ts';
import { counted } from '../../messages/formatting/words.ts';
import type { Message, Reader } from '../../messages/message.ts';
import { escaped } from '../../messages/mrkdwn.ts';
import { dataTable } from '../../messages/rich-blocks.ts';
import { portListed, portName } from '../../reference/ports.ts';
import { type PagedAnswer, pageOf } from '../paged-answer.ts';
import type { ComparedPort, compareNextPorts } from './answer.ts';
import { etaInWords, imoNote, zoneNotes } from './call-words.ts';

export type NextPortsComparison = PagedAnswer & Awaited<ReturnType<typeof compareNextPorts>>;

export function nextPortsCompareView(answer: NextPortsComparison, reader: Reader): Message {
  const { vessel, ports } = answer;
  const page = pageOf(answer, ports, { size: 20, reader });
  const { verdict, rest } = verdictOf(answer);
  return page.message({
    texts: [[verdict, ...rest].join(' · '), ...ports.map((port) => inWords(port, reader.now))],
    body: [
      ...sections([[`*${verdict}*`, ...rest].join(' · ')]),
      ...dataTable({
        caption: `Both views of ${vesselShort(vessel)}`,
        columns,
        rows: page.items.map((port) => row(port, reader.now)),
        lines: page.items.map((port) => `• ${inWords(port, reader.now)}`),
      }),
    ],
    notes: [imoNote(vessel), ...viewNotes(page.items), ...page.shownNote],
    watch: `watch ${vessel.imo}`,
    runs: [{ label: 'Vessel view only', line: `nextport ${vessel.imo}` }],
    more: [{ label: 'History', line: `nextport ${vessel.imo} history` }],
  });
}

const columns = [
  { header: 'Port' },
  { header: 'Vessel and ship view' },
  { header: 'ETA, vessel view' },
  { header: 'ETA, ship view' },
] as const;

function row({ port, vesselView, shipView }: ComparedPort, now: Date): readonly [string, ...string[]] {
  const etaOf = (prediction: Prediction | undefined) => (prediction ? etaInWords(prediction, now) : '–');
  return [portListed(port), bothInWords({ port, vesselView, shipView }), etaOf(vesselView), etaOf(shipView)];
}

/** `Rotterdam NLRTM: vessel view 82%, Mon 23 Nov 15:05 LT (14:05 UTC); ship view 40%, ETA not given`, escaped. */
function inWords({ port, vesselView, shipView }: ComparedPort, now: Date): string {
  const view = (name: string, prediction: Prediction | undefined) =>
    prediction
      ? [{ share: `${name} view ${percent(prediction.probability)}`, eta: etaInWords(prediction, now) }]
      : [];
  const views = [...view('vessel', vesselView), ...view('ship', shipView)];
  const [first, second] = views;
  const words =
    first?.eta === second?.eta
      ? [...views.map(({ share }) => share), first?.eta].join(', ')
      : views.map(({ share, eta }) => `${share}, ${eta}`).join(' · ');
  return `${escaped(portListed(port))}: ${second ? '' : 'only '}${words}`;
}

/** `82% and 40%, ETAs 3 h apart`. */
function bothInWords({ vesselView, shipView }: ComparedPort): string {
  if (!vesselView || !shipView) {
    const only = vesselView ?? shipView;
    return `${only ? `${percent(only.probability)}, ` : ''}only in the ${vesselView ? 'vessel' : 'ship'} view`;
  }
  const percents = [...new Set([vesselView, shipView].map(({ probability }) => percent(probability)))];
  const both = percents.length === 1 ? `${percents[0]} in both` : percents.join(' and ');
  return [both, ...etaDifference(vesselView, shipView)].join(', ');
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
function differs({ vesselView, shipView }: ComparedPort): boolean {
  if (!vesselView || !shipView) return true;
  const points = Math.round(Math.abs(vesselView.probability - shipView.probability) * 100);
  return points > 1 || etaDifference(vesselView, shipView).length > 0;
}

function verdictOf({ vessel, ports }: NextPortsComparison): { verdict: string; rest: string[] } {
  const name = escaped(vesselShort(vessel));
  const [vesselTop, shipTop] = [topOf(ports, 'vesselView'), topOf(ports, 'shipView')];
  if (!vesselTop && !shipTop)
    return {
      verdict: `No prediction for IMO ${vessel.imo}`,
      rest: ['neither in the vessel view nor in the ship view'],
    };
  const differing = ports.filter(differs);
  if (differing.length === 0) {
    const percents = vesselTop && percent(vesselTop.probability);
    return {
      verdict: `${name} → ${vesselTop?.name}, ${percents}: vessel view and ship view agree`,
      rest: [],
    };
  }
  const rest = [counted(differing.length, 'port differs', 'ports differ')];
  if (vesselTop?.port !== shipTop?.port) {
    const inView = (top: Top | undefined) => (top ? `${top.name} ${percent(top.probability)}` : 'nothing');
    return { verdict: `${name}: vessel view ${inView(vesselTop)}, ship view ${inView(shipTop)}`, rest };
  }
  const both = ports.find(({ port }) => port === vesselTop?.port);
  return { verdict: `${name} → ${vesselTop?.name} in both views, ${both ? bothInWords(both) : ''}`, rest };
}

type Top = NonNullable<ReturnType<typeof topOf>>;

function topOf(ports: readonly ComparedPort[], view: 'vesselView' | 'shipView') {
  const [first] = ports
    .flatMap(({ port, [view]: prediction }) =>
      prediction ? [{ port, name: escaped(portName(port)), probability: prediction.probability }] : [],
    )
    .sort((one, other) => other.probability - one.probability);
  return first;
}

function viewNotes(ports: readonly ComparedPort[]): string[] {
  const isAssumed = ports.some(({ shipView }) => shipView?.eta && shipView.etaZone === 'assumed-utc');
  return [
    ...(isAssumed ? ['ship view: zone assumed UTC'] : []),
    ...zoneNotes(ports.flatMap(({ vesselView }) => vesselView ?? [])),
  ];
}
