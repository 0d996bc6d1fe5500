import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import manifest from '../../package.json' with { type: 'json' };
import type { AnalyticsClient } from '../analytics/client.ts';
import { createDeferredClient } from '../analytics/deferred-client.ts';
import { createWorkbooks } from '../answers/workbook.ts';
import { type Config, createConfig } from '../config/config.ts';
import type { Schema } from '../database/schema.ts';
import { storeOf } from '../database/workspace-store.ts';
import { codeOf, UserError } from '../errors.ts';
import type { Command, ParsedLine } from '../features/command.ts';
import type { FeatureSet, Prompt, Shortcut } from '../features/feature.ts';
import { createFeatures } from '../features/index.ts';
import { onlyInSlack } from '../features/run-context.ts';
import { createState, type SlackServices } from '../features/services.ts';
import type { VesselDirectory } from '../grammar/vessel-directory.ts';
import { type Logger, silentLogger } from '../log.ts';
import { measureNothing } from '../measure.ts';
import { failureView } from '../messages/frame/failure.ts';
import { understoodNote, withNote } from '../messages/frame/small-print.ts';
import { terminalText } from '../messages/frame/terminal-text.ts';
import type { Message } from '../messages/message.ts';
import { type LineRequest, runLine } from '../run/run-line.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { generalPrompts } from '../slack/home/suggest-prompts.ts';
import { defaultChannelSettings } from '../workspaces/settings.ts';
import { createOperatorsClient, createService } from './service.ts';
import { type CommonOptions, commonServices } from './workspace.ts';

/** The features without a store or Slack, for the terminal, the manifest and the docs. */
export function createTerminalFeatures(options: CommonOptions & { analytics: AnalyticsClient }): FeatureSet {
  return createFeatures(
    {
      ...commonServices(options),
      botUserId: 'terminal',
      store: storeOf(emptyDatabase(), 'terminal'),
      slack: noSlack,
      account: {
        addresses: options.config.accounts.addresses,
        samples: [],
        check: async () => undefined,
        state: refuse,
        exists: refuse,
        refresh: refuse,
        connect: refuse,
        disconnect: refuse,
      },
      access: { mayUse: refuse, mayAdd: refuse, mayChange: refuse, getJoinedChannels: refuse },
      audited: refuse,
      guests: { get: async () => 'ask', getCached: async () => 'ask', change: refuse },
      links: { get: async () => 'off', getCached: async () => 'off', change: refuse },
      channels: {
        get: async () => defaultChannelSettings,
        getCached: async () => defaultChannelSettings,
        save: refuse,
      },
      calls: { ofMonth: refuse, ofDays: refuse, since: refuse },
      pictures: undefined,
      workbooks: createWorkbooks(),
      state: createState(),
      assistantsUrl: undefined,
      realNow: Date.now,
      newId: () => 'terminal',
      logger: silentLogger,
    },
    () => refuse,
  );
}

/** Every command; none of them can run. */
export const listCommands = (): readonly Command[] => listFeatures().commands;

export const listShortcuts = (): readonly Shortcut[] =>
  listFeatures().all.flatMap(({ shortcuts = [] }) => shortcuts);

/** What anybody may ask in a direct message with an agent. */
export const listPrompts = (): Prompt[] => generalPrompts(listFeatures().all);

function listFeatures(): FeatureSet {
  const config = createConfig({});
  const analytics = {} as AnalyticsClient; // only a command that runs uses it
  const now = () => new Date();
  return createTerminalFeatures({ config, version: '', analytics, source: 'service', now });
}

async function refuse(): Promise<never> {
  throw onlyInSlack();
}

const noSlack: SlackServices = {
  personOf: refuse,
  asksOnly: async () => false,
  audienceOf: async () => 'private',
  readersOf: async () => 'private',
  directMessageOf: refuse,
  checkChannel: refuse,
  checkOwner: refuse,
  sendFile: async () => ({ isSent: false }),
  messages: { post: refuse, update: refuse, remove: refuse, linkTo: async () => undefined },
};

/** Always empty: the terminal must not open the store of a running bot. */
const emptyDatabase = () =>
  new Kysely<Schema>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });

