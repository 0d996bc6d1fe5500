import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import { type Message, type MessageBlock, plainBlocksOf } from '../answers/message.ts';
import { failureView } from '../answers/slack/failure.ts';
import { terminalText } from '../answers/terminal-text.ts';
import { NoAccountError, UserError } from '../errors.ts';
import type { CommandTool, PreparedTool } from '../features/command.ts';
import { commandCause } from '../features/ctx.ts';
import { currentReference, underReference } from '../log.ts';
import { type Measure, measureNothing } from '../measure.ts';
import {
  type Asker,
  type LineOutcome,
  type LineRequest,
  type RunServices,
  runLine,
} from '../run/run-line.ts';
import { lineAsCall, refusalText } from './refusal.ts';

/**
 * The person for whom an assistant asks, and what they may see. `place`: their direct message with the bot, in which their own
 * watches stand; left out where there is no workspace.
 */
export interface Caller extends Asker {
  /** The assistant shows Block Kit: Slackbot. */
  showsBlocks: boolean;
}

/** Throws UserError for somebody whom Landfall does not serve. */
export type FindCaller = (context: ServerContext) => Promise<Caller> | Caller;

export interface CallServices extends Omit<RunServices, 'measure'> {
  /** Waits for this person's turn, and returns the function that ends it. The deadline begins after it. */
  takeTurn?(personId: string, signal: AbortSignal): Promise<() => void>;
  measure?: Measure;
}

/**
 * Returns a function that calls one of the tools. All errors are reworded, since a model reads whatever is thrown.
 */
export function createCallTool(
  { takeTurn, ...services }: CallServices,
  { tools, findCaller }: { tools: readonly CommandTool[]; findCaller: FindCaller },
) {
  const runServices = { measure: measureNothing, ...services };

  return (tool: CommandTool, input: unknown, context: ServerContext): Promise<CallToolResult> => {
    const run = () => call(tool, input, context);
    // Over HTTP the request has one already.
    return currentReference() === undefined ? underReference(run) : run();
  };

  async function call(tool: CommandTool, input: unknown, context: ServerContext): Promise<CallToolResult> {
    const { signal } = context.mcpReq;
    const shown = { asBlocks: false };
    const request: LineRequest<PreparedTool, CallToolResult> = {
      surface: 'mcp',
      fields: { tool: tool.name },
      measuredAs: tool.name,
      signal,
      async who() {
        const caller = await findCaller(context);
        shown.asBlocks = caller.showsBlocks;
        const release = await takeTurn?.(caller.actor.userId, signal);
        return { ...caller, ...(release && { release }) };
      },
      read({ vessels, asker }) {
        const prepared = tool.prepare(input, { vessels });
        if (prepared.needsSlack && !asker.place) throw noWorkspace();
        return prepared;
      },
      contextOf: ({ command }, { place }) => ({
        cause: { ...commandCause(command.name, place), byAssistant: true },
      }),
      render(answer, { reader, vessels }) {
        const message = answer.view(reader);
        // A model can't press a button, and has tools in place of lines.
        const inWords = (line: string) => lineAsCall(line, { tools, context: { vessels } });
        const style = { zone: reader.zone, styled: false, canRun: () => false, inWords };
        return {
          content: [{ type: 'text', text: terminalText(message, style) }],
          structuredContent: answer.output(reader),
          ...(shown.asBlocks && { _meta: { slack: { blocks: slackBlocks(message) } } }),
        };
      },
    };
    const outcome = await runLine(request, runServices);
    return outcome.kind === 'answered' ? outcome.rendered : failed(failureText(outcome, { tool, input }));
  }

  function failureText(
    {
      error,
      ref,
      reader,
      asker,
      prepared,
      vessels,
    }: Extract<LineOutcome<PreparedTool, unknown>, { kind: 'failed' }>,
    { tool, input }: { tool: CommandTool; input: unknown },
  ): string {
    if (error instanceof UserError && !(error instanceof NoAccountError) && vessels)
      return refusalText(error, { tool, tools, input, context: { vessels } });
    const { text } = failureView(error, {
      ...{ ref, reader, isAdmin: asker?.actor.isAdmin ?? false },
      ...(prepared && { line: prepared.line }),
    });
    // Without its blocks, since a model can't press their buttons.
    return terminalText({ text, blocks: [] }, { zone: reader.zone, styled: false });
  }
}

/** Slackbot drops all blocks if one isn't among those that it shows. */
const shown: ReadonlySet<MessageBlock['type']> = new Set([
  'section',
  'context',
  'header',
  'divider',
  'table',
  'data_table',
  'data_visualization',
]);

/**
 * The answer in Block Kit, without its buttons: Slackbot sends their clicks to tools, not to the bot. Without newer blocks if
 * one of them isn't shown by Slackbot.
 */
function slackBlocks(message: Message): MessageBlock[] {
  const blocks = withoutButtons(message.blocks);
  return blocks.every(({ type }) => shown.has(type)) ? blocks : withoutButtons(plainBlocksOf(message));
}

const withoutButtons = (blocks: readonly MessageBlock[]): MessageBlock[] =>
  blocks
    .filter(({ type }) => type !== 'actions')
    .map((block) => {
      if (block.type !== 'section') return block;
      const { accessory: _, ...section } = block;
      return section;
    });

const failed = (text: string): CallToolResult => ({ content: [{ type: 'text', text }], isError: true });

/** A desktop assistant asks the service alone. */
const noWorkspace = (): UserError =>
  new UserError({
    code: 'not-allowed',
    message: 'Fleets and watches belong to a Slack workspace, which this assistant is not connected to.',
    hint: 'Give the vessels by IMO number, or ask Landfall in Slack.',
  });
