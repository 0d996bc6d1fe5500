import { parse } from 'yaml';
import { z } from 'zod';
import { KNOWN_EVENTS } from './interactions/known-events.ts';
import { isJsonObject } from './json.ts';
import type { PagePrompt } from './page-api/agent-api.ts';
import type { PageCommand, PageShortcut } from './page-api/page-api.ts';
import type { PageStep, StepField } from './page-api/step-api.ts';
import type { User } from './world/world.ts';

export interface SlashCommand extends PageCommand {
  shouldEscape: boolean;
}

/** `name` is what people type after the `@`. */
export type AppNames = Pick<User, 'name' | 'realName'>;

/** The parts of the app manifest that the local Slack uses. */
export interface Manifest {
  name: string;
  description: string;
  /** How Slack delivers, by the manifest. */
  mode: 'socket' | 'http';
  /** The paths of all request URLs, without repeats; that of events is first. */
  requestPaths: readonly string[];
  /** What the manifest asks for and the local Slack doesn't have, a sentence each. */
  missing: readonly string[];
  /** Those of the app's bot user. */
  names: AppNames;
  commands: SlashCommand[];
  botScopes: string[];
  /** Those that an installer can decline (`bot_optional`). */
  optionalScopes: readonly string[];
  redirectUrls: string[];
  /** True if tokens expire. */
  rotation: boolean;
  botEvents: string[];
  shortcuts: PageShortcut[];
  steps: PageStep[];
  homeEnabled: boolean;
  /** The sites about whose links the app gets events. */
  unfurlDomains: readonly string[];
  /** Set if the app is an agent. */
  agent?: { description: string; prompts: PagePrompt[] };
}

const noDisplay = { name: 'Your app', description: '' };

/** Manifests of the second version list what is required. */
const withoutRequired = (value: unknown): unknown => {
  if (!isJsonObject(value) || !isJsonObject(value.properties) || 'type' in value.properties) return value;
  const required = Array.isArray(value.required) ? value.required : [];
  return Object.fromEntries(
    Object.entries(value.properties).map(([name, declared]) => [
      name,
      isJsonObject(declared) ? { ...declared, is_required: required.includes(name) } : declared,
    ]),
  );
};

const parametersByName = z
  .record(
    z.string(),
    z.object({
      type: z.string(),
      title: z.string().default(''),
      description: z.string().default(''),
      is_required: z.boolean().default(false),
    }),
  )
  .default({});
const parameters = z.preprocess(withoutRequired, parametersByName);

const AGENT_SCOPE = 'assistant:write';
const text = z.string().min(1);
const prompts = z.array(z.object({ title: text, message: text })).max(4);

const schema = z.object({
  display_information: z
    .object({ name: z.string().default(noDisplay.name), description: z.string().default('') })
    .default(noDisplay),
  features: z
    .object({
      bot_user: z.object({ display_name: text }).optional(),
      slash_commands: z
        .array(
          z.object({
            command: z.string().startsWith('/'),
            url: z.string().optional(),
            description: z.string().default(''),
            usage_hint: z.string().default(''),
            should_escape: z.boolean().default(false),
          }),
        )
        .default([]),
      shortcuts: z
        .array(
          z.object({
            name: z.string(),
            type: z.enum(['message', 'global']),
            callback_id: z.string(),
            description: z.string().default(''),
          }),
        )
        .default([]),
      app_home: z
        .object({ home_tab_enabled: z.boolean().default(false) })
        .default({ home_tab_enabled: false }),
      unfurl_domains: z.array(z.string()).max(5).default([]),
      assistant_view: z.unknown().optional(),
      agent_view: z
        .object({
          agent_description: z.string().max(300).default(''),
          suggested_prompts: prompts.default([]),
        })
        .optional(),
    })
    .prefault({}),
  functions: z
    .record(
      z.string(),
      z.object({
        title: z.string(),
        description: z.string().default(''),
        input_parameters: parameters,
        output_parameters: parameters,
      }),
    )
    .default({}),
  oauth_config: z
    .object({
      redirect_urls: z.array(z.string()).default([]),
      scopes: z
        .object({
          bot: z.array(z.string()).default([]),
          bot_optional: z.array(z.string()).default([]),
          user: z.array(z.string()).default([]),
        })
        .prefault({}),
    })
    .prefault({}),
  settings: z
    .object({
      event_subscriptions: z
        .object({
          bot_events: z.array(z.string()).default([]),
          user_events: z.array(z.string()).default([]),
          request_url: z.string().optional(),
        })
        .optional(),
      interactivity: z
        .object({
          request_url: z.string().optional(),
          message_menu_options_url: z.string().optional(),
        })
        .optional(),
      socket_mode_enabled: z.boolean().default(false),
      token_rotation_enabled: z.boolean().default(false),
    })
    .optional(),
});

