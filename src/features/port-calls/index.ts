import type { Fulfils } from '../../answers/answer.ts';
import { formatPort } from '../../grammar/port.ts';
import { portcallsCommand } from './command.ts';

export { defaultMinimum as minListedCall, example as portCallsExample } from './ports.ts';

/** Which vessels may call at a port. */
export const portCalls = {
  commands: [portcallsCommand],
  fulfils: { 'calls-at': ({ port }) => `portcalls ${formatPort(port)}` } satisfies Fulfils,
  prompts: [{ title: 'Who is coming to Rotterdam tomorrow?', line: 'portcalls Rotterdam tomorrow' }],
};
