import type { AnyMiddlewareArgs, App, SlackEventMiddlewareArgs } from '@slack/bolt';
import { z } from 'zod';
import type { Reader } from '../../answers/message.ts';
import { type Reading, utcNote, withNote, withReading } from '../../answers/slack/answer-message.ts';
import { failureView } from '../../answers/slack/failure.ts';
import { unavailableNotice } from '../../answers/slack/notices.ts';
import { terminalText } from '../../answers/terminal-text.ts';
import { UserError } from '../../errors.ts';
import type { LineAnswer, ParsedLine } from '../../features/command.ts';
import { exampleTaking, isPersonal } from '../../features/ctx.ts';
import { type Logger, referenceToShow } from '../../log.ts';
import { runLine } from '../../run/run-line.ts';
import { runOnce, type SlackContext, slackFor } from '../context.ts';
import { admitByAssistant } from '../people/admit.ts';
import { slackCode } from '../posting/deliver.ts';

/** Custom steps of workflows. Bolt's `app.function` leaves steps that it doesn't know, and those that fail, unended. */
export function listenToSteps(app: App, logger: Logger): void {
  app.event('function_executed', async ({ ack, event, context, complete, fail }) => {
    await ack();
    const slack = slackFor(context);
    const run = async () => {
      const { callback_id: id, title } = event.function;
      const result = Object.hasOwn(steps, id) ? await runStep(event.inputs, slack) : unknownStep(title);
      await endStep(result, { complete, fail }, logger);
    };
    await runOnce(`step ${event.function_execution_id}`, run, slack);
  });
}

const unknownStep = (title: string) => ({
  kind: 'failed' as const,
  error: `This version of Landfall doesn't have the step “${title}”. Remove it from the workflow, or ask whoever runs this bot.`,
});

/** Undefined for any other delivery. */
export const stepOf = (args: AnyMiddlewareArgs): StepEnd | undefined =>
  // Bolt adds both functions to these events, but the union of all events has no types for them.
  'event' in args && args.event.type === 'function_executed' ? (args as unknown as StepEnd) : undefined;

/** Ends a step of a workspace that is not served, or that could not be opened. */
export const endUnservedStep = (
  step: StepEnd,
  { isUnavailable }: { isUnavailable: boolean },
  logger: Logger,
) => endStep({ kind: 'failed', error: isUnavailable ? unavailableNotice.text : notServed }, step, logger);

const notServed = "Landfall doesn't serve this workspace any more. Ask your workspace admins about it.";

/** Bolt's way to end a step, with the token that Slack sends for it. */
type StepEnd = Pick<SlackEventMiddlewareArgs<'function_executed'>, 'complete' | 'fail'>;

/**
 * Ends a step. What Slack refuses is tried a second time. If Slack doesn't take the outputs at all, the step ends as
 * failed, so that it doesn't run for ever. Never rejects.
 */
async function endStep(result: StepResult, { complete, fail }: StepEnd, logger: Logger): Promise<void> {
  const end = () =>
    result.kind === 'answered' ? complete({ outputs: { ...result.outputs } }) : fail({ error: result.error });
  const error = await failureOfTwo(end);
  if (error === undefined) return;
  const ref = referenceToShow();
  logger.error({ surface: 'step', ref, err: error }, 'Slack refused the result of a step');
  if (result.kind === 'failed') return;
  const message = `Slack didn't take the answer (ref ${ref}). If it happens again, tell whoever runs this bot.`;
  const last = await failureOfTwo(() => fail({ error: message }));
  if (last !== undefined) logger.error({ surface: 'step', ref, err: last }, 'a step was not ended');
}

/** Of a step that has ended: its token dies with it. */
const endedCodes = new Set([
  'execution_not_in_running_state',
  'function_execution_not_found',
  'token_revoked',
]);

/** Tries twice; undefined once it has worked, or if the step has ended otherwise: the answer to the first try was lost. */
async function failureOfTwo(end: () => Promise<unknown>): Promise<unknown> {
  let failure: unknown;
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    try {
      await end();
      return undefined;
    } catch (error) {
      if (endedCodes.has(slackCode(error) ?? '')) return undefined;
      failure = error;
    }
  }
  return failure;
}

type StepResult = { kind: 'answered'; outputs: StepOutputs } | { kind: 'failed'; error: string };

/** The values that the workflow hands over. One that it can't fill in is missing, or null. */
const stepInputs = z
  .object({ line: z.string().catch(''), person: z.string().catch('') })
  .catch({ line: '', person: '' });

/**
 * Runs the step “Ask Landfall”. The author of the workflow names the person for whom it asks, and decides who reads the
 * answer. So it gets only what everybody in the workspace may ask and outsiders may read, and never an admin's rights.
 * Never rejects: a step that is not ended runs for ever.
 */
