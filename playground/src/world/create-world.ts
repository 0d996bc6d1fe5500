import { type Channel, SLACKBOT, type User, type World } from './world.ts';

/** What a workspace is made of. Ids should look like Slack's; nothing but the DMs is added under ids of its own. */
export interface WorldPlan {
  team: World['team'];
  /** The organisation at the other end of shared channels. Default: Partner Ltd. */
  outsideTeam?: World['outsideTeam'];
  /** `name` is what people type after the `@`. */
  app: World['app'] & Pick<User, 'name' | 'realName'>;
  people: (Pick<User, 'id' | 'name' | 'realName' | 'zone'> & Partial<User>)[];
  channels: (Pick<Channel, 'id' | 'name' | 'memberIds'> & Partial<Channel>)[];
}

/** A workspace with these people and channels, the app's bot user, Slackbot, and a DM between each person and the app. */
export function createWorld({ team, outsideTeam, app, people, channels }: WorldPlan): World {
  const { name, realName, ...ids } = app;
  const user = (over: WorldPlan['people'][number]): User => ({
    teamId: team.id,
    isAdmin: false,
    isBot: false,
    ...over,
  });
  const bot = user({ id: app.botUserId, name, realName, zone: 'UTC', isBot: true });
  const slackbot = user({ id: SLACKBOT, name: 'slackbot', realName: 'Slackbot', zone: 'UTC' });
  return {
    team,
    outsideTeam: outsideTeam ?? { id: 'T0PARTNER', name: 'Partner Ltd', domain: 'partner-ltd' },
    app: ids,
    users: [...people.map(user), bot, slackbot],
    channels: [
      ...channels.map((over): Channel => ({ kind: 'public', topic: '', ...over })),
      ...people.map(({ id }) => dm(id, bot.id)),
    ],
  };
}

/** A user's DM with the bot. Its id is derived from the user's. */
export function dm(userId: string, botUserId: string): Channel {
  return { id: `D${userId.slice(1)}`, name: '', kind: 'dm', topic: '', memberIds: [userId, botUserId] };
}
