import { z } from 'zod';
import { fullDate, fullUtcTime } from '../../answers/formatting/times.ts';
import { pauseInWords } from '../../answers/slack/notices.ts';
import { joinWords } from '../../grammar/line.ts';
import type { AuditEntry } from '../../workspaces/audit.ts';
import { formatSchedule, schedule as scheduleSchema } from '../digests/index.ts';
import {
  type Rules,
  rulesInBrief,
  rulesInWords,
  type Snooze,
  snoozeInWords,
  snooze as snoozeSchema,
  watchRules,
} from '../rules/index.ts';

/**
 * The values before or after a change: of a watch the changed fields, of a digest all fields. `other` holds the fields
 * without words of their own, as they are stored.
 */
export interface ChangeFacts {
  rules?: Rules;
  /** Null: not snoozed. */
  snooze?: Snooze | null;
  /** `weekdays 08:00 Europe/Berlin`. */
  when?: string;
  other: Readonly<Record<string, unknown>>;
}

type Entry = Pick<AuditEntry, 'id' | 'at' | 'actorId' | 'action' | 'subject' | 'channelId' | 'isPersonal'>;

export interface ShownChange extends Entry {
  /** The change is about somebody else's personal thing, or a private channel: nothing says what it is about. */
  hidden?: 'personal' | 'private-channel';
  before?: ChangeFacts;
  after?: ChangeFacts;
}

/** A phrase, or a person. */
export type Item = string | { person: string };

/** Without `before`, the thing was added; without `after`, it was removed. */
export interface Detail {
  label: string;
  before?: readonly Item[];
  after?: readonly Item[];
}

/** `stopped the watch of DS CYPRESS`. */
export function changeInWords({ action, subject, before, after, hidden }: ShownChange): string {
  const isHandedOver = action === 'digest.change' && before?.other.ownerId !== after?.other.ownerId;
  const isPlanned = action === 'workspace.pause' && after?.other.from !== undefined;
  const key = isHandedOver ? 'digest.hand-over' : isPlanned ? 'workspace.plan-pause' : action;
  const verb = action === 'watch.change' ? watchVerb(after) : verbs.get(key);
  const words = verb ?? (hidden ? `${action} {}` : `${action}: {}`);
  // The subject of somebody's own says what it is.
  const shown = hidden ? words.replace(/the watch of \{\}|the digest “\{\}”/, '{}') : words;
  return joinWords(
    shown.replace('{}', () => subject),
    hidden === 'private-channel' ? 'in a private channel' : '',
  );
}

function watchVerb(after: ChangeFacts | undefined): string {
  if (after?.snooze !== undefined) return after.snooze ? 'snoozed the watch of {}' : 'woke the watch of {}';
  if (after?.other.outsidersAllowedBy !== undefined) return 'let people outside see the watch of {}';
  return after?.other.ownerId === undefined ? 'changed the watch of {}' : 'handed over the watch of {}';
}

/** By action; `{}` is the subject. */
const verbs: ReadonlyMap<string, string> = new Map([
  ['watch.add', 'added the watch of {}'],
  ['watch.follow', 'changed the vessels of the watch of {}'],
  ['watch.resume', 'resumed the watch of {}'],
  ['watch.pause', 'paused the watch of {}'],
  ['watch.stop', 'stopped the watch of {}'],
  ['alert.acknowledge', 'acknowledged alerts of {}'],
  ['alert.assign', 'assigned alerts of {}'],
  ['digest.add', 'added the digest “{}”'],
  ['digest.change', 'changed the digest “{}”'],
  ['digest.hand-over', 'handed over the digest “{}”'],
  ['digest.pause', 'paused the digest “{}”'],
  ['digest.resume', 'resumed the digest “{}”'],
  ['digest.remove', 'removed the digest “{}”'],
  ['digest.restore', 'restored the digest “{}”'],
  ['vessel.name', 'named {}'],
  ['vessel.forget', 'forgot the name of {}'],
  ['vessel.import', 'imported {}'],
  ['vessel.undo', 'undid the import of {}'],
  ['reference.add', 'added references to {}'],
  ['reference.remove', 'removed references from {}'],
  ['promise.add', 'promised a call of {}'],
  ['promise.remove', 'removed a promise of {}'],
  ['fleet.add', 'added vessels to the fleet {}'],
  ['fleet.remove', 'removed vessels from the fleet {}'],
  ['fleet.forget', 'removed the fleet {}'],
  ['ports.set', 'changed the group of ports {}'],
  ['ports.forget', 'removed the group of ports {}'],
  ['channel.settings', 'changed the settings'],
  ['account.connect', 'connected {}'],
  ['account.replace', 'replaced {}'],
  ['account.remove', 'disconnected {}'],
  ['token.create', 'created the token “{}”'],
  ['token.revoke', 'revoked the token “{}”'],
  ['workspace.settings', 'changed {}'],
  ['person.export', 'exported what is stored about {}'],
  ['person.forget', 'deleted what was stored about {}'],
  ['workspace.export', 'exported what is stored about {}'],
  ['workspace.forget', 'deleted what was stored about {}'],
  ['workspace.pause', 'paused {}'],
  ['workspace.plan-pause', 'planned a pause of {}'],
  ['workspace.resume', 'resumed {}'],
  ['workspace.cancel-pause', 'cancelled the pause of {}'],
]);

