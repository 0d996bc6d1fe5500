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
import { clip } from '../../../messages/limits.ts';
import type { Modal } from '../../../messages/modal.ts';
import { channelMention, escaped } from '../../../messages/mrkdwn.ts';
import type { RuleFields } from '../form/rule-fields.ts';
import type { Rules } from '../rules/index.ts';
import { isOn, ruleValue, watchRules } from '../rules/registry.ts';

export interface WatchForm {
  /** A watch that there is keeps its subject and its channel; what somebody has for themselves its owner too. */
  edited: { title: string; channelId: string; ownerId: string; isOwn: boolean } | null;
  what: string;
  /** How `what` was read, or what is wrong with it; '' while there is nothing. */
  parsed: string;
  /** It was read as a port, which has other events. */
  isPort: boolean;
  where: Where;
  /** The channel to begin with; '' for none. */
  channelId: string;
  /** The rules to begin with. */
  base: Rules;
  /** By the keys of the rules. */
  ticked: readonly string[];
  fields: RuleFields;
  /** All fields are shown. */
  isWide: boolean;
}

export const watchFormIds = { dryRun: 'dry-run', more: 'more', name: 'name' } as const;

/** Of the field with the ticks: a port's are others, so that nothing ticked for one is taken for the other. */
export const ticksField = (isPort: boolean): string => (isPort ? 'notify-port' : 'notify');

/** What to watch, where, and when to notify; figures, dates and quiet hours when they are asked for. */
export function watchForm(form: WatchForm): Modal {
  const { edited, isPort, isWide } = form;
  return {
    title: edited ? 'Edit watch' : 'Watch a vessel',
    submit: edited ? 'Save' : 'Watch',
    blocks: [
      ...(edited ? fixed(edited) : subjectFields(form)),
      checkboxField({
        id: ticksField(isPort),
        label: 'Notify when',
        options: ticks(form),
        values: form.ticked,
        // A due date alone is a rule as well.
        optional: isWide || edited !== null,
      }),
      ...(isWide ? ruleFields(form) : []),
      ...(edited && !edited.isOwn ? [ownerField(edited)] : []),
      ...actions([
        button({ id: watchFormIds.dryRun, label: 'Preview notifications', value: watchFormIds.dryRun }),
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

function subjectFields({ what, parsed, where, channelId }: WatchForm): KnownBlock[] {
  return [
    textField({
      id: 'what',
      label: 'What to watch',
      value: what,
      placeholder: '9461477, MSC DIANA',
      maxLength: 1_000,
      live: true,
    }),
    note(clip(parsed === '' ? howToSay : parsed, 1_500), 'parsed'),
    ...placeFields({ label: 'Notify in', where, channelId, hint: 'Where the card and its thread stand.' }),
  ];
}

/** A rule that is off has its usual figure: the one that it gets when it is ticked. */
function ticks({ base, isPort }: WatchForm): Option[] {
  return watchRules.of({ isPort }).flatMap((rule) => {
    const value = ruleValue(base, rule);
    const shown = isOn(value) ? value : rule.defaultValue;
    return rule.tick && isOn(shown) ? [{ value: rule.key, label: rule.tick(shown, { isPort }) }] : [];
  });
}

/** The defaults are shown in grey where nothing is typed. */
function ruleFields({ fields, isPort }: WatchForm): KnownBlock[] {
  const typed = [...watchRules.of({ isPort }), ...watchRules.limits].flatMap(({ field }) =>
    field
      ? textField({
          id: field.id,
          label: field.label,
          value: fields[field.id] ?? '',
          placeholder: field.placeholder,
          ...(field.hint !== undefined && { hint: field.hint }),
          multiline: field.isMultiline ?? false,
          optional: true,
          maxLength: field.maxLength ?? 60,
        })
      : [],
  );
  if (isPort) return typed;
  const ends = checkboxField({
    id: 'ends',
    label: 'End',
    options: [{ value: 'ends', label: 'The watch ends when the next port has changed' }],
    values: [fields.ends ?? ''],
  });
  return [...typed, ends];
}