/** The outcome of one command line in the terminal. */
interface Outcome {
  /** `wrongInput`: the line itself is wrong; `trouble`: the service failed, or Landfall did. */
  kind: 'answered' | 'wrongInput' | 'trouble';
  /** The output with `--json`. */
  json: unknown;
  /** The same words as in Slack. */
  text(options: { styled: boolean }): string;
  /** The whole output of a line that ends in `as xlsx`, `as csv` or `as json`. */
  file?: string | Uint8Array;
  /** An unexpected error. There is no log here, so the terminal shows it. */
  internal?: unknown;
}

const deadlineMs = 15_000;

/** `zone` is the terminal's own time zone (an IANA name). */
export async function askLine(
  typed: string,
  { config, zone, realNow }: { config: Config; zone: string; realNow?: () => number },
): Promise<Outcome> {
  const { features, close, ...service } = await startTerminalService({
    config,
    logger: silentLogger,
    realNow,
  });
  const { parseLine } = features;
  const services = {
    ...{ ...service, realNow: realNow ?? Date.now },
    ...{ deadlineMs, measure: measureNothing, logger: silentLogger },
  };
  const canRun = (line: string, vessels: VesselDirectory | undefined) => {
    try {
      return !vessels || !parseLine(line, { vessels }).needsSlack;
    } catch (error) {
      // A line that corrects one fault may have another, about which it asks.
      if (error instanceof UserError) return true;
      throw error;
    }
  };
  const textOf =
    (message: Message, vessels: VesselDirectory | undefined) =>
    ({ styled }: { styled: boolean }) =>
      terminalText(message, { zone, styled, canRun: (line) => canRun(line, vessels) });
  const request: LineRequest<ParsedLine, Outcome> = {
    surface: 'terminal',
    who: async () => ({
      ctx: features.ctx,
      actor: { userId: 'terminal', isAdmin: true, zone },
      audience: 'private',
    }),
    read: ({ vessels }) => parseLine(typed, { vessels }),
    render({ value, structured, view, file }, { reader, vessels, prepared: { line, understoodAs } }) {
      const message = view(reader);
      const shown = understoodAs === undefined ? message : withNote(message, understoodNote(understoodAs));
      return {
        kind: 'answered',
        json: structured?.(reader) ?? { source: service.source, line, answer: value },
        text: textOf(shown, vessels),
        ...(file !== undefined && { file }),
      };
    },
  };
  const outcome = await runLine(request, services).finally(close);
  if (outcome.kind === 'answered') return outcome.rendered;
  const { error, reader, vessels } = outcome;
  const message = failureView(error, { reader });
  const code = codeOf(error);
  return {
    kind: error instanceof UserError ? 'wrongInput' : 'trouble',
    json: { error: { kind: code ?? 'internal', message: message.text } },
    text: textOf(message, vessels),
    ...(code === undefined && { internal: error }),
  };
}

/** The features with the account from the settings, or with a sandbox in this process; no store and no Slack. */
export async function startTerminalService({
  config,
  logger,
  realNow = Date.now,
}: {
  config: Config;
  logger: Logger;
  realNow?: (() => number) | undefined;
}) {
  const sandbox =
    config.analytics === 'sandbox' ? await startSandbox({ ...config.sandbox, realNow }) : undefined;
  const service = createService({ config, sandbox, realNow, logger });
  const { now, source, operatorsAccount } = service;
  const analytics = operatorsAccount ? createOperatorsClient(service, operatorsAccount) : noAccount;
  const common = { analytics, source, now, config, version: manifest.version };
  return {
    now,
    source,
    version: manifest.version,
    features: createTerminalFeatures(common),
    close: async () => await sandbox?.close(),
  };
}

const noAccount = createDeferredClient({
  find: async () => {
    throw new UserError({
      code: 'no-account',
      message: 'The settings have no account of the analytics service.',
      hint: 'Set ANALYTICS_API_KEY, ANALYTICS_USER_ID and ANALYTICS_PASSWORD, or ask in Slack.',
    });
  },
  last: () => undefined,
});

/** Starts one in this process, since the sandbox of a running bot can't be reached. */
async function startSandbox({ seed, realNow }: { seed: number; realNow: () => number }): Promise<Sandbox> {
  const { createSandbox } = await import('../sandbox/sandbox.ts');
  return createSandbox({ seed, realNow });
}
