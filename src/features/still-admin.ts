import type { UserError } from '../errors.ts';
import type { AskCtx } from './ctx.ts';
import type { SlackServices } from './services.ts';

type Asked = Pick<AskCtx, 'actor'>;

/** Throws `refusal` unless the person is an admin, as far as is known. */
export function checkAdmin({ actor }: Asked, refusal: () => UserError): void {
  if (!actor.isAdmin) throw refusal();
}

/** Asks Slack again, since somebody may just have lost the role. Throws `refusal`. */
export async function checkIsStillAdmin(
  { actor }: Asked,
  slack: Pick<SlackServices, 'personOf'>,
  refusal: () => UserError,
): Promise<void> {
  checkAdmin({ actor }, refusal);
  const { isAdmin } = await slack.personOf(actor.userId, { fresh: true });
  if (!isAdmin) throw refusal();
}
