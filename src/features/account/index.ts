import { privateReader } from '../ctx.ts';
import type { Feature } from '../feature.ts';
import { homeBottom, homeTop } from './answer.ts';
import { accountCommand, disconnect, readAccount } from './command.ts';
import { accountForm } from './form.ts';
import { welcomeMessage } from './welcome.ts';

export { queueWelcome } from './welcome.ts';

/** The workspace's account at the analytics service. */
export const account: Feature = {
  commands: [accountCommand],
  forms: [accountForm],
  actions: [disconnect],
  outgoing: [welcomeMessage],
  homeTop: async (ctx) => homeTop(await readAccount(ctx)),
  questionsWait: async ({ services }) => (await services.account.state()).kind === 'none',
  homeBottom: async (ctx) => homeBottom(await readAccount(ctx), privateReader(ctx)),
};
