import { percent, vesselShort } from '../../../answers/formatting/words.ts';
import { clip, joinWithin } from '../../../answers/message.ts';
import { escaped, sections } from '../../../answers/slack/blocks.ts';
import { dataTable } from '../../../answers/slack/rich-blocks.ts';
import { thresholds } from '../../../predictions/changes.ts';
import type { Locode } from '../../../reference/codes.ts';
import { portLabel, portName } from '../../../reference/ports.ts';
import { knownVessel } from '../../ctx.ts';
import { damping } from '../../rules/evaluation/damping.ts';
import { etaInWords, stamp } from '../../rules/event-text.ts';
import type { WatchNames } from '../../rules/event-words.ts';
import { titleAtStart, type WatchWithSubjects } from '../store/watch-list.ts';
import { byEta, type CardBody, maxCardText, maxRows, moreNote } from './card-body.ts';
import { expectedInWords, expectedVessels, vesselCount } from './shown-prediction.ts';

/** The vessels expected at a port; with a condition, those of its vessels. */
export function portBody(watch: WatchWithSubjects, port: Locode, names: WatchNames, now: Date): CardBody {
  const expected = expectedVessels(watch)
    .map(({ notifiedAt, ...call }) => ({
      ...call,
      asOf: notifiedAt ? `as of ${stamp(notifiedAt, now)}` : '',
    }))
    .sort(byEta);
  const shown = expected.slice(0, maxRows).map(({ imo, asOf, ...call }) => {
    const { eta, probability } = call;
    const isLate = eta !== null && eta <= now;
    const name = `${isLate ? '🟠 ' : ''}${vesselShort(knownVessel(imo, names))}`;
    const when = etaInWords(call, now);
    const note = [...(isLate ? ['past ETA, still forecast'] : []), ...(asOf === '' ? [] : [asOf])].join(', ');
    const line = [name, when, percent(probability), ...(note === '' ? [] : [note])].join(' · ');
    return { when: eta ? { value: eta.getTime(), text: when } : when, name, probability, note, imo, line };
  });
  const hasNotes = shown.some(({ note }) => note !== '');
  const label = watch.condition ? `All calls at ${portName(port)}` : 'All calls';
  const showAll = { label, line: `portcalls ${port}` };
  const title = escaped(watch.condition ? clip(titleAtStart(watch.title), 150) : portLabel(port));
  const heading = title.replace(escaped(portLabel(port)), escaped(portName(port)));
  const verdict = expectedInWords(watch);
  const next = expected.find(({ eta }) => eta !== null && eta > now);
  // The title names it already.
  const isOfOne = vesselCount(watch) === 1;
  const nextCall = next
    ? escaped(
        ` · ${isOfOne ? '' : `next ${vesselShort(knownVessel(next.imo, names))}, `}${etaInWords(next, now)}`,
      )
    : '';
  const lines = shown.map(({ line }) => escaped(line));
  return {
    text: joinWithin([`${title}: ${verdict}${nextCall}`, ...lines], '; ', maxCardText),
    draw: (marker, stateLines) => [
      ...sections([`${marker}*${heading}: ${verdict}*${nextCall}`, ...stateLines]),
      ...dataTable({
        caption: `Vessels expected at ${portName(port)}`,
        columns: [
          { header: 'Vessel' },
          { header: 'ETA' },
          { header: '%', align: 'right' },
          ...(hasNotes ? [{ header: 'Note' }] : []),
          { header: 'IMO' },
        ],
        rows: shown.map(({ when, name, probability, note, imo }) => [
          name,
          when,
          percent(probability),
          ...(hasNotes ? [note] : []),
          String(imo),
        ]),
        lines,
      }),
    ],
    isToCheck: expected.some(({ eta }) => eta !== null && eta <= now),
    notes: [port, scopeNote(watch), ...moreNote(expected.length, shown.length, showAll.label)],
    showAll,
  };
}

/** Which calls count: why a vessel that has the port among its next ports may be missing. */
const scopeNote = ({ condition }: WatchWithSubjects): string =>
  `${condition ? '' : `next ${damping.portDays} days, `}from ${percent(thresholds.alert.likely)}`;
