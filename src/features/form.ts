import type { z } from 'zod';
import type { Message, Modal, Reader } from '../answers/message.ts';
import type { AskCtx } from './ctx.ts';

/** The values in an open form, by the id of the field's block. */
export interface FieldValues {
  /** What was typed or chosen; '' for nothing. */
  text(field: string): string;
  ticked(field: string): readonly string[];
}

/** A click in an open form. */
export interface FormAction {
  id: string;
  value: string;
}

/** What a click in a form leads to: the form with another state, a form on top of it, or a message on top of it. */
export type FormStep<State> =
  | { kind: 'state'; state: State }
  | { kind: 'form'; name: string; target: unknown }
  /** Slack lets a window open only within 3 s, so it opens first, and `run` fills it with the message. */
  | { kind: 'slow'; title: string; run(): Promise<{ view(reader: Reader): Message }> };

/** Undefined if the form only closes. */
type FormAnswer =
  | {
      view(reader: Reader): Message;
      /** The channel in which the answer's buttons run their lines. */
      channelId?: string;
      /** Sent if no window can show the answer any more, and the answer must not be in Slack's history: it holds a secret. */
      withoutWindow?: Message;
    }
  | undefined;

/** A form is one declaration: its subject, its state, its view, and what it does. */
interface FormDefinition<Target, State, Services> {
  name: string;
  /** The subject of the form, as JSON in the button that opens it. */
  target: z.ZodType<Target>;
  /** Throws UserError if there is nothing to fill in, or the person has no permission. */
  open(target: Target, context: AskCtx & Services): Promise<State>;
  /** The command line, without the slash, that the person can type if the form does not open. */
  instead(target: Target): string;
  /** Pure. Slack keeps what was typed into a field for as long as the field stays. */
  view(state: State, reader: Reader): Modal;
  /** The part of the state that no field shows. The form's metadata holds it: JSON of at most 2,000 characters. */
  memo?(state: State): unknown;
  /** The inverse of `view` and `memo`. */
  read(values: FieldValues, form: { target: Target; memo: unknown }): State;
  /** Handles a click on an element of the form. Throws UserError, or FieldErrors. */
  act?(action: FormAction, state: State, context: AskCtx & Services): Promise<FormStep<State>>;
  /** Throws FieldErrors if fields are wrong, UserError for anything else. */
  submit(state: State, context: AskCtx & Services): Promise<FormAnswer>;
}

/** What slack/ needs to show a form, and the part of it that goes into the form's metadata. */
export interface OpenedForm {
  modal: Modal;
  target: unknown;
  memo: unknown;
}

export interface FilledForm extends Omit<OpenedForm, 'modal'> {
  values: FieldValues;
}

/** A definition with its types and its feature's services closed over, so that the registry can hold all of them. */
export type Form = ReturnType<ReturnType<typeof defineForm>>;

/** A form is a constant; its context carries the services. */
export const form = <Target, State>(definition: FormDefinition<Target, State, object>): Form =>
  defineForm(definition)({});

/** The old way. Returns a function that binds the definition to the services of its feature. */
export function defineForm<Target, State, Services extends object>(
  definition: FormDefinition<Target, State, Services>,
) {
  const { name } = definition;
  const toOpenedForm = (target: Target, state: State, reader: Reader): OpenedForm => ({
    modal: definition.view(state, reader),
    target,
    memo: definition.memo?.(state),
  });
  const stateOf = ({ values, target, memo }: FilledForm) =>
    definition.read(values, { target: definition.target.parse(target), memo });
  return (services: Services) => ({
    name,
    async open(targetJson: unknown, context: AskCtx, reader: Reader) {
      const target = definition.target.parse(targetJson);
      return toOpenedForm(target, await definition.open(target, { ...context, ...services }), reader);
    },
    instead: (targetJson: unknown) => definition.instead(definition.target.parse(targetJson)),
    async act(action: FormAction, form: FilledForm, context: AskCtx, reader: Reader) {
      const step = await definition.act?.(action, stateOf(form), { ...context, ...services });
      if (step?.kind !== 'state') return step;
      const target = definition.target.parse(form.target);
      return { kind: step.kind, state: toOpenedForm(target, step.state, reader) };
    },
    submit: async (form: FilledForm, context: AskCtx) =>
      definition.submit(stateOf(form), { ...context, ...services }),
  });
}
