import { ownLines } from '../errors.ts';
import type { Answer } from './answer.ts';
import { forAsker, type Text } from './text.ts';

/** An admin enters the account of the analytics service. */
export const accountForm = 'account';

export const connectLabel = 'Connect your account';

/** For a workspace without an account: an admin gets the button, others see whom to ask. */
export function connectAnswer({
  isAdmin,
  installerId,
}: {
  isAdmin: boolean;
  installerId: string | undefined;
}): Answer {
  if (isAdmin)
    return {
      isOwn: true,
      verdict: {
        strong: connectLabel,
        lines: [
          "Landfall answers with your organisation's account at the analytics service. Until you connect it, questions can't be answered, and watches and digests wait.",
        ],
      },
      actions: { runs: [{ label: connectLabel, form: accountForm, target: {}, isPrimary: true }] },
    };
  const installed: Text =
    installerId === undefined
      ? ''
      : [' ', forAsker({ person: installerId }, 'Somebody'), ' installed Landfall here.'];
  const ask = ['Ask a workspace admin to type ', { code: `/${ownLines.account}` }];
  return {
    isOwn: true,
    verdict: {
      strong: "Landfall isn't connected to the analytics service yet",
      lines: [[...ask, " and connect your organisation's account.", installed]],
    },
  };
}
