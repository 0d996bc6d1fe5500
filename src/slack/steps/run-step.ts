import { z } from 'zod';
import { UserError } from '../../errors.ts';
import type { LineAnswer, ParsedLine } from '../../features/command.ts';
import { isPersonal } from '../../features/line.ts';
import { failureView } from '../../messages/frame/failure.ts';
import { understoodNote, utcNote, withNote } from '../../messages/frame/small-print.ts';
import { terminalText } from '../../messages/frame/terminal-text.ts';
import type { Reader } from '../../messages/message.ts';
import { runLine } from '../../run/run-line.ts';
import type { SlackContext } from '../context.ts';
import { admitByAssistant } from '../people/admit.ts';
import type { StepOutputs } from './declarations.ts';

export type StepResult = { kind: 'answered'; outputs: StepOutputs } | { kind: 'failed'; error: string };

/** The values that the workflow hands over. One that it can't fill in is missing, or null. */
const stepInputs = z
  .object({ line: z.string().catch(''), person: z.string().catch('') })
  .catch({ line: '', person: '' });

/**
 * Runs the step “Ask Landfall”. The author of the workflow names the person for whom it asks, and decides who reads the
 * answer. So it gets only what everybody in the workspace may ask and outsiders may read, and never an admin's rights.
 * Never rejects: a step that is not ended runs for ever.
 */
export async function runStep(inputs: unknown, slack: SlackContext): Promise<StepResult> {
  const { line: typed, person } = stepInputs.parse(inputs);
  const { ctx, timing, measure } = slack;
  let zone: string | undefined;
  const outcome = await runLine<ParsedLine, StepOutputs>(
    {
      surface: 'step',
      async who() {
        if (person.trim() === '') throw nobody();
        if (typed.trim() === '') throw noLine();
        // Slack doesn't say to which workspace the person belongs, so `users.info` decides.
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
    { ...ctx.services, deadlineMs: timing.deadlineMs, measure },
  );
  if (outcome.kind === 'answered') return { kind: 'answered', outputs: outcome.rendered };
  const { error, ref, reader, prepared } = outcome;
  const { text } = failureView(error, { ref, reader, ...(prepared && { line: prepared.line }) });
  return { kind: 'failed', error: plainWords(text, reader) };
}

function outputsOf(
  { view, nextCall }: LineAnswer,
  reader: Reader,
  { understoodAs, zone }: Pick<ParsedLine, 'understoodAs'> & { zone: string | undefined },
): StepOutputs {
  const shown = view(reader);
  const worded = understoodAs === undefined ? shown : withNote(shown, understoodNote(understoodAs));
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

const noLine = (): UserError =>
  new UserError({
    code: 'missing-argument',
    message: 'The step has no line or question.',
    example: 'nextport 9461477',
  });