async function runStep(inputs: unknown, slack: SlackContext): Promise<StepResult> {
  const { line: typed, person } = stepInputs.parse(inputs);
  const { ctx, timing, measure } = slack;
  let zone: string | undefined;
  const outcome = await runLine<ParsedLine, StepOutputs>(
    {
      ...{ surface: 'step', deadlineMs: timing.deadlineMs, measure },
      async who() {
        if (person.trim() === '') throw nobody();
        if (typed.trim() === '') throw noLine(exampleTaking('vessels', ctx.registry.commands));
        // Slack doesn't say which workspace the person belongs to, so `users.info` decides.
        const caller = await admitByAssistant({ id: person.trim(), teamId: undefined }, slack);
        zone = caller.actor.zone;
        return {
          ...caller,
          actor: { ...caller.actor, isAdmin: false },
          place: { ...caller.place, isShared: true },
          audience: 'outside',
        };
      },
      read({ vessels }) {
        const parsed = slack.parseLine(typed, { vessels });
        checkForStep(parsed);
        return parsed;
      },
      render: (answer, { reader, prepared }) => outputsOf(answer, reader, { ...prepared, zone }),
    },
    ctx.services,
  );
  if (outcome.kind === 'answered') return { kind: 'answered', outputs: outcome.rendered };
  const { error, ref, reader, prepared } = outcome;
  const { text } = failureView(error, { ref, reader, ...(prepared && { line: prepared.line }) });
  return { kind: 'failed', error: plainWords(text, reader) };
}

function outputsOf(
  { view, nextCall }: LineAnswer,
  reader: Reader,
  { zone, ...reading }: Reading & { zone: string | undefined },
): StepOutputs {
  const worded = withReading(view(reader), reading, reader);
  const { text } = zone === undefined ? withNote(worded, utcNote) : worded;
  const { eta, ...fields } = nextCall ?? {};
  return {
    text: plainWords(text, reader),
    ...fields,
    ...(eta && { eta: Math.floor(eta.getTime() / 1000) }),
  };
}

/** A workflow shows outputs and errors as they are. */
const plainWords = (text: string, { zone }: Reader): string =>
  terminalText({ text, blocks: [] }, { zone, styled: false });

/** Throws UserError for a line that a workflow must not run. */
function checkForStep({
  line,
  repeatable,
  onlyAsks,
  exportFormat,
  visibility,
  privacy,
  dependsOnPlace,
}: ParsedLine): void {
  if (visibility !== undefined)
    throw notInStep(`“${visibility}” doesn't work in a workflow, which decides where the answer goes.`, {
      hint: `Leave out “${visibility}”.`,
      example: line,
    });
  if (exportFormat !== undefined)
    throw notInStep("A workflow can't get a file.", { hint: `Leave out “as ${exportFormat}”.` });
  if (privacy === 'internal')
    throw notInStep('This answer is for this workspace only, and a workflow may show it to others.');
  if (isPersonal({ privacy })) throw forOnePerson();
  if (!onlyAsks)
    throw notInStep('This line changes something, and a workflow can only ask. Nothing was changed.');
  if (dependsOnPlace)
    throw notInStep("The answer depends on the channel in which you ask, so a workflow can't get it.");
  if (privacy !== 'open' || !repeatable) throw forOnePerson();
}

const notInStep = (message: string, advice: { hint?: string; example?: string } = {}): UserError =>
  new UserError({ code: 'not-allowed', message, ...advice });

const forOnePerson = (): UserError =>
  notInStep('This answer is for one person only, and a workflow may show it to others.');

const nobody = (): UserError =>
  new UserError({
    code: 'unknown-person',
    message: "The step doesn't say for whom it asks.",
    hint: 'Edit the workflow: under “For whom”, choose the person who used the workflow, or somebody of your workspace if it runs on a schedule.',
  });

const noLine = (example: string): UserError =>
  new UserError({
    code: 'missing-argument',
    message: 'The step has no line or question.',
    example,
  });

/** A value that a workflow hands to a step, or gets from it. `type`: Slack's. */
const parameter = (
  type: 'string' | 'number' | 'slack#/types/user_id' | 'slack#/types/timestamp',
  title: string,
  description: string,
) => ({ type, title, description, is_required: false });

const required = (...of: Parameters<typeof parameter>) => ({ ...parameter(...of), is_required: true });

type StepParameter = ReturnType<typeof parameter>;

/** What the step gives to the workflow: the values of its output parameters. */
interface StepOutputs {
  text: string;
  port?: string;
  locode?: string;
  /** Unix seconds. */
  eta?: number;
  /** From 0 to 1. */
  probability?: number;
}

const askLandfall = {
  title: 'Ask Landfall',
  description:
    'Answers a line or a question about ships: in words and, for one vessel, with its next port, ETA and probability',
  input_parameters: {
    line: required(
      'string',
      'Line or question',
      'As you would type it in Slack: a command line, or a question such as “Where is EVER GIVEN?”',
    ),
    person: required(
      'slack#/types/user_id',
      'For whom',
      'The person who runs the workflow, or somebody of your workspace if it runs on a schedule',
    ),
  },
  output_parameters: {
    text: required('string', 'Answer', 'The whole answer in words'),
    port: parameter(
      'string',
      'Next port',
      'Name of the likeliest next port; empty unless the line is about one vessel',
    ),
    locode: parameter('string', 'UN/LOCODE', 'Code of that port'),
    eta: parameter(
      'slack#/types/timestamp',
      'ETA',
      'When the vessel is predicted there; empty if no ETA is given',
    ),
    probability: parameter('number', 'Probability', 'How probable that port is, from 0 to 1'),
  } satisfies Record<keyof StepOutputs, StepParameter>,
};

/** The custom steps of the Slack app, by callback id, as manifest.yml declares them. */
export const steps: Readonly<
  Record<
    string,
    Record<'title' | 'description', string> &
      Record<'input_parameters' | 'output_parameters', Record<string, StepParameter>>
  >
> = { ask_landfall: askLandfall };