export function toShownChange({ before, after, ...entry }: AuditEntry): ShownChange {
  return {
    ...entry,
    ...(before !== undefined && { before: factsOf(before) }),
    ...(after !== undefined && { after: factsOf(after) }),
  };
}

/** `other` holds the fields without a parser, and those that can't be parsed because an older version wrote them. */
function factsOf(value: unknown): ChangeFacts {
  const { data: fields } = storedObject.safeParse(value);
  if (!fields) return { other: { value } };
  const rules = watchRules.rules.safeParse(fields.rules);
  const snooze = snoozeSchema.nullable().safeParse(fields.snooze);
  const schedule = scheduleSchema.safeParse(fields.schedule);
  const zone = typeof fields.zone === 'string' ? { zone: fields.zone } : {};
  const parsed = [
    ...(rules.success ? ['rules'] : []),
    ...(snooze.success ? ['snooze'] : []),
    ...(schedule.success ? ['schedule', 'zone'] : []),
  ];
  return {
    ...(rules.success && { rules: rules.data }),
    ...(snooze.success && { snooze: snooze.data }),
    ...(schedule.success && { when: formatSchedule({ schedule: schedule.data, ...zone }) }),
    other: Object.fromEntries(Object.entries(fields).filter(([key]) => !parsed.includes(key))),
  };
}

export function changeDetails(change: ShownChange, now: Date): Detail[] {
  const { subject, before, after } = change;
  const isPort = aboutPort.test(subject);
  const keys = new Set([...Object.keys(before?.other ?? {}), ...Object.keys(after?.other ?? {})]);
  return [
    ...ruleDetails([before?.rules, after?.rules], { now, isPort }),
    ...compareValues('snooze', before?.snooze, after?.snooze, (snooze) => [
      snooze ? snoozeInWords(snooze, now) : 'awake',
    ]),
    ...compareValues('when', before?.when, after?.when, (when) => [when]),
    ...[...keys]
      .filter((key) => !hidden.has(key) && !isObvious(key, change))
      .flatMap((key) =>
        compareValues(labels.get(key) ?? key, before?.other[key], after?.other[key], (value) =>
          itemsOf(key, value),
        ),
      ),
  ];
}

/** The titles of watches of a port or group, or of vessels at one: `fleet NORTH at Rotterdam (NLRTM)`, `EVER GIVEN at ARA`. */
const aboutPort = /^(?:port|group) | at (?:(?:.* \()?[A-Z]{2}[A-Z2-9]{3}\)?|[\p{Lu}\p{N}-]+)$/u;

/** Not shown: the verb of `changeInWords` says what changed here, or the value means nothing to people. */
const hidden = new Set(['cardTs']);

/** Whether the value says nothing: none of a kind, or what nearly everything has when it is added or removed. */
function isObvious(key: string, { subject, actorId, before, after }: ShownChange): boolean {
  if (before && after) return false;
  const value = (before ?? after)?.other[key];
  if (value === 0 || (Array.isArray(value) && value.length === 0)) return true;
  const usual: Record<string, string> = { title: subject, ownerId: actorId, status: 'active' };
  return value !== undefined && usual[key] === value;
}

