import type { Action, Feature } from '../feature.ts';
import { privateReader } from '../run-context.ts';
import { checkIsStillAdmin } from '../still-admin.ts';
import { account } from './command.ts';
import { account as accountForm, adminsOnly } from './form.ts';
import type { AccountServices } from './services.ts';
import { accountView, disconnectId, homeBottom, homeTop } from './views.ts';
import { welcomeMessage } from './welcome.ts';

export { queueWelcome } from './welcome.ts';

/** The workspace's account at the analytics service. */
export const createAccount = (services: AccountServices): Feature => ({
  commands: [account(services)],
  forms: [accountForm(services)],
  actions: [disconnect(services)],
  outgoing: [welcomeMessage(services)],
  homeTop: async ({ actor: { isAdmin } }) => homeTop({ state: await services.account.state(), isAdmin }),
  questionsWait: async () => (await services.account.state()).kind === 'none',
  async homeBottom(context) {
    const state = await services.account.state();
    return homeBottom({ state, isAdmin: context.actor.isAdmin }, privateReader(context));
  },
});

const disconnect = (services: AccountServices): Action => ({
  id: disconnectId,
  replacesMessage: true,
  async run(_, context) {
    await checkIsStillAdmin(context, services.slack, adminsOnly);
    const { userId: actorId, isAdmin } = context.actor;
    await services.account.disconnect(actorId);
    const answer = { state: await services.account.state(), isAdmin, done: 'disconnected' } as const;
    return accountView(answer, privateReader(context));
  },
});
