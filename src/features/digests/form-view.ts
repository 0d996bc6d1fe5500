import type { FormPart, FormView } from '../../answers/fields.ts';
import { zonedTime } from '../../answers/formatting/times.ts';
import { clip, limits, type Reader } from '../../answers/message.ts';
import { present, type Text } from '../../answers/text.ts';
import { isPersonalThing, ownerField, type PlaceFields, placeFields } from '../owned/index.ts';
import { portCallsExample } from '../port-calls/index.ts';
import type { Digest } from './digest.ts';
import { maxLines, maxTitleLength } from './words.ts';

/** The id of a line's field. It doesn't change when other lines are removed, so Slack keeps the typed text. */
export const lineField = (id: number): string => `line-${id}`;

export const formButtons = {
  addLine: 'add-line',
  /** The value of the button is the id of the line. */
  removeLine: 'remove-line',
  preview: 'preview',
} as const;

export const dayChoices = ['weekdays', 'daily', 'some', 'dates'] as const;
type DayChoice = (typeof dayChoices)[number];

/** How a typed line is understood, or what is wrong with it. Plain text. */
export type Parsed = { kind: 'right' | 'wrong' | 'nothing'; text: string };

export interface DigestForm extends PlaceFields {
  /** The saved digest that the form changes; null for a new one. */
  edited: Pick<Digest, 'title' | 'number' | 'channelId' | 'destination' | 'ownerId'> | null;
  title: string;
  days: DayChoice;
  /** ISO numbers: `1` is Monday. */
  weekdays: readonly string[];
  dates: string;
  times: string;
  zone: string;
  onlyNews: boolean;
  lines: readonly { id: number; text: string; parsed: Parsed }[];
  /** The next runs, or what is wrong with days, times or zone. */
  runs: { at: readonly Date[]; zone: string } | { wrong: string };
  /** Why there is no preview yet. */
  trouble?: string;
}

export function formView(form: DigestForm, reader: Reader): FormView {
  const { edited, title, onlyNews, lines, trouble } = form;
  const { addLine, preview } = formButtons;
  return {
    title: edited ? 'Edit digest' : 'Add a digest',
    submit: 'Save',
    parts: present<FormPart>(
      edited !== null && headingOf(edited),
      ...lines.flatMap((line, index) => lineOf(line, { index, isOnlyLine: lines.length === 1 })),
      lines.length < maxLines && { kind: 'buttons', buttons: [{ label: 'Add a line', press: addLine }] },
      ...whenOf(form, reader),
      ...placeOrOwner(form),
      {
        kind: 'ticks',
        id: 'news',
        label: 'When nothing is new',
        options: [{ value: 'only', label: 'Send nothing' }],
        values: onlyNews ? ['only'] : [],
      },
      {
        kind: 'input',
        id: 'title',
        label: 'Title',
        isOptional: true,
        value: title,
        maxLength: maxTitleLength,
        placeholder: 'Named after its lines',
      },
      { kind: 'buttons', buttons: [{ label: 'Preview', press: preview }] },
      trouble !== undefined && { kind: 'text', id: 'trouble', lines: [`🟠 ${trouble}`] },
    ),
  };
}

function headingOf(edited: NonNullable<DigestForm['edited']>): FormPart {
  const { title, number, channelId, ownerId } = edited;
  const sent: Text = isPersonalThing(edited)
    ? 'sent only to you · by you'
    : ['sent in ', { channel: channelId }, ' · by ', { person: ownerId }];
  return { kind: 'text', lines: [[{ strong: `${number} ${title}` }, ' · ', sent]] };
}

/** A saved digest can't move, but it can be handed over unless it is personal. */
function placeOrOwner({ edited, ...place }: DigestForm): FormPart[] {
  if (!edited) return placeFields(place, { label: 'Send it' });
  return isPersonalThing(edited) ? [] : [ownerField(edited.ownerId)];
}

const dayLabels: Record<DayChoice, string> = {
  weekdays: 'Weekdays (Monday to Friday)',
  daily: 'Every day',
  some: 'Some days of the week',
  dates: 'Dates of the month',
};

const weekdayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

const whenOf = ({ days, weekdays, dates, times, zone, runs }: DigestForm, { now }: Reader): FormPart[] =>
  present<FormPart>(
    {
      kind: 'menu',
      id: 'days',
      label: 'Days',
      value: days,
      isLive: true,
      options: dayChoices.map((value) => ({ value, label: dayLabels[value] })),
    },
    days === 'some' && {
      kind: 'ticks',
      id: 'weekdays',
      label: 'Days of the week',
      isLive: true,
      isOptional: false,
      options: weekdayNames.map((label, index) => ({ value: String(index + 1), label })),
      values: weekdays,
    },
    days === 'dates' && liveInput('dates', 'Dates of the month', dates, 'For example 1st, 15th, or last day'),
    liveInput('times', 'Times of day', times, 'One or several: 08:00, or 06:00, 18:00'),
    liveInput('zone', 'Time zone', zone, 'For example Europe/Berlin or Singapore'),
    {
      kind: 'note',
      id: 'next-runs',
      text: 'wrong' in runs ? `🟠 ${runs.wrong}` : `Next: ${nextRuns(runs, now)} (${runs.zone} time)`,
    },
  );

const liveInput = (id: string, label: string, value: string, hint: string): FormPart => ({
  ...{ kind: 'input', id, label, value, hint, isLive: true, maxLength: 200 },
});

const nextRuns = ({ at, zone }: { at: readonly Date[]; zone: string }, now: Date): string =>
  at.map((run) => zonedTime(run, zone, now)).join(', then ');

const marks: Record<Parsed['kind'], string> = { right: '✓ ', wrong: '🟠 ', nothing: '' };

const lineOf = (
  { id, text, parsed }: DigestForm['lines'][number],
  { index, isOnlyLine }: { index: number; isOnlyLine: boolean },
): FormPart[] => [
  {
    kind: 'input',
    id: lineField(id),
    label: `Line ${index + 1}`,
    value: text,
    isLive: true,
    maxLength: limits.commandLine,
    placeholder: portCallsExample,
  },
  {
    kind: 'text',
    id: `parsed-${id}`,
    lines: [`${marks[parsed.kind]}${clip(parsed.text, 600)}`],
    button: isOnlyLine ? undefined : { label: 'Remove', press: formButtons.removeLine, value: String(id) },
  },
];
