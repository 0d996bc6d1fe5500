import manifest from '../../package.json' with { type: 'json' };
import { type AnalyticsClient, createDeferredClient } from '../analytics/client.ts';
import type { Message } from '../answers/message.ts';
import { withReading } from '../answers/slack/answer-message.ts';
import { failureView } from '../answers/slack/failure.ts';
import { terminalText } from '../answers/terminal-text.ts';
import { createWorkbooks } from '../answers/workbook.ts';
import type { Config } from '../config/config.ts';
import { codeOf, UserError } from '../errors.ts';
import type { ParsedLine } from '../features/command.ts';
import { createState, type ParseContext, type WorkCtx } from '../features/ctx.ts';
import { parseLine } from '../features/index.ts';
import type { WorkspaceServices } from '../features/services.ts';
import { createVesselDirectory } from '../grammar/vessel-directory.ts';
import { type Logger, silentLogger } from '../log.ts';
import { exampleVessels } from '../reference/codes.ts';
import { type LineRequest, runLine } from '../run/run-line.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { createOperatorsClient, createService } from './service.ts';
import { type CommonOptions, commonServices, fullRegistry } from './workspace.ts';

/** What lines get that need neither a store nor Slack; others are refused before they run. */
export function terminalCtx(options: CommonOptions & { analytics: AnalyticsClient }): WorkCtx {
  const services = {
    ...commonServices(options),
    workbooks: createWorkbooks(),
    state: createState(),
    pictures: undefined,
    realNow: Date.now,
    logger: silentLogger,
  };
  return {
    // The others are those of a workspace.
    services: services as unknown as WorkspaceServices,
    registry: { ...fullRegistry, vessels: async () => createVesselDirectory(exampleVessels) },
  };
}

/** The outcome of one command line in the terminal. */
interface Outcome {
  /** `wrongInput`: the line itself is wrong; `trouble`: the service failed, or Landfall did. */
  kind: 'answered' | 'wrongInput' | 'trouble';
  /** The output with `--json`. */
  json: unknown;
  /** The same words as in Slack. */
  text(options: { styled: boolean }): string;
  /** The whole output of a line that ends in `as xlsx` or another format. */
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
  const { ctx, close, ...service } = await startTerminalService({
    config,
    logger: silentLogger,
    realNow,
  });
  const services = { ...service, realNow: realNow ?? Date.now, logger: silentLogger };
  const canRun = (line: string, parsing: ParseContext | undefined) => {
    try {
      return !parsing || !parseLine(line, parsing).needsSlack;
    } catch (error) {
      // A line that corrects one fault may have another, about which it asks.
      if (error instanceof UserError) return true;
      throw error;
    }
  };
  const textOf =
    (message: Message, parsing: ParseContext | undefined) =>
    ({ styled }: { styled: boolean }) =>
      terminalText(message, { zone, styled, canRun: (line) => canRun(line, parsing) });
  const request: LineRequest<ParsedLine, Outcome> = {
    ...{ surface: 'terminal', deadlineMs },
    who: async () => ({
      ctx,
      actor: { userId: 'terminal', isAdmin: true, zone },
      audience: 'private',
    }),
    read: ({ vessels }) => parseLine(typed, { vessels, isTyped: true }),
    render({ value, structured, view, file }, { reader, parsing, prepared }) {
      const shown = withReading(view(reader), prepared, reader);
      return {
        kind: 'answered',
        json: structured?.(reader) ?? { source: service.source, line: prepared.line, answer: value },
        text: textOf(shown, parsing),
        ...(file !== undefined && { file }),
      };
    },
  };
  const outcome = await runLine(request, services).finally(close);
  if (outcome.kind === 'answered') return outcome.rendered;
  const { error, reader, parsing } = outcome;
  const message = failureView(error, { reader });
  const code = codeOf(error);
  return {
    kind: error instanceof UserError ? 'wrongInput' : 'trouble',
    json: { error: { kind: code ?? 'internal', message: message.text } },
    text: textOf(message, parsing),
    ...(code === undefined && { internal: error }),
  };
}

/** The service with the account from the settings, or with a sandbox in this process. */
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
    ctx: terminalCtx(common),
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
