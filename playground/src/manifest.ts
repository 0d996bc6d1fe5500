import { parse } from 'yaml';
import { z } from 'zod';
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

const parameters = z
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
  oauth_config: z.object({
    redirect_urls: z.array(z.string()).default([]),
    scopes: z.object({
      bot: z.array(z.string()).default([]),
      bot_optional: z.array(z.string()).default([]),
    }),
  }),
  settings: z
    .object({
      event_subscriptions: z.object({ bot_events: z.array(z.string()).default([]) }).optional(),
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

const fieldsOf = (declared: z.output<typeof parameters>): StepField[] =>
  Object.entries(declared).map(([name, { type, title, description, is_required }]) => ({
    ...{ name, type, title: title || name, description },
    isRequired: is_required,
  }));
