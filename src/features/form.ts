import type { z } from 'zod';
import type { Message, Reader } from '../messages/message.ts';
import type { Modal } from '../messages/modal.ts';
import type { RunContext } from './run-context.ts';

/** What is in the fields of an open form, by the id of its block. */
export interface Filled {
  /** What was typed or chosen; '' for nothing. */
  text(field: string): string;
  /** What was ticked. */
  ticked(field: string): readonly string[];
}

/** A click in an open form. */
export interface FormAction {
  id: string;
  value: string;
}

/** What a click in a form leads to: the form with another state, a form on top of it, or something to read there. */
export type FormStep<State> =
  | { kind: 'state'; state: State }
  | { kind: 'form'; name: string; target: unknown }
  | { kind: 'message'; view(reader: Reader): Message }
  /** Something to read that may take longer than the 3 s in which Slack lets a window open: it opens at once. */
  | { kind: 'slow'; title: string; run(): Promise<{ view(reader: Reader): Message }> };

/** What a submitted form did; undefined: it only closes. `channelId`: where the lines under its answer run. */
type FormDone = { view(reader: Reader): Message; channelId?: string } | undefined;

/** A form is one declaration: what it is about, what is in it, what it looks like, what it does. */
interface FormDefinition<Target, State, Services> {
  name: string;
  /** What the button that opens it says: JSON. */
  target: z.ZodType<Target>;
  /** Throws UserError when there is nothing to fill in, or the person has no permission. */
  open(target: Target, context: RunContext & Services): Promise<State>;
  /** What can be typed instead where it does not open: a command line without the slash. */
  instead(target: Target): string;
  /** Pure. What is in a field that stays is left to Slack. */
  view(state: State, reader: Reader): Modal;
  /** What of the state no field shows, and has to come back; JSON of at most 2,000 characters. */
  memo?(state: State): unknown;
  /** The state again; `memo` as it was given. */
  read(filled: Filled, form: { target: Target; memo: unknown }): State;
  /** A click on an element of the form itself. Throws UserError, or FieldErrors. */
  act?(action: FormAction, state: State, context: RunContext & Services): Promise<FormStep<State>>;
  /** Throws FieldErrors for what is wrong with a field, UserError for what is wrong in all. */
  submit(state: State, context: RunContext & Services): Promise<FormDone>;
}

/** Where an open form is: what slack/ keeps in its metadata. */
export interface Opened {
  modal: Modal;
  target: unknown;
  memo: unknown;
}

/** A definition with its types closed over, so that the registry can hold all of them. */
export interface Form {
  name: string;
  open(target: unknown, context: RunContext, reader: Reader): Promise<Opened>;
  instead(target: unknown): string;
  act(
    action: FormAction,
    form: FilledForm,
    context: RunContext,
    reader: Reader,
  ): Promise<FormStep<Opened> | undefined>;
  submit(form: FilledForm, context: RunContext): Promise<FormDone>;
}

export interface FilledForm {
  filled: Filled;
  target: unknown;
  memo: unknown;
}

/** Gives a function that binds the definition to the services of its feature. */
export function defineForm<Target, State, Services extends object>(
  definition: FormDefinition<Target, State, Services>,
): (services: Services) => Form {
  const { name } = definition;
  const opened = (target: Target, state: State, reader: Reader): Opened => ({
    modal: definition.view(state, reader),
    target,
    memo: definition.memo?.(state),
  });
  const stateOf = ({ filled, target, memo }: FilledForm) =>
    definition.read(filled, { target: definition.target.parse(target), memo });
  return (services) => ({
    name,
    async open(given, context, reader) {
      const target = definition.target.parse(given);
      return opened(target, await definition.open(target, { ...context, ...services }), reader);
    },
    instead: (given) => definition.instead(definition.target.parse(given)),
    async act(action, form, context, reader) {
      const step = await definition.act?.(action, stateOf(form), { ...context, ...services });
      if (step?.kind !== 'state') return step;
      const target = definition.target.parse(form.target);
      return { kind: 'state', state: opened(target, step.state, reader) };
    },
    submit: async (form, context) => definition.submit(stateOf(form), { ...context, ...services }),
  });
}