/** If rules were changed, shows only the rules that differ. */
function ruleDetails(
  [before, after]: [Rules | undefined, Rules | undefined],
  context: { now: Date; isPort: boolean },
): Detail[] {
  if (!before || !after)
    return compareValues('rules', before, after, (rules) => rulesInBrief(rules, context));
  const [oldRules, newRules] = [rulesInWords(before, context), rulesInWords(after, context)];
  const removed = oldRules.filter((rule) => !newRules.includes(rule));
  const added = newRules.filter((rule) => !oldRules.includes(rule));
  return removed.length + added.length === 0
    ? []
    : [{ label: 'notifies when', before: removed, after: added }];
}

function compareValues<T>(
  label: string,
  before: T | undefined,
  after: T | undefined,
  inWords: (value: T) => readonly Item[],
): Detail[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  return [
    {
      label,
      ...(before !== undefined && { before: inWords(before) }),
      ...(after !== undefined && { after: inWords(after) }),
    },
  ];
}

const labels: ReadonlyMap<string, string> = new Map([
  ['mode', 'alerts'],
  ['visibility', 'answers'],
  ['whoMayAdd', 'who may add'],
  ['ownerId', 'owner'],
  ['outsidersAllowedBy', 'shown outside by'],
  ['assigneeId', 'to'],
  ['onlyNews', 'sent'],
  ['status', 'state'],
  ['reason', 'why'],
  ['imos', 'vessels'],
  ['subjects', 'follows'],
  ['added', 'new'],
  ['newReferences', 'new references'],
  ['scope', 'may'],
  ['personId', 'created by'],
  ['limit', 'API calls at most'],
]);

/** The words for a value; the key is the field and the value. */
const valueWords: ReadonlyMap<string, string> = new Map([
  ['mode thread', 'in the thread only'],
  ['mode broadcast-critical', 'critical ones in the channel too'],
  ['mode new-message', 'each as its own message'],
  ['whoMayAdd members', 'every member'],
  ['whoMayAdd admins', 'admins only'],
  ['guests ask', 'may ask'],
  ['guests full', 'same as members'],
  ['guests none', 'not served'],
  ['scope read', 'ask'],
  ['scope write', 'ask, and add or stop watches'],
  ['links off', 'left alone'],
  ['links on', 'show the next ports'],
  ['links composer', 'show the next ports, while writing too'],
]);

function itemsOf(key: string, value: unknown): Item[] {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.map((item) => itemOf(key, item));
}

/** The fields that hold a person's id. */
const people: ReadonlySet<string> = new Set(['ownerId', 'outsidersAllowedBy', 'assigneeId', 'personId']);

function itemOf(key: string, value: unknown): Item {
  if (key === 'onlyNews') return value === true ? 'only with news' : 'always';
  if (key === 'from' || key === 'until')
    return typeof value === 'string' ? fullUtcTime(new Date(value)) : 'an admin resumes it';
  if (typeof value === 'string') {
    if (people.has(key)) return { person: value };
    if (key === 'reason') return pauseInWords(value).what;
    if (key === 'expires') return fullDate(new Date(value), 'UTC');
    return valueWords.get(`${key} ${value}`) ?? value;
  }
  if (typeof value === 'object' && value !== null) return objectInWords(value) ?? JSON.stringify(value);
  return value === null ? 'none' : String(value);
}

const storedObject = z.record(z.string(), z.unknown());

/** What a watch follows, or a vessel with its name, or with its old and new name (`before`, `after`). */
function objectInWords(value: object): string | undefined {
  const { data: fields } = storedObject.safeParse(value);
  if (!fields) return undefined;
  const { kind, imo, name, port, before, after } = fields;
  if (kind === 'shiplist' && name !== undefined) return `list ${String(name)}`;
  if (kind === 'port' && port !== undefined) return `port ${String(port)}`;
  if (imo === undefined) return undefined;
  if (after !== undefined) return `${String(imo)} ${before ? `${String(before)} → ` : ''}${String(after)}`;
  return name === undefined ? `IMO ${String(imo)}` : `${String(imo)} ${String(name)}`;
}
