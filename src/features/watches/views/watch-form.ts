import type { KnownBlock } from '@slack/types';
import { actions, button, sections } from '../../../messages/blocks.ts';
import {
  checkboxField,
  note,
  type Option,
  ownerField,
  placeFields,
  textField,
  type Where,
} from '../../../messages/fields.ts';
import { percent } from '../../../messages/formatting/probability.ts';
import { clip } from '../../../messages/limits.ts';
import type { Modal } from '../../../messages/modal.ts';
import { channelMention, escaped } from '../../../messages/mrkdwn.ts';
import type { Rules } from '../evaluation/rules.ts';

/** What can be ticked, by the rule that it turns on. */
export const vesselTold = [
  'nextPort',
  'etaHours',
  'below',
  'arrivingHours',
  'overdueHours',
  'noLongerListed',
  'lost',
  'stale',
] as const satisfies readonly (keyof Rules)[];
export const portTold = ['expected', 'etaHours', 'stale'] as const satisfies readonly (keyof Rules)[];
export type Told = (typeof vesselTold)[number] | (typeof portTold)[number];

/** What is typed about the rules; '' for the default. */
export interface RuleFigures {
  eta: string;
  below: string;
  arriving: string;
  overdue: string;
  /** One a line: `NLRTM 27 nov 18:00`. */
  due: string;
  quiet: string;
  /** Ends when the next port has changed. */
  ends: boolean;
}

export interface WatchForm {
  /** A watch that there is keeps its subject and its channel; what somebody has for themselves its owner too. */
  edited: { title: string; channelId: string; ownerId: string; isOwn: boolean } | null;
  what: string;
  /** How `what` was read, or what is wrong with it; '' while there is nothing. */
  heard: string;
  /** It was read as a port, which has other events. */
  isPort: boolean;
  where: Where;
  /** The channel to begin with; '' for none. */
  channelId: string;
  /** The rules to begin with, and what a rule is where nothing is said of it. */
  base: Rules;
  usual: Rules;
  told: readonly Told[];
  figures: RuleFigures;
  /** All fields are shown. */
  isWide: boolean;
}

export const watchFormIds = { dryRun: 'dry-run', more: 'more', name: 'name' } as const;

/** Of the field with the ticks: a port's are others, so that nothing ticked for one is taken for the other. */
export const toldField = (isPort: boolean): string => (isPort ? 'told-port' : 'told');

/** What to watch, where, what is to be told; figures, dates and quiet hours when they are asked for. */
export function watchForm(form: WatchForm): Modal {
  const { edited, isPort, isWide } = form;
  return {
    title: edited ? 'Edit watch' : 'Watch a vessel',
    submit: edited ? 'Save' : 'Watch',
    blocks: [
      ...(edited ? fixed(edited) : subjectFields(form)),
      checkboxField({
        id: toldField(isPort),
        label: 'Tell when',
        options: isPort ? portOptions(form) : vesselOptions(form),
        values: form.told,
        // A due date alone is something to tell as well.
        optional: isWide || edited !== null,
      }),
      ...(isWide ? figureFields(form) : []),
      ...(edited && !edited.isOwn ? [ownerField(edited)] : []),
      ...actions([
        button({ id: watchFormIds.dryRun, label: 'What would it tell?', value: watchFormIds.dryRun }),
        ...(isWide ? [] : [button({ id: watchFormIds.more, label: 'More settings', value: 'more' })]),
        ...(edited ? [] : [button({ id: watchFormIds.name, label: 'Name a vessel …', value: 'name' })]),
      ]),
    ],
  };
}

const howToSay = 'Vessels by IMO number or name, or one of fleet:NORTH, list:FEEDERS, port Rotterdam.';

function fixed({ title, channelId }: { title: string; channelId: string }): KnownBlock[] {
  return sections([`*${escaped(clip(title, 150))}* in ${channelMention(channelId)}`]);
}

function subjectFields({ what, heard, where, channelId }: WatchForm): KnownBlock[] {
  return [
    textField({
      id: 'what',
      label: 'What to watch',
      value: what,
      placeholder: '9461477, MSC DIANA',
      maxLength: 1_000,
      live: true,
    }),
    note(clip(heard === '' ? howToSay : heard, 1_500), 'heard'),
    ...placeFields({ label: 'Tell it', where, channelId, hint: 'Where the card and its thread stand.' }),
  ];
}

/** An event that is off has its usual figure: the one that it gets when it is ticked. */
function vesselOptions({ base, usual }: WatchForm): Option[] {
  const rungs = base.arrivingHours.length > 0 ? base.arrivingHours : usual.arrivingHours;
  const labels: Record<(typeof vesselTold)[number], string> = {
    nextPort: 'The next port changes',
    etaHours: `The ETA moves by ${base.etaHours ?? usual.etaHours} h or more`,
    below: `The probability falls under ${percent(base.below ?? usual.below ?? 0)}`,
    arrivingHours: `Arriving: ${rungs.join(', ')} h before the ETA`,
    overdueHours: `Overdue: the ETA has passed by ${base.overdueHours ?? usual.overdueHours} h`,
    noLongerListed: 'The port is no longer listed',
    lost: 'There is no prediction any more, or one again',
    stale: 'The service does not answer',
  };
  return vesselTold.map((value) => ({ value, label: labels[value] }));
}

function portOptions({ base, usual }: WatchForm): Option[] {
  const labels: Record<(typeof portTold)[number], string> = {
    expected: 'A vessel is newly expected, or no longer',
    etaHours: `The ETA of one moves by ${base.etaHours ?? usual.etaHours} h or more`,
    stale: 'The service does not answer',
  };
  return portTold.map((value) => ({ value, label: labels[value] }));
}

/** The defaults stand in grey where nothing is typed. */
function figureFields({ figures, isPort, usual }: WatchForm): KnownBlock[] {
  const { eta, below, arriving, overdue, due, quiet, ends } = figures;
  const figure = (id: string, label: string, value: string, placeholder: unknown) =>
    textField({ id, label, value, placeholder: String(placeholder), optional: true, maxLength: 60 });
  const quietField = figure('quiet', 'Quiet hours', quiet, '22:00-06:00');
  const etaField = figure('eta', 'The ETA moves by … hours', eta, usual.etaHours);
  if (isPort) return [etaField, quietField];
  return [
    etaField,
    figure('below', 'The probability falls under … %', below, Math.round((usual.below ?? 0) * 100)),
    figure('arriving', 'Arriving: hours before the ETA', arriving, usual.arrivingHours.join(', ')),
    figure('overdue', 'Overdue by … hours', overdue, usual.overdueHours),
    textField({
      id: 'due',
      label: 'Due dates',
      value: due,
      placeholder: 'NLRTM 27 Nov 18:00',
      hint: 'One a line, by the time of the port: told when the ETA gets later, or the port unlikely.',
      multiline: true,
      optional: true,
      maxLength: 600,
    }),
    quietField,
    checkboxField({
      id: 'ends',
      label: 'End',
      options: [{ value: 'ends', label: 'The watch ends when the next port has changed' }],
      values: ends ? ['ends'] : [],
    }),
  ];
}
