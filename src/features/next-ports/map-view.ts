import { sections } from '../../messages/blocks.ts';
import type { Message, Reader } from '../../messages/message.ts';
import { escaped } from '../../messages/mrkdwn.ts';
import { image } from '../../messages/rich-blocks.ts';
import type { MapPicture } from '../../pictures/map-picture.ts';
import { portName } from '../../reference/ports.ts';
import { type PagedAnswer, pageOf } from '../paged-answer.ts';
import { imoNote, zoneNotes } from './call-words.ts';
import type { askMap } from './map.ts';
import { firstLine, verdictOf } from './verdict.ts';

export type NextPortsMap = PagedAnswer &
  Extract<Awaited<ReturnType<typeof askMap>>, { kind: 'next-ports-map' }>;

export function nextPortsMapView(answer: NextPortsMap, reader: Reader): Message {
  const { vessel, predictions, picture, url } = answer;
  const [first, second] = predictions;
  const { imo } = vessel;
  const verdict = verdictOf(vessel, { first, second }, reader.now);
  const { text, mrkdwn } = firstLine(verdict, reader);
  const others = picture.places
    .slice(verdict.said.length)
    .map(({ name, share }) => `or ${escaped(name)} ${share}`);
  return pageOf(answer, [], { size: 1, reader }).message({
    texts: [text, ...others],
    body: [...sections([mrkdwn]), image({ url, alt: inWords(picture) })],
    notes: [imoNote(vessel), first.port, ...zoneNotes([first])],
    watch: `watch ${imo}`,
    runs: [
      { label: `Who is coming to ${portName(first.port)}`, line: `portcalls ${first.port}` },
      { label: 'Next ports', line: `nextport ${imo}` },
    ],
    more: [
      { label: 'History', line: `nextport ${imo} history` },
      { label: 'Compare both views', line: `nextport ${imo} compare` },
    ],
  });
}

/** All that the picture shows, for people who can't see it. Plain text. */
function inWords({ title, subtitle, badge, places, notes }: MapPicture): string {
  const ranked = places.map(
    ({ name, share, detail, at }, index) =>
      `${index + 1} ${name} ${share}, ${detail}${at ? '' : ' (not on the map: position not known here)'}`,
  );
  return [`Map of ${title}: ${ranked.join('; ')}`, subtitle, ...notes, ...(badge ? [badge] : [])].join('. ');
}
