import { sections } from '../../messages/blocks.ts';
import { isUndecided } from '../../messages/formatting/probability.ts';
import { etaLine } from '../../messages/formatting/times.ts';
import { vesselShort } from '../../messages/formatting/vessel-label.ts';
import type { Message, Reader } from '../../messages/message.ts';
import { escaped } from '../../messages/mrkdwn.ts';
import { image } from '../../messages/rich-blocks.ts';
import { portOf } from '../../reference/ports.ts';
import { type PagedAnswer, pageOf } from '../paged-answer.ts';
import type { askMap } from './map.ts';

export type NextPortsMap = PagedAnswer &
  Extract<Awaited<ReturnType<typeof askMap>>, { kind: 'next-ports-map' }>;

export function nextPortsMapView(answer: NextPortsMap, reader: Reader): Message {
  const { vessel, predictions, url } = answer;
  const [first] = predictions;
  const { imo } = vessel;
  const { verdict, others } = verdictOf(answer);
  const times = etaLine(first, reader.now);
  const alt = inWords(answer);
  return pageOf(answer, [], { size: 1, reader }).message({
    texts: [`${verdict}. ${times}`, ...others],
    body: [...sections([`*${verdict}* · ${times}`]), image({ url, alt })],
    notes: [`IMO ${imo}`],
    watch: `watch ${imo}`,
    more: [
      { label: 'Next ports', line: `nextport ${imo}` },
      { label: 'History', line: `nextport ${imo} history` },
      {
        label: `Who is coming to ${portOf(first.port)?.name ?? first.port}`,
        line: `portcalls ${first.port}`,
      },
    ],
  });
}

/** Escaped, with the ports that the verdict does not name. */
function verdictOf({ vessel, predictions, picture }: NextPortsMap): { verdict: string; others: string[] } {
  const name = escaped(vesselShort(vessel));
  const [first, second] = predictions;
  const [top, next, ...rest] = picture.places.map((place) => ({ ...place, name: escaped(place.name) }));
  const inWords = (place: typeof top) => `${place?.name} ${place?.share}`;
  const isOpen = next !== undefined && isUndecided(first.probability, second?.probability);
  return {
    verdict: isOpen
      ? `${name} · Undecided: ${inWords(top)} or ${inWords(next)}`
      : `${name} → ${top?.name}, ${top?.share}`,
    others: (isOpen || !next ? rest : [next, ...rest]).map((place) => `or ${inWords(place)}`),
  };
}

/** All that the picture shows, for people who can't see it. Plain text. */
function inWords({ picture: { title, subtitle, badge, places, notes } }: NextPortsMap): string {
  const ranked = places.map(
    ({ name, share, detail, at }, index) =>
      `${index + 1} ${name} ${share}, ${detail}${at ? '' : ' (not on the map: position not known here)'}`,
  );
  return [`Map of ${title}: ${ranked.join('; ')}`, subtitle, ...notes, ...(badge ? [badge] : [])].join('. ');
}
