import { UserError } from '../errors.ts';
import type { Caller } from './run-context.ts';

/** The person's own zone, for what is saved. Throws UserError where Slack does not say: UTC would stay for good. */
export function zoneToSave({ zone }: Pick<Caller, 'zone'>, help: { hint: string; example: string }): string {
  if (zone !== undefined) return zone;
  throw new UserError({
    code: 'unknown-zone',
    message: "Slack isn't giving me your time zone right now, so nothing was saved.",
    ...help,
  });
}

/** For what can be typed with a zone. */
export const typeTheZone = (example: string) => ({
  hint: 'Type the time zone after the time, or try again in a minute.',
  example,
});
