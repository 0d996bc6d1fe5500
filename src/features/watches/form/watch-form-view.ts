import type { FormPart, FormView, Option } from '../../../answers/fields.ts';
import { clip } from '../../../answers/message.ts';
import { ownerField, type PlaceFields, placeFields } from '../../owned/index.ts';
import { isOn, type Rules, ruleValue, watchRules } from '../../rules/index.ts';
import { subjectHint } from '../words/subject.ts';

/** The text of each field, by its id; '' means the default. `ends` is '' unless its box is ticked. */
export type RuleFields = Readonly<Record<string, string>>;

export interface WatchForm extends PlaceFields {
  /** The stored watch; null for a new one. An edit can't change its subject or channel, or who owns a personal watch. */
  edited: { title: string; channelId: string; ownerId: string; isOwn: boolean } | null;
  what: string;
  /** How `what` was parsed, or what is wrong with it; '' while it is empty. */
  parsed: string;
  /** `what` names a port, so the form offers the rules of ports. */
  isPort: boolean;
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
export function watchForm(form: WatchForm): FormView {
  const { edited, isPort, isWide } = form;
  return {
    title: edited ? 'Edit watch' : 'Watch a vessel',
    submit: edited ? 'Save' : 'Watch',
    parts: [
      ...(edited ? [headingOf(edited)] : subjectFields(form)),
      {
        kind: 'ticks',
        id: ticksField(isPort),
        label: 'Notify when',
        options: ticks(form),
        values: form.ticked,
        // A due date, which has no box, is enough.
        isOptional: isWide || edited !== null,
      },
      ...(isWide ? ruleFields(form) : []),
      ...(edited && !edited.isOwn ? [ownerField(edited.ownerId)] : []),
      {
        kind: 'buttons',
        buttons: [
          { label: 'Preview notifications', press: watchFormIds.dryRun },
          ...(isWide ? [] : [{ label: 'More settings', press: watchFormIds.more }]),
          ...(edited ? [] : [{ label: 'Name a vessel …', press: watchFormIds.name }]),
        ],
      },
    ],
  };
}

const headingOf = ({ title, channelId, isOwn }: NonNullable<WatchForm['edited']>): FormPart => ({
  kind: 'text',
  lines: [[{ strong: clip(title, 150) }, ' in ', isOwn ? 'a direct message' : { channel: channelId }]],
});

const subjectFields = ({ what, parsed, ...place }: WatchForm): FormPart[] => [
  {
    kind: 'input',
    id: 'what',
    label: 'What to watch',
    value: what,
    placeholder: '9461477, MSC DIANA',
    maxLength: 1_000,
    isLive: true,
  },
  { kind: 'note', id: 'parsed', text: clip(parsed === '' ? subjectHint : parsed, 1_500) },
  ...placeFields(place, { label: 'Notify in', hint: 'The card and its thread go there.' }),
];

/** A rule that is off shows the usual figure, which it gets when it is ticked. */
function ticks({ base, isPort }: WatchForm): Option[] {
  return watchRules.rulesFor({ isPort }).flatMap((rule) => {
    const value = ruleValue(base, rule);
    const shown = isOn(value) ? value : (rule.usualValue ?? rule.defaultValue);
    return rule.tick && isOn(shown) ? [{ value: rule.key, label: rule.tick(shown, { isPort }) }] : [];
  });
}

/** An empty field shows its default as the placeholder. */
function ruleFields({ fields, isPort }: WatchForm): FormPart[] {
  const typed = [...watchRules.rulesFor({ isPort }), ...watchRules.limits].flatMap(({ field }) =>
    field
      ? [
          {
            ...({ kind: 'input', isOptional: true, maxLength: 60 } as const),
            ...field,
            value: fields[field.id] ?? '',
          },
        ]
      : [],
  );
  const ends: FormPart = {
    kind: 'ticks',
    id: 'ends',
    label: 'End',
    options: [{ value: 'ends', label: 'The watch ends when the next port has changed' }],
    values: [fields.ends ?? ''],
  };
  return isPort ? typed : [...typed, ends];
}
