import { pauseInWords } from '../../messages/frame/pause-words.ts';
import { type Rules, rulesInWords, type Snooze, snoozeInWords, thresholds } from '../watches/index.ts';

/** One side of a change: what there are words for, and the rest as it was kept. */
export interface ChangeFacts {
  rules?: Rules;
  /** Null: awake. */
  snooze?: Snooze | null;
  /** `weekdays 08:00 Europe/Berlin`. */
  when?: string;
  other: Readonly<Record<string, unknown>>;
}

export interface ShownChange {
  id: string;
  at: Date;
  actorId: string;
  /** As `watch.stop`. */
  action: string;
  subject: string;
  channelId?: string;
  before?: ChangeFacts;
  after?: ChangeFacts;
}

/** One word or phrase, unescaped; or a person by id. */
export type Item = string | { person: string };

/** A side is left out where there was none: of what was added there is no before. */
export interface Detail {
  label: string;
  before?: readonly Item[];
  after?: readonly Item[];
}

/** `stopped the watch of DS CYPRESS`, unescaped. */
export function changeInWords({ action, subject, before, after }: ShownChange): string {
  if (action === 'watch.change') return `${watchVerb(after)} ${subject}`;
  if (action === 'digest.change' && before?.other.ownerId !== after?.other.ownerId)
    return `handed over the digest “${subject}”`;
  const verb = verbs.get(action);
  return verb === undefined ? `${action}: ${subject}` : verb(subject);
}

const watchVerb = (after: ChangeFacts | undefined): string => {
  if (after?.snooze !== undefined) return after.snooze ? 'snoozed the watch of' : 'woke the watch of';
  if (after?.other.acknowledgement !== undefined) return 'acknowledged the news of';
  return after?.other.ownerId === undefined ? 'changed the watch of' : 'handed over the watch of';
};

const verbs = new Map<string, (subject: string) => string>([
  ['watch.add', (subject) => `added the watch of ${subject}`],
  ['watch.follow', (subject) => `changed the vessels of the watch of ${subject}`],
  ['watch.resume', (subject) => `resumed the watch of ${subject}`],
  ['watch.pause', (subject) => `paused the watch of ${subject}`],
  ['watch.stop', (subject) => `stopped the watch of ${subject}`],
  ['digest.add', (subject) => `added the digest “${subject}”`],
  ['digest.change', (subject) => `changed the digest “${subject}”`],
  ['digest.pause', (subject) => `paused the digest “${subject}”`],
  ['digest.resume', (subject) => `resumed the digest “${subject}”`],
  ['digest.remove', (subject) => `removed the digest “${subject}”`],
  ['digest.restore', (subject) => `restored the digest “${subject}”`],
  ['vessel.name', (subject) => `named ${subject}`],
  ['vessel.forget', (subject) => `forgot the name of ${subject}`],
  ['vessel.import', (subject) => `imported vessel names from ${subject}`],
  ['fleet.add', (subject) => `added to the fleet ${subject}`],
  ['fleet.remove', (subject) => `took out of the fleet ${subject}`],
  ['fleet.forget', (subject) => `removed the fleet ${subject}`],
  ['channel.settings', () => 'changed the settings'],
  ['workspace.settings', (subject) => `changed ${subject}`],
]);

/** What is not the same before and after. */
export function changeDetails(change: ShownChange, now: Date): Detail[] {
  const { subject, before, after } = change;
  const isPort = subject.startsWith('port ');
  const keys = new Set([...Object.keys(before?.other ?? {}), ...Object.keys(after?.other ?? {})]);
  return [
    ...ruleDetails([before?.rules, after?.rules], { now, isPort }),
    ...sides('snooze', before?.snooze, after?.snooze, (snooze) => [
      snooze ? snoozeInWords(snooze, now) : 'awake',
    ]),
    ...sides('when', before?.when, after?.when, (when) => [when]),
    ...[...keys]
      .filter((key) => !unsaid.has(key) && !goesWithoutSaying(key, change))
      .flatMap((key) =>
        sides(labels.get(key) ?? key, before?.other[key], after?.other[key], (value) => itemsOf(key, value)),
      ),
  ];
}

