import type { KnownBlock } from '@slack/types';
import {
  checkboxField,
  note,
  ownerField,
  placeFields,
  selectField,
  textBlock,
  textField,
  type Where,
} from '../../answers/fields.ts';
import { zonedTime } from '../../answers/formatting/times.ts';
import { clip, limits, type Modal, type Reader } from '../../answers/message.ts';
import {
  actions,
  button,
  channelMention,
  escaped,
  personMention,
  sections,
} from '../../answers/slack/blocks.ts';
import { isPersonalThing } from '../owned/index.ts';
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

export interface DigestForm {
  /** The saved digest that the form changes; null for a new one. */
  edited: Pick<Digest, 'title' | 'number' | 'channelId' | 'destination' | 'ownerId'> | null;
  title: string;
  where: Where;
  channelId: string;
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

export function formView(form: DigestForm, reader: Reader): Modal {
  const { edited, title, onlyNews, lines, trouble } = form;
  const { addLine, preview } = formButtons;
  return {
    title: edited ? 'Edit digest' : 'Add a digest',
    submit: 'Save',
    blocks: [
      ...(edited ? headingOf(edited) : []),
      ...lines.flatMap((line, index) => lineOf(line, { index, isOnlyLine: lines.length === 1 })),
      ...(lines.length < maxLines
        ? actions([button({ id: addLine, label: 'Add a line', value: addLine })])
        : []),
      ...whenOf(form, reader),
      ...placeOrOwner(form),
      checkboxField({
        id: 'news',
        label: 'When nothing is new',
        options: [{ value: 'only', label: 'Send nothing' }],
        values: onlyNews ? ['only'] : [],
      }),
      textField({
        id: 'title',
        label: 'Title',
        optional: true,
        value: title,
        maxLength: maxTitleLength,
        placeholder: 'Named after its lines',
      }),
      ...actions([button({ id: preview, label: 'Preview', value: preview })]),
      ...(trouble === undefined ? [] : [textBlock(`🟠 ${trouble}`, 'trouble')]),
    ],
  };
}

function headingOf(edited: NonNullable<DigestForm['edited']>): KnownBlock[] {
  const { title, number, channelId, ownerId } = edited;
  const [place, owner] = isPersonalThing(edited)
    ? ['sent only to you', 'you']
    : [`sent in ${channelMention(channelId)}`, personMention(ownerId)];
  return sections([`*${number} ${escaped(title)}* · ${place} · by ${owner}`]);
}

/** A saved digest can't move, but it can be handed over unless it is personal. */
function placeOrOwner({ edited, where, channelId }: DigestForm): KnownBlock[] {
  if (!edited) return placeFields({ label: 'Send it', where, channelId });
  return isPersonalThing(edited) ? [] : [ownerField(edited)];
}

const dayLabels: Record<DayChoice, string> = {
  weekdays: 'Weekdays (Monday to Friday)',
  daily: 'Every day',
  some: 'Some days of the week',
  dates: 'Dates of the month',
};

const weekdayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

function whenOf({ days, weekdays, dates, times, zone, runs }: DigestForm, { now }: Reader): KnownBlock[] {
  return [
    selectField({
      id: 'days',
      label: 'Days',
      value: days,
      live: true,
      options: dayChoices.map((value) => ({ value, label: dayLabels[value] })),
    }),
    ...(days === 'some'
      ? [
          checkboxField({
            id: 'weekdays',
            label: 'Days of the week',
            live: true,
            optional: false,
            options: weekdayNames.map((label, index) => ({ value: String(index + 1), label })),
            values: weekdays,
          }),
        ]
      : []),
    ...(days === 'dates'
      ? [liveText('dates', 'Dates of the month', dates, 'For example 1st, 15th, or last day')]
      : []),
    liveText('times', 'Times of day', times, 'One or several: 08:00, or 06:00, 18:00'),
    liveText('zone', 'Time zone', zone, 'For example Europe/Berlin or Singapore'),
    note(
      'wrong' in runs ? `🟠 ${runs.wrong}` : `Next: ${nextRuns(runs, now)} (${runs.zone} time)`,
      'next-runs',
    ),
  ];
}

const liveText = (id: string, label: string, value: string, hint: string): KnownBlock =>
  textField({ id, label, value, hint, live: true, maxLength: 200 });

const nextRuns = ({ at, zone }: { at: readonly Date[]; zone: string }, now: Date): string =>
  at.map((run) => zonedTime(run, zone, now)).join(', then ');

const marks: Record<Parsed['kind'], string> = { right: '✓ ', wrong: '🟠 ', nothing: '' };

function lineOf(
  { id, text, parsed }: DigestForm['lines'][number],
  { index, isOnlyLine }: { index: number; isOnlyLine: boolean },
): KnownBlock[] {
  const remove = button({ id: formButtons.removeLine, label: 'Remove', value: String(id) });
  return [
    textField({
      id: lineField(id),
      label: `Line ${index + 1}`,
      value: text,
      live: true,
      maxLength: limits.commandLine,
      placeholder: portCallsExample,
    }),
    {
      ...textBlock(`${marks[parsed.kind]}${clip(parsed.text, 600)}`, `parsed-${id}`),
      ...(isOnlyLine ? {} : { accessory: remove }),
    },
  ];
}
