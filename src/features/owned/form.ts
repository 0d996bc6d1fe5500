import type { FormField, FormPart } from '../../answers/fields.ts';
import { UserError } from '../../errors.ts';
import type { FieldValues } from '../feature.ts';

/** Where a new watch or digest goes. */
export interface PlaceFields {
  /** `me`: in a direct message to the person who fills in the form. */
  where: 'channel' | 'me';
  /** The last chosen channel, also while the form hides its field; '' for none. */
  channelId: string;
}

/** Asks for the place. A second field asks for the channel. */
export function placeFields(
  { where, channelId }: PlaceFields,
  about: Pick<FormField, 'label' | 'hint'>,
): FormPart[] {
  const { label, ...help } = about;
  return [
    {
      kind: 'radio',
      id: 'where',
      label,
      value: where,
      isLive: true,
      options: [
        { value: 'channel', label: 'In a channel' },
        { value: 'me', label: 'Only to me, as a direct message' },
      ],
    },
    ...(where === 'me'
      ? []
      : [{ kind: 'channel', id: 'channel', label: 'Channel', value: channelId, ...help } as const]),
  ];
}

/** `lastChannelId`: while the form shows no field for the channel. */
export const readPlace = ({ text }: FieldValues, lastChannelId: string): PlaceFields => ({
  where: text('where') === 'me' ? 'me' : 'channel',
  channelId: text('channel') || lastChannelId,
});

/** Throws UserError without a place. What is edited can't move. */
export function checkPlace({ edited, where, channelId }: PlaceFields & { edited: object | null }): void {
  if (edited || where === 'me' || channelId !== '') return;
  throw new UserError({
    code: 'bad-channel',
    message: 'Choose a channel, or “Only to me” above.',
  });
}

export const ownerField = (ownerId: string): FormPart => ({
  kind: 'person',
  id: 'owner',
  label: 'Owner',
  hint: 'Can always change it, and is notified if Landfall can no longer post in the channel.',
  value: ownerId,
});
