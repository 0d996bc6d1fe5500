import type { Migration } from 'kysely/migration';
import { workspaces } from './0001-workspaces.ts';
import { vessels } from './0002-vessels.ts';
import { watches } from './0003-watches.ts';
import { digests } from './0004-digests.ts';
import { channelSettings } from './0005-channel-settings.ts';
import { claims } from './0006-claims.ts';
import { digestNumbers } from './0007-digest-numbers.ts';
import { sealedUserId } from './0008-sealed-user-id.ts';
import { guests } from './0009-guests.ts';
import { plainNames } from './0010-plain-names.ts';
import { destinations } from './0011-destinations.ts';
import { ruleMemory } from './0012-rule-memory.ts';

/** Forward only, in the order of their names. A released migration is never changed. */
export const migrations: Record<string, Migration> = {
  '0001-workspaces': workspaces,
  '0002-vessels': vessels,
  '0003-watches': watches,
  '0004-digests': digests,
  '0005-channel-settings': channelSettings,
  '0006-claims': claims,
  '0007-digest-numbers': digestNumbers,
  '0008-sealed-user-id': sealedUserId,
  '0009-guests': guests,
  '0010-plain-names': plainNames,
  '0011-destinations': destinations,
  '0012-rule-memory': ruleMemory,
};