/** Reads an app manifest in YAML. Throws if it isn't one. */
export function readManifest(text: string): Manifest {
  const manifest = schema.parse(parse(text));
  const { agent_view: agent } = manifest.features;
  const { scopes, redirect_urls } = manifest.oauth_config;
  const realName = manifest.features.bot_user?.display_name ?? manifest.display_information.name;
  return {
    ...manifest.display_information,
    mode: manifest.settings?.socket_mode_enabled ? ('socket' as const) : ('http' as const),
    requestPaths: requestPathsOf(manifest),
    missing: missingFor(manifest),
    names: { name: realName.toLowerCase().replaceAll(/\W+/g, '_'), realName },
    commands: manifest.features.slash_commands.map((command) => ({
      command: command.command,
      description: command.description,
      usageHint: command.usage_hint,
      shouldEscape: command.should_escape,
    })),
    // Slack gives an agent its scope.
    botScopes: [...new Set([...scopes.bot, ...scopes.bot_optional, ...(agent ? [AGENT_SCOPE] : [])])],
    optionalScopes: scopes.bot_optional,
    redirectUrls: redirect_urls,
    rotation: manifest.settings?.token_rotation_enabled ?? false,
    shortcuts: manifest.features.shortcuts.map(({ name, type, callback_id, description }) => ({
      name,
      type,
      callbackId: callback_id,
      description,
    })),
    steps: Object.entries(manifest.functions).map(([callbackId, step]) => ({
      ...{ callbackId, title: step.title, description: step.description },
      inputs: fieldsOf(step.input_parameters),
      outputs: fieldsOf(step.output_parameters),
    })),
    homeEnabled: manifest.features.app_home.home_tab_enabled,
    unfurlDomains: manifest.features.unfurl_domains,
    ...(agent && { agent: { description: agent.agent_description, prompts: agent.suggested_prompts } }),
    botEvents: manifest.settings?.event_subscriptions?.bot_events ?? [],
  };
}

function missingFor({ features, oauth_config, settings }: z.output<typeof schema>): string[] {
  const { bot_events = [], user_events = [] } = settings?.event_subscriptions ?? {};
  const unknown = bot_events.filter((name) => !KNOWN_EVENTS.includes(name));
  const missing: [boolean, string][] = [
    [unknown.length > 0, `These events never come: ${unknown.join(', ')}.`],
    [user_events.length > 0, 'Events on behalf of users (user_events) never come.'],
    [oauth_config.scopes.user.length > 0, 'There are no user tokens: the scopes of users are ignored.'],
    [
      features.assistant_view !== undefined,
      'There are no assistant threads (assistant_view); an agent (agent_view) works.',
    ],
  ];
  return missing.filter(([isMissing]) => isMissing).map(([, sentence]) => sentence);
}

function requestPathsOf({ settings, features }: z.output<typeof schema>): string[] {
  const { event_subscriptions, interactivity } = settings ?? {};
  const urls = [
    event_subscriptions?.request_url,
    interactivity?.request_url,
    interactivity?.message_menu_options_url,
    ...features.slash_commands.map(({ url }) => url),
  ];
  const paths = urls.flatMap((url) => (url && URL.canParse(url) ? [new URL(url).pathname] : []));
  return [...new Set(paths)];
}

const fieldsOf = (declared: z.output<typeof parameters>): StepField[] =>
  Object.entries(declared).map(([name, { type, title, description, is_required }]) => ({
    ...{ name, type, title: title || name, description },
    isRequired: is_required,
  }));
