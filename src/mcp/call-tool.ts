import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import { type Message, type MessageBlock, plainBlocksOf } from '../answers/message.ts';
import { failureView } from '../answers/slack/failure.ts';
import { terminalText } from '../answers/terminal-text.ts';
import { type Choice, NoAccountError, UserError } from '../errors.ts';
import type { CommandTool, PreparedTool } from '../features/command.ts';
import { commandCause, type ParseContext } from '../features/ctx.ts';
import {
  examplesInWords,
  type Fields,
  FieldsError,
  type FieldValue,
  factsOf,
  WrongFieldsError,
} from '../features/fields.ts';
import { currentReference, underReference } from '../log.ts';
import { type Measure, measureNothing } from '../measure.ts';
import {
  type Asker,
  type LineOutcome,
  type LineRequest,
  type RunServices,
  runLine,
} from '../run/run-line.ts';

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

export interface CallServices extends RunServices {
  /** For a whole call. */
  deadlineMs: number;
  /** Waits for this person's turn, and returns the function that ends it. The deadline begins after it. */
  takeTurn?(personId: string, signal: AbortSignal): Promise<() => void>;
  measure?: Measure;
}

/**
 * Returns a function that calls one of the tools. All errors are reworded, since a model reads whatever is thrown.
 */
export function createCallTool(
  { takeTurn, deadlineMs, measure = measureNothing, ...services }: CallServices,
  { tools, findCaller }: { tools: readonly CommandTool[]; findCaller: FindCaller },
) {
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
      ...{ measure, measuredAs: tool.name },
      ...{ signal, deadlineMs },
      async who() {
        const caller = await findCaller(context);
        shown.asBlocks = caller.showsBlocks;
        const release = await takeTurn?.(caller.actor.userId, signal);
        return { ...caller, ...(release && { release }) };
      },
      read({ asker, ...parsing }) {
        const prepared = tool.prepare(input, parsing);
        if (prepared.needsSlack && !asker.place) throw noWorkspace();
        return prepared;
      },
      contextOf: ({ command }, { place }) => ({
        cause: { ...commandCause(command.name, place), byAssistant: true },
      }),
      render(answer, { reader, parsing }) {
        const message = answer.view(reader);
        // A model can't press a button, and has tools in place of lines.
        const inWords = (line: string) => lineAsCall(line, { tools, context: parsing });
        const style = { zone: reader.zone, styled: false, canRun: () => false, inWords };
        return {
          content: [{ type: 'text', text: terminalText(message, style) }],
          structuredContent: answer.output(reader),
          ...(shown.asBlocks && { _meta: { slack: { blocks: slackBlocks(message) } } }),
        };
      },
    };
    const outcome = await runLine(request, services);
    return outcome.kind === 'answered' ? outcome.rendered : failed(failureText(outcome, { tool, input }));
  }

  function failureText(
    {
      error,
      ref,
      reader,
      asker,
      prepared,
      parsing,
    }: Extract<LineOutcome<PreparedTool, unknown>, { kind: 'failed' }>,
    { tool, input }: { tool: CommandTool; input: unknown },
  ): string {
    if (error instanceof UserError && !(error instanceof NoAccountError) && parsing)
      return refusalText(error, { tool, tools, input, context: parsing });
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

/** What was asked of which tool. `tools`: all that the assistant can call. */
export interface Asked {
  tool: CommandTool;
  tools: readonly CommandTool[];
  input: unknown;
  context: ParseContext;
}

/** A value for each field that differs from what was asked; undefined for a field that has to be left out. */
type Change = Readonly<Record<string, FieldValue | undefined>>;

interface Remedy {
  label: string;
  tool: CommandTool;
  fields: Fields;
  change: Change;
}

/** No assistant reads more of them. */
const maxRemedies = 10;

/**
 * A UserError in the terms of a tool: what is wrong, in which field, and the nearest right values. The lines that the error
 * offers to people become values of fields by way of the parser; lines that no tool asks are left out.
 */
function refusalText(error: UserError, asked: Asked): string {
  if (error instanceof FieldsError) return error.faults.map((fault) => faultText(fault, asked)).join(' ');
  const remedies = error.choices.slice(0, maxRemedies).flatMap((choice) => remedyOf(choice, asked, error));
  const own = nearest(remedies.filter(({ tool }) => tool === asked.tool));
  const other = remedies.find(({ tool }) => tool !== asked.tool);
  const field = error instanceof WrongFieldsError ? undefined : fieldAtFault(own);
  return [
    field === undefined ? error.message : `${field}: ${error.message}`,
    ...(error.hint === undefined || isForPeople(error) ? [] : [error.hint]),
    // Such as `Nearest: "NLRTM" (Rotterdam, NL); "USRAJ" (Rotterdam, US).`
    ...(own.length > 0
      ? [`Nearest: ${[...new Set(own.map((remedy) => remedyWords(remedy, field)))].join('; ')}.`]
      : []),
    ...(other ? [`Or ${callInWords(other)}.`] : []),
  ].join(' ');
}

/** The choices of such an error are values of its field. */
function faultText({ field, error }: FieldsError['faults'][number], { tool }: Asked): string {
  const { examples = [], type } = factsOf(tool.input).get(field) ?? {};
  const nearest = error.choices
    .slice(0, maxRemedies)
    .map(({ label, line }) => `${type === 'string' ? JSON.stringify(line) : line}${meaningIn(label, line)}`);
  return [
    `${field}: ${error.message}`,
    ...(error.hint === undefined || isForPeople(error) ? [] : [error.hint]),
    ...(nearest.length > 0 ? [`Nearest: ${nearest.join('; ')}.`] : [examplesInWords(examples)]),
  ].join(' ');
}

function remedyOf({ label, line }: Choice, asked: Asked, error: UserError): Remedy[] {
  for (const tool of new Set([asked.tool, ...asked.tools])) {
    const fields = tool.fieldsOf(line, asked.context);
    if (!fields) continue;
    // Where words stand in the wrong field, that field has to change too, although they mean the same.
    const isWhole = tool !== asked.tool || error instanceof WrongFieldsError;
    return [{ label, tool, fields, change: isWhole ? fields : changeTo(fields, asked) }];
  }
  return [];
}

/** Those that change the fewest fields. */
function nearest(remedies: readonly Remedy[]): Remedy[] {
  const changed = remedies.filter(({ change }) => Object.keys(change).length > 0);
  const fewest = Math.min(...changed.map(({ change }) => Object.keys(change).length));
  return changed.filter(({ change }) => Object.keys(change).length === fewest);
}

/** The fields of a remedy without those that mean what was asked already: Rotterdam is NLRTM. */
function changeTo(fields: Fields, asked: Asked): Change {
  const given = fieldsIn(asked.input);
  const line = lineOf(fields, asked);
  const differs = (field: string) => lineOf({ ...fields, [field]: given[field] }, asked) !== line;
  const names = [...factsOf(asked.tool.input).keys()].filter(differs);
  return Object.fromEntries(names.map((field) => [field, fields[field]]));
}

const fieldsIn = (input: unknown): Record<string, unknown> =>
  typeof input === 'object' && input !== null ? { ...input } : {};

/** Undefined for fields that the tool refuses. */
function lineOf(fields: unknown, { tool, context }: Asked): string | undefined {
  try {
    return tool.prepare(fields, context).line;
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

/** The field that all remedies change. */
function fieldAtFault(own: readonly Remedy[]): string | undefined {
  const [field, ...others] = new Set(own.flatMap(({ change }) => Object.keys(change)));
  return others.length === 0 ? field : undefined;
}

/** It says what to type: nothing that an assistant could do. Where a person has to do something, it stays. */
const isForPeople = ({ hint = '', code }: UserError): boolean =>
  /(?:^|[\s(`])\/[a-z]/.test(hint) && code !== 'not-allowed' && code !== 'no-account';

function remedyWords({ label, change }: Remedy, field: string | undefined): string {
  const words = Object.entries(change).map(([name, value]) => {
    if (value === undefined) return `without ${name}`;
    const shown = `${JSON.stringify(value)}${meaningIn(label, value)}`;
    return name === field ? shown : `${name}: ${shown}`;
  });
  return words.join(', ');
}

/** ` (Rotterdam, NL)` of the label “Rotterdam, NL (NLRTM)”. */
function meaningIn(label: string, value: FieldValue): string {
  const end = ` (${value})`;
  return label.endsWith(end) ? ` (${label.slice(0, -end.length)})` : '';
}

/** `the tool portcalls with port: "NLRTM"`. */
function callInWords({ tool, fields }: { tool: CommandTool; fields: Fields }): string {
  const given = Object.entries(fields).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return `the tool ${tool.name}${given.length > 0 ? ` with ${given.join(', ')}` : ''}`;
}

/** The call that asks what a command line asks; undefined for a line that no tool asks, and for other words. */
function lineAsCall(
  line: string,
  { tools, context }: { tools: readonly CommandTool[]; context: ParseContext },
): string | undefined {
  for (const tool of tools) {
    const fields = tool.fieldsOf(line, context);
    if (fields) return callInWords({ tool, fields });
  }
  return undefined;
}
