import { UserError } from '../errors.ts';

const greeting =
  /^(?:hi|hello|hey|hallo|hiya|moin|greetings|good (?:morning|afternoon|evening|day))(?: (?:there|all|everyone|landfall))?$/i;
const thanks =
  /^(?:(?:ok|okay|great|perfect|many),? )?(?:thanks|thank you|thx|cheers|danke|merci|ok|okay|great|perfect|bye)(?: (?:a lot|so much|very much|again|landfall))?$/i;

/** The answer to thanks. */
export const welcome = (): UserError =>
  new UserError({
    code: 'unknown-command',
    message: "You're welcome.",
    hint: 'Name a vessel, a port or a lane whenever you have a question.',
    choices: [{ label: 'Show all commands', line: 'landfall' }],
  });

export const isGreeting = (line: string): boolean => greeting.test(line);

export const isThanks = (line: string): boolean => thanks.test(line);
