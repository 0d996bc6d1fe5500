import type { KnownBlock } from '@slack/types';
import {
  checkboxField,
  note,
  type Option,
  ownerField,
  placeFields,
  textField,
  type Where,
} from '../../../answers/fields.ts';
import { clip, type Modal } from '../../../answers/message.ts';
import { actions, button, channelMention, escaped, sections } from '../../../answers/slack/blocks.ts';
import type { Rules } from '../../rules/list.ts';
import { isOn, ruleValue, watchRules } from '../../rules/registry.ts';

/** The text of each field, by its id; '' means the default. `ends` is '' unless its box is ticked. */
export type RuleFields = Readonly<Record<string, string>>;

export interface WatchForm {
  /** The stored watch; null for a new one. An edit can't change its subject or channel, or who owns a personal watch. */
  edited: { title: string; channelId: string; ownerId: string; isOwn: boolean } | null;
  what: string;
  /** How `what` was parsed, or what is wrong with it; '' while it is empty. */
  parsed: string;
  /** `what` names a port, so the form offers the rules of ports. */
  isPort: boolean;
  where: Where;
  /** The initial channel; '' for none. */
  channelId: string;
  /** The initial rules. */
  base: Rules;
  /** The keys of the rules that are ticked. */
  ticked: readonly string[];
  fields: RuleFields;
  /** All fields are shown. */
  isWide: boolean;
}

export const watchFormIds = { dryRun: 'dry-run', more: 'more', name: 'name' } as const;

/** The id of the tick boxes. For ports it differs, because Slack keeps the ticks while the id stays the same. */
export const ticksField = (isPort: boolean): string => (isPort ? 'notify-port' : 'notify');

/** What to watch, where to notify, and when. The wide form also has fields for figures, dates and quiet hours. */
export function watchForm(form: WatchForm): Modal {
  const { edited, isPort, isWide } = form;
  return {
    title: edited ? 'Edit watch' : 'Watch a vessel',
    submit: edited ? 'Save' : 'Watch',
    blocks: [
      ...(edited
        ? sections([
            `*${escaped(clip(edited.title, 150))}* in ${edited.isOwn ? 'a direct message' : channelMention(edited.channelId)}`,
          ])
        : subjectFields(form)),
      checkboxField({
        id: ticksField(isPort),
        label: 'Notify when',
        options: ticks(form),
        values: form.ticked,
        // A due date, which has no box, is enough.
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

const howToType = 'Vessels by IMO number or name, or one of fleet:NORTH, list:FEEDERS, port Rotterdam.';

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
    note(clip(parsed === '' ? howToType : parsed, 1_500), 'parsed'),
    ...placeFields({ label: 'Notify in', where, channelId, hint: 'The card and its thread go there.' }),
  ];
}

/** A rule that is off shows the usual figure, which it gets when it is ticked. */
function ticks({ base, isPort }: WatchForm): Option[] {
  return watchRules.rulesFor({ isPort }).flatMap((rule) => {
    const value = ruleValue(base, rule);
    const shown = isOn(value) ? value : (rule.usualValue ?? rule.defaultValue);
    return rule.tick && isOn(shown) ? [{ value: rule.key, label: rule.tick(shown, { isPort }) }] : [];
  });
}

/** An empty field shows its default as the placeholder. */
function ruleFields({ fields, isPort }: WatchForm): KnownBlock[] {
  const typed = [...watchRules.rulesFor({ isPort }), ...watchRules.limits].flatMap(({ field }) =>
    field
      ? textField({
          maxLength: 60,
          ...field,
          value: fields[field.id] ?? '',
          multiline: field.isMultiline ?? false,
          optional: true,
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
