import { wordsError } from '../../../grammar/line-help.ts';
import {
  formatFleetName,
  formatListName,
  parseFleetName,
  parseListName,
} from '../../../grammar/list-name.ts';
import { formatPort, parsePort } from '../../../grammar/port.ts';
import { formatVessels, parseVessels, type VesselHelp } from '../../../grammar/vessel.ts';
import type { Imo } from '../../../reference/imo.ts';
import type { Locode } from '../../../reference/locode.ts';

/** The subject of a watch, as typed. */
export type WatchSubject =
  | { kind: 'vessels'; imos: readonly [Imo, ...Imo[]] }
  | { kind: 'fleet'; name: string }
  | { kind: 'list'; name: string }
  | { kind: 'port'; port: Locode };

/** `<vessel[, vessel …] | fleet:NAME | list:NAME | port PORT>`. Throws UserError. */
export function parseWatchSubject(text: string, help: VesselHelp): WatchSubject {
  const typed = text.trim();
  if (typed === '') {
    const hint = 'Vessels by IMO number or name, fleet:NORTH, list:FEEDERS, or port Rotterdam.';
    throw wordsError('missing-argument', 'What should be watched?', help, { hint });
  }
  const list = parseListName(typed, help);
  if (list !== undefined) return { kind: 'list', name: list };
  const fleet = parseFleetName(typed, help);
  if (fleet !== undefined) return { kind: 'fleet', name: fleet };
  const [, port] = /^port\s*:?\s+(?!of\b)(.*)$|^port\s*:\s*(.*)$/i.exec(typed)?.filter(Boolean) ?? [];
  if (port !== undefined) {
    const line = (fixed: string) => help.line(`port ${fixed}`);
    return { kind: 'port', port: parsePort(port, { example: help.example, line }) };
  }
  return { kind: 'vessels', imos: parseVessels(typed, help) };
}

export function formatWatchSubject(subject: WatchSubject): string {
  switch (subject.kind) {
    case 'vessels':
      return formatVessels(subject.imos);
    case 'fleet':
      return formatFleetName(subject.name);
    case 'list':
      return formatListName(subject.name);
    case 'port':
      return `port ${formatPort(subject.port)}`;
  }
}