/** What is said by the verb, or means nothing to people. */
const unsaid = new Set(['acknowledgement', 'cardTs']);

/** Of what was added or removed as a whole: that it was called so, worked, and was the actor's own. */
function goesWithoutSaying(key: string, { subject, actorId, before, after }: ShownChange): boolean {
  if (before && after) return false;
  const value = (before ?? after)?.other[key];
  const usual = new Map([
    ['title', subject],
    ['ownerId', actorId],
    ['status', 'active'],
  ]);
  return value !== undefined && usual.get(key) === value;
}

/** Of two sets of rules only those that differ. */
function ruleDetails(
  [before, after]: [Rules | undefined, Rules | undefined],
  how: { now: Date; isPort: boolean },
): Detail[] {
  if (!before || !after) {
    return sides('rules', before, after, (rules) => thresholds(rules, how));
  }
  const [was, is] = [rulesInWords(before, how), rulesInWords(after, how)];
  const [gone, come] = [was.filter((rule) => !is.includes(rule)), is.filter((rule) => !was.includes(rule))];
  return gone.length + come.length === 0 ? [] : [{ label: 'notifies when', before: gone, after: come }];
}

function sides<T>(
  label: string,
  before: T | undefined,
  after: T | undefined,
  words: (value: T) => readonly Item[],
): Detail[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  return [
    {
      label,
      ...(before !== undefined && { before: words(before) }),
      ...(after !== undefined && { after: words(after) }),
    },
  ];
}

const labels: ReadonlyMap<string, string> = new Map([
  ['mode', 'alerts'],
  ['visibility', 'answers'],
  ['whoMayAdd', 'who may add'],
  ['ownerId', 'owner'],
  ['onlyNews', 'sent'],
  ['status', 'state'],
  ['reason', 'why'],
  ['imos', 'vessels'],
  ['subjects', 'follows'],
  ['added', 'new'],
]);

/** By the setting and its value. */
const settingWords: ReadonlyMap<string, string> = new Map([
  ['mode thread', 'in the thread only'],
  ['mode broadcast-critical', 'critical ones in the channel too'],
  ['mode new-message', 'each a new message'],
  ['whoMayAdd members', 'every member'],
  ['whoMayAdd admins', 'admins only'],
  ['guests ask', 'may ask'],
  ['guests full', 'same as members'],
  ['guests none', 'not served'],
]);

function itemsOf(key: string, value: unknown): Item[] {
  if (Array.isArray(value)) return value.map((one) => itemOf(key, one));
  return [itemOf(key, value)];
}

function itemOf(key: string, value: unknown): Item {
  if (key === 'ownerId' && typeof value === 'string') return { person: value };
  if (key === 'onlyNews') return value === true ? 'only with news' : 'always';
  if (key === 'reason' && typeof value === 'string') return pauseInWords(value).what;
  if (typeof value === 'string') return settingWords.get(`${key} ${value}`) ?? value;
  if (typeof value === 'object' && value !== null) return objectItem(value) ?? JSON.stringify(value);
  return value === null ? 'none' : String(value);
}

/** A subject of a watch, or a vessel with its name, as workspaces/name-changes.ts writes them. */
function objectItem(value: object): string | undefined {
  const { imo, name, port, before, after } = { ...noField, ...value };
  const kind = 'kind' in value ? value.kind : undefined;
  if (kind === 'shiplist' && name !== undefined) return `list ${String(name)}`;
  if (kind === 'port' && port !== undefined) return `port ${String(port)}`;
  if (imo === undefined) return undefined;
  if (after !== undefined) return `${String(imo)} ${before ? `${String(before)} → ` : ''}${String(after)}`;
  return name === undefined ? `IMO ${String(imo)}` : `${String(imo)} ${String(name)}`;
}

const noField: Readonly<Record<'imo' | 'name' | 'port' | 'before' | 'after', unknown>> = {
  imo: undefined,
  name: undefined,
  port: undefined,
  before: undefined,
  after: undefined,
};
