import { ServiceTrouble, UserError } from '../../errors.ts';
import { FieldErrors } from '../../messages/field-errors.ts';
import { waitInWords } from '../../messages/formatting/times.ts';

/**
 * Says why a login with what somebody typed did not work: beside a field if one of them is wrong. Returns other errors
 * as they are.
 */
export function explainLogin(error: unknown, { address, hasChoice }: LoginTry): unknown {
  if (!(error instanceof ServiceTrouble)) return error;
  const wrongAddress = (message: string) =>
    hasChoice ? new FieldErrors({ address: message }, { cause: error }) : problem(message, askOperator);
  switch (error.code) {
    case 'unauthorized':
    case 'forbidden':
      return new FieldErrors({ password: refused }, { cause: error });
    case 'rate-limited':
      return problem(
        'The service accepts no more logins right now, so nothing was saved.',
        `Please try again in ${error.retryAfterMs === undefined ? 'a minute' : waitInWords(error.retryAfterMs)}.`,
      );
    case 'unavailable':
      return problem(
        `The service at ${address} does not answer${statusOf(error)}, so nothing was saved.`,
        'Please try again in a few minutes.',
      );
    case 'not-found':
    case 'unreadable':
      return wrongAddress(
        `What answers at ${address} isn't the analytics service${statusOf(error)}, so nothing was saved.`,
      );
  }
}

interface LoginTry {
  address: string;
  /** The form has a field for the address. */
  hasChoice: boolean;
}

const refused = 'The service refuses this user id and password, or the API key. Nothing was saved.';
const askOperator = 'The address is a setting of Landfall: whoever runs it needs to check it.';

const statusOf = ({ status }: ServiceTrouble): string => (status === undefined ? '' : ` (status ${status})`);

const problem = (message: string, hint: string): UserError =>
  new UserError({ code: 'bad-account', message, hint });
