import type { KnownBlock } from '@slack/types';
import { actions, button, sections } from '../../../messages/blocks.ts';
import {
  checkboxField,
  note,
  ownerField,
  placeFields,
  selectField,
  textField,
  type Where,
  words,
} from '../../../messages/fields.ts';
import { zonedTime } from '../../../messages/formatting/times.ts';
import { clip } from '../../../messages/limits.ts';
import type { Reader } from '../../../messages/message.ts';
import type { Modal } from '../../../messages/modal.ts';
import { channelMention, escaped, personMention } from '../../../messages/mrkdwn.ts';
import type { Digest } from '../digest.ts';

/** The ids of the fields and buttons. */
export const digestFormIds = {
  title: 'title',
  where: 'where',
  channel: 'channel',
  days: 'days',
  weekdays: 'weekdays',
  dates: 'dates',
  times: 'times',
  zone: 'zone',
  news: 'news',
  /** A line keeps its id when others are removed, since Slack keeps what was typed by it. */
  line: (id: number) => `line-${id}`,
  addLine: 'add-line',
  /** Its value is the id of the line. */
  removeLine: 'remove-line',
  preview: 'preview',
} as const;

export const dayChoices = ['weekdays', 'daily', 'some', 'dates'] as const;
export type DayChoice = (typeof dayChoices)[number];

/** What was understood of what is in a field, or what is wrong with it. In plain words. */
export type Parsed = { kind: 'right' | 'wrong' | 'nothing'; text: string };

export interface DigestForm {
  /** One that is there already; it stays where it is. */
  edited: Pick<Digest, 'title' | 'number' | 'channelId' | 'destination' | 'ownerId'> | null;
  title: string;
  where: Where;
  channelId: string;
  days: DayChoice;
  /** Numbers of ISO weekdays. */
  weekdays: readonly string[];
  dates: string;
  times: string;
  zone: string;
  onlyNews: boolean;
  lines: readonly { id: number; text: string; parsed: Parsed }[];
  /** The next runs, in that zone; or what is wrong with days, times or zone. */
  runs: { at: readonly Date[]; zone: string } | { wrong: string };
  /** Why it can't be looked at yet. */
  trouble?: string;
}

export function digestForm(form: DigestForm, reader: Reader, { maxLines }: { maxLines: number }): Modal {
  const { edited, title, onlyNews, lines, trouble } = form;
  const { addLine, preview, news } = digestFormIds;
  return {
    title: edited ? 'Edit a digest' : 'Plan a digest',
    submit: 'Save',
    blocks: [
      ...(edited ? headingOf(edited) : []),
      ...lines.flatMap((line, index) => lineOf(line, { index, isOnly: lines.length === 1 })),
      ...(lines.length < maxLines
        ? actions([button({ id: addLine, label: 'Add a line', value: addLine })])
        : []),
      ...whenOf(form, reader),
      ...(edited
        ? ownerOf(edited)
        : placeFields({ label: 'Send it', where: form.where, channelId: form.channelId })),
      checkboxField({
        id: news,
        label: 'When nothing is new',
        options: [{ value: 'only', label: 'Send nothing' }],
        values: onlyNews ? ['only'] : [],
      }),
      textField({
        id: digestFormIds.title,
        label: 'Title',
        optional: true,
        value: title,
        maxLength: 80,
        placeholder: 'Named after its lines',
      }),
      ...actions([button({ id: preview, label: 'Preview', value: preview })]),
      ...(trouble === undefined ? [] : [words(`⚠ ${trouble}`, 'trouble')]),
    ],
  };
}

function headingOf(edited: NonNullable<DigestForm['edited']>): KnownBlock[] {
  const { title, number, channelId, ownerId } = edited;
  const isOwn = edited.destination === 'direct-message';
  const place = isOwn ? 'sent only to you' : `sent in ${channelMention(channelId)}`;
  return sections([
    `*${number} ${escaped(title)}* · ${place} · by ${isOwn ? 'you' : personMention(ownerId)}`,
  ]);
}

/** What is sent to one person alone stays with them. */
const ownerOf = ({ destination, ownerId }: NonNullable<DigestForm['edited']>): KnownBlock[] =>
  destination === 'direct-message' ? [] : [ownerField({ ownerId })];

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
      id: digestFormIds.days,
      label: 'Days',
      value: days,
      live: true,
      options: dayChoices.map((value) => ({ value, label: dayLabels[value] })),
    }),
    ...(days === 'some'
      ? [
          checkboxField({
            id: digestFormIds.weekdays,
            label: 'Days of the week',
            live: true,
            optional: false,
            options: weekdayNames.map((label, index) => ({ value: String(index + 1), label })),
            values: weekdays,
          }),
        ]
      : []),
    ...(days === 'dates'
      ? [
          textField({
            id: digestFormIds.dates,
            label: 'Dates of the month',
            value: dates,
            live: true,
            maxLength: 200,
            hint: 'For example 1st, 15th, or last day',
          }),
        ]
      : []),
    textField({
      id: digestFormIds.times,
      label: 'Times of day',
      value: times,
      live: true,
      maxLength: 200,
      hint: 'One or several: 08:00, or 06:00, 18:00',
    }),
    textField({
      id: digestFormIds.zone,
      label: 'Time zone',
      value: zone,
      live: true,
      maxLength: 100,
      hint: 'For example Europe/Berlin or Singapore',
    }),
    note(
      'wrong' in runs ? `⚠ ${runs.wrong}` : `Next: ${nextRuns(runs, now)} (${runs.zone} time)`,
      'next-runs',
    ),
  ];
}

const nextRuns = ({ at, zone }: { at: readonly Date[]; zone: string }, now: Date): string =>
  at.map((run) => zonedTime(run, zone, now)).join(', then ');

const marks: Record<Parsed['kind'], string> = { right: '✓ ', wrong: '⚠ ', nothing: '' };

function lineOf(
  { id, text, parsed }: DigestForm['lines'][number],
  { index, isOnly }: { index: number; isOnly: boolean },
): KnownBlock[] {
  const remove = button({ id: digestFormIds.removeLine, label: 'Remove', value: String(id) });
  return [
    textField({
      id: digestFormIds.line(id),
      label: `Line ${index + 1}`,
      value: text,
      live: true,
      maxLength: longestLine,
      placeholder: 'portcalls Rotterdam next 3 days',
    }),
    {
      ...words(`${marks[parsed.kind]}${clip(parsed.text, 600)}`, `parsed-${id}`),
      ...(isOnly ? {} : { accessory: remove }),
    },
  ];
}

const longestLine = 1_500;
