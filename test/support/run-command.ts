import type { AnalyticsClient } from '../../src/analytics/client.ts';
import type { Message, Reader } from '../../src/answers/message.ts';
import { failureView } from '../../src/answers/slack/failure.ts';
import type { LineAnswer, ParsedLine } from '../../src/features/command.ts';
import type { AskCtx, ParseContext, WorkCtx } from '../../src/features/ctx.ts';
import { registry } from '../../src/features/index.ts';
import { createVesselDirectory } from '../../src/grammar/vessel-directory.ts';
import { exampleVessels } from '../../src/reference/codes.ts';
import { createSandbox, type SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { createLoneClient } from './analytics-client.ts';
import { featuresOver } from './registry.ts';

export const now = new Date('2026-11-21T09:05:00Z');

export const reader: Reader = { now, zone: 'Europe/Berlin', source: 'sandbox', audience: 'private' };

export const vessels = createVesselDirectory(exampleVessels);

/** What parsers get. */
export const parsing: ParseContext = { vessels, lineOf: registry.lineOf };

export interface Ran {
  prepared: ParsedLine;
  answered: LineAnswer;
  message: Message;
}

/** In place of the harness's own. */
interface Others {
  analytics?: AnalyticsClient;
  env?: Record<string, string>;
}

export type CommandHarness = Awaited<ReturnType<typeof createCommandHarness>>;

/** All commands with the real client and the sandbox over HTTP, whose clock is stopped at `now`. */
export async function createCommandHarness(options: SandboxOptions & { beta?: boolean } = {}) {
  const sandbox = await createSandbox({ clock: { epoch: now, speed: 0 }, ...options });
  const analytics = createLoneClient({
    baseUrl: sandbox.url,
    ...(options.beta === false ? sandbox.credentialsWithoutBeta : sandbox.credentials),
    now: () => sandbox.clock.now(),
    retryDelayMs: 1,
  });
  const harness = {
    sandbox,
    analytics,
    /** Runs a typed line; returns what is shown. Throws the command's error. */
    async runCommand(
      line: string,
      { analytics: other = analytics, env = {}, ...context }: Partial<AskCtx> & Others = {},
    ): Promise<Ran> {
      const { ctx, parseLine } = featuresOver(other, { clock: () => sandbox.clock.now(), env });
      const prepared = parseLine(line, { vessels });
      const answered = await prepared.run({
        ...runContext(),
        ...ctx,
        now: () => sandbox.clock.now(),
        ...context,
      });
      return { prepared, answered, message: answered.view({ ...reader, now: sandbox.clock.now() }) };
    },
    /** The same, but shows errors as the edge does. */
    async show(line: string, context?: Partial<AskCtx> & Others): Promise<Message> {
      try {
        return (await harness.runCommand(line, context)).message;
      } catch (error) {
        return failureView(error, { ref: '7K3F', reader, line });
      }
    },
    close: () => sandbox.close(),
  };
  return harness;
}

/** Without services, a test that needs none. */
export function runContext(ctx = {} as WorkCtx): AskCtx {
  return {
    ...ctx,
    actor: { userId: 'U1', isAdmin: false, zone: 'Europe/Berlin' },
    vessels,
    now: () => now,
    source: 'sandbox',
    audience: 'private',
    fresh: false,
    signal: new AbortController().signal,
  };
}
