import type { ConsentPageState, ConsentPlace } from '../../src/page-api/consent-api.ts';
import type { PageUser } from '../../src/page-api/page-api.ts';

/** What the reader of the consent page has selected. */
export interface Choice {
  placeId: string;
  userId: string;
  /** Optional scopes. */
  declined: string[];
}

/**
 * Starts with the workspace that the app asked for, else with that of the person whom the playground shows in this
 * browser, as that person; anywhere else as an admin.
 */
export function firstChoice({ places, placeId }: ConsentPageState, lastUserId: string | undefined): Choice {
  const hasLastUser = ({ people }: ConsentPlace) => people.some(({ id }) => id === lastUserId);
  const place = places.find(({ id }) => id === placeId) ?? places.find(hasLastUser) ?? places[0];
  const userId = place && hasLastUser(place) ? (lastUserId ?? '') : adminOf(place);
  return { placeId: place?.id ?? '', userId, declined: [] };
}

/** Another workspace, as an admin of it. A person who belongs to it stays. */
export function withPlace(state: ConsentPageState, choice: Choice, placeId: string): Choice {
  const place = state.places.find(({ id }) => id === placeId);
  const stays = place?.people.some(({ id }) => id === choice.userId) ?? false;
  return { ...choice, placeId, userId: stays ? choice.userId : adminOf(place) };
}

const adminOf = (place: ConsentPlace | undefined): string =>
  place?.people.find(({ isAdmin }) => isAdmin)?.id ?? '';

/** The selection, and why it can't be allowed. */
export function chosen(
  state: ConsentPageState,
  { placeId, userId }: Choice,
): { place: ConsentPlace | undefined; user: PageUser | undefined; refusal?: string } {
  const place = state.places.find(({ id }) => id === placeId);
  const user = place?.people.find(({ id }) => id === userId);
  if (!place || !user) return { place, user };
  if (place.refusal) return { place, user, refusal: place.refusal };
  if (user.isAdmin) return { place, user };
  const admins = place.people.filter(({ isAdmin }) => isAdmin).map(({ realName }) => realName);
  const refusal = `Only an admin of ${place.name} can install apps. Ask ${admins.join(' or ')}.`;
  return { place, user, refusal };
}
