import { z } from 'zod';
import { UserError } from '../../errors.ts';
import { isPersonal, type LineAnswer, type ParsedLine } from '../../features/command.ts';
import { DeadlineError, withinDeadline } from '../../features/deadline.ts';
import { directoryFor } from '../../features/run-context.ts';
import { type Logger, referenceToShow } from '../../log.ts';
import type { AnswerOutcome, Measure } from '../../measure.ts';
import { failureView } from '../../messages/frame/failure.ts';
import { understoodNote, utcNote, withNote } from '../../messages/frame/small-print.ts';
import { terminalText } from '../../messages/frame/terminal-text.ts';
import type { Reader } from '../../messages/message.ts';
import type { WorkspaceEdge } from '../dispatch/workspace-edge.ts';
import type { FindAssistantCaller } from '../people/assistant-caller.ts';
import type { StepOutputs } from './declarations.ts';

export type StepResult = { kind: 'answered'; outputs: StepOutputs } | { kind: 'failed'; error: string };

/** Never rejects: a step that is not ended runs for ever. */
export type RunStep = (inputs: unknown) => Promise<StepResult>;

/** The values that the workflow hands over. One that it can't fill in is missing, or null. */
const stepInputs = z
  .object({ line: z.string().catch(''), person: z.string().catch('') })
  .catch({ line: '', person: '' });

/** What is known of a run when it fails. */
interface Known {
  line?: string;
  command?: string;
  zone?: string | undefined;
}

interface StepLog extends Record<string, unknown> {
  outcome: AnswerOutcome;
}

/**
 * Runs the step “Ask Landfall”. The author of the workflow names the person for whom it asks, and decides who reads the
 * answer. So it gets only what everybody in the workspace may ask and outsiders may read, and never an admin's rights.
 */
export function createRunStep(options: {
  workspace: Pick<WorkspaceEdge, 'parseLine' | 'vessels' | 'now' | 'source' | 'toServiceTrouble'>;
  findCaller: FindAssistantCaller;
  realNow: () => number;
  timing: { deadlineMs: number };
  measure: Measure;
  logger: Logger;
}): RunStep {
  const { workspace, findCaller, realNow, timing, measure, logger } = options;
  const { now, source } = workspace;
  const readerIn = (zone: string | undefined): Reader => ({
    ...{ now: now(), source, zone: zone ?? 'UTC' },
    audience: 'outside',
  });

  return async (inputs) => {
    const startedAt = realNow();
    const known: Known = {};
    const log = (level: 'info' | 'error', { outcome, ...fields }: StepLog) => {
      const ms = Math.round(realNow() - startedAt);
      const { line, command } = known;
      logger[level](
        { surface: 'step', outcome, ...(line !== undefined && { line }), ...fields, ms },
        'command',
      );
      measure({ kind: 'answer', command, outcome, ms });
    };
    try {
      const outputs = await withinDeadline(timing.deadlineMs, (signal, withDeadlinePaused) =>
        answer(stepInputs.parse(inputs), { known, signal, withDeadlinePaused }),
      );
      log('info', { outcome: 'answered' });
      return { kind: 'answered', outputs };
    } catch (thrown) {
      const error = thrown instanceof DeadlineError ? workspace.toServiceTrouble(thrown) : thrown;
      const ref = referenceToShow();
      if (error instanceof UserError) log('info', { outcome: 'refused', code: error.code });
      else log('error', { outcome: 'failed', ref, err: error });
      const { line, zone } = known;
      const reader = readerIn(zone);
      const { text } = failureView(error, { ref, reader, ...(line !== undefined && { line }) });
      return { kind: 'failed', error: plainWords(text, reader) };
    }
  };

  async function answer(
    { line: typed, person }: z.output<typeof stepInputs>,
    {
      known,
      ...deadline
    }: { known: Known } & Pick<Parameters<ParsedLine['run']>[0], 'signal' | 'withDeadlinePaused'>,
  ): Promise<StepOutputs> {
    if (person.trim() === '') throw nobody();
    if (typed.trim() === '') throw noLine();
    // Slack doesn't say to which workspace the person belongs, so `users.info` decides.
    const { actor, place, admit } = await findCaller({ id: person.trim(), teamId: undefined });
    known.zone = actor.zone;
    const vessels = directoryFor(actor, await workspace.vessels());
    const parsed = workspace.parseLine(typed, { vessels });
    Object.assign(known, { line: parsed.line, command: parsed.command.name });
    checkForStep(parsed);
    admit(parsed);
    const answered = await parsed.run({
      ...{ ...deadline, vessels, now, source, audience: 'outside' as const, fresh: false },
      place: { ...place, isShared: true },
      actor: { ...actor, isAdmin: false },
    });
    return outputsOf(answered, { ...parsed, zone: actor.zone });
  }

  function outputsOf(
    { view, nextCall }: LineAnswer,
    { understoodAs, zone }: Pick<ParsedLine, 'understoodAs'> & { zone: string | undefined },
  ): StepOutputs {
    const reader = readerIn(zone);
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
