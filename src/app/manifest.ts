import { parse } from 'yaml';
import { z } from 'zod';
import { exampleTaking } from '../features/ctx.ts';
import { commands, features } from '../features/index.ts';
import { generalPrompts } from '../slack/home/home-tab.ts';
import { redirectPath } from '../slack/install/pages.ts';
import { agentScope, optionalScopes } from '../slack/install/scopes.ts';
import { slackPath } from '../slack/receivers/http.ts';
import { mcpPath } from './assistant-route.ts';

const list = <T extends z.ZodType>(item: T) => z.array(item).default([]);
const flag = z.boolean().default(false);
const address = z.string().optional();
const parameters = z.record(z.string(), z.looseObject({ type: z.string() })).default({});

/** The parts of an app manifest that Landfall depends on; others are left as they are. Slack leaves out what is empty. */
export const Manifest = z.looseObject({
  features: z
    .looseObject({
      app_home: z.looseObject({ home_tab_enabled: flag, messages_tab_enabled: flag }).prefault({}),
      agent_view: z.looseObject({}).optional(),
      unfurl_domains: list(z.string()),
      shortcuts: list(z.looseObject({ callback_id: z.string(), type: z.string() })),
      slash_commands: list(
        z.looseObject({
          command: z.string(),
          url: address,
          description: z.string().default(''),
          usage_hint: z.string().default(''),
          should_escape: flag,
        }),
      ),
    })
    .prefault({}),
  functions: z
    .record(
      z.string(),
      z.looseObject({
        title: z.string().default(''),
        description: z.string().default(''),
        input_parameters: parameters,
        output_parameters: parameters,
      }),
    )
    .optional(),
  oauth_config: z
    .looseObject({
      redirect_urls: z.array(z.string()).optional(),
      scopes: z
        .looseObject({ bot: list(z.string()), bot_optional: z.array(z.string()).optional() })
        .prefault({}),
    })
    .prefault({}),
  settings: z
    .looseObject({
      event_subscriptions: z.looseObject({ request_url: address, bot_events: list(z.string()) }).prefault({}),
      interactivity: z.looseObject({ is_enabled: flag, request_url: address }).prefault({}),
      function_runtime: z.string().optional(),
      org_deploy_enabled: flag,
      socket_mode_enabled: flag,
      token_rotation_enabled: flag,
    })
    .prefault({}),
});

export type Manifest = z.output<typeof Manifest>;

/** The manifest for Socket Mode: manifest.yml as it is. test/drift.test.ts checks the shape of the file. */
export const socketManifest = (text: string): Manifest => parse(text) as Manifest;

/** The manifest for HTTP delivery to one workspace: all addresses are set, and Socket Mode is off. */
export function httpManifest(text: string, origin: string): Manifest {
  const requestUrl = new URL(slackPath, origin).href;
  const value = socketManifest(text);
  for (const command of value.features.slash_commands) command.url = requestUrl;
  value.settings.socket_mode_enabled = false;
  value.settings.event_subscriptions.request_url = requestUrl;
  value.settings.interactivity.request_url = requestUrl;
  value.oauth_config.scopes.bot.push('mcp:connect');
  // Slackbot speaks only to https.
  if (!origin.startsWith('https:')) return value;
  const server = { url: new URL(mcpPath, origin).href, auth_type: 'slack_identity_auth' };
  return { ...value, mcp_servers: { landfall: server } };
}

/**
 * The manifest of an app that many workspaces install, organisations too. Installers may decline the optional scopes,
 * which stand in both lists. Slack can't turn token rotation off again, so `rotation` is a choice.
 */
export function publicManifest(
  text: string,
  { origin, rotation }: { origin: string; rotation: boolean },
): Manifest {
  const value = httpManifest(text, origin);
  value.oauth_config.redirect_urls = [new URL(redirectPath, origin).href];
  value.oauth_config.scopes.bot_optional = optionalScopes({ isHttp: true, isAgent: false });
  value.settings.org_deploy_enabled = true;
  value.settings.token_rotation_enabled = rotation;
  return withoutSteps(value);
}

/** Slack neither distributes nor lists an app with custom steps: they work only in the organisation that made the app. */
function withoutSteps({ functions: _, ...value }: Manifest): Manifest {
  const { function_runtime: _runtime, event_subscriptions, ...settings } = value.settings;
  const bot_events = event_subscriptions.bot_events.filter((event) => event !== 'function_executed');
  return { ...value, settings: { ...settings, event_subscriptions: { ...event_subscriptions, bot_events } } };
}

const agentDescription = `Answers questions about vessels: where one calls next and when, who is coming to a port, how carriers perform on a lane. Ask in plain words, or type a command line such as ${exampleTaking('vessels', commands)}. No language model reads what you write.`;

/**
 * The same app, declared an agent. Slack calls it the agent messaging experience, and can't turn it off again; no new
 * app can have its predecessor, `assistant_view`.
 */
export function asAgent(app: Manifest): Manifest {
  const { scopes } = app.oauth_config;
  const { bot, bot_optional } = scopes;
  const suggested_prompts = generalPrompts(features).map(({ title, line }) => ({ title, message: line }));
  return {
    ...app,
    features: { ...app.features, agent_view: { agent_description: agentDescription, suggested_prompts } },
    oauth_config: {
      ...app.oauth_config,
      scopes: {
        ...scopes,
        bot: [...bot, agentScope],
        ...(bot_optional && { bot_optional: [...bot_optional, agentScope] }),
      },
    },
  };
}
