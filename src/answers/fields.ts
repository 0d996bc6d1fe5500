import { UserError } from '../errors.ts';
import type { TextSection } from './answer.ts';
import type { Text } from './text.ts';

/** What a form shows, as plain data. */
export interface FormView {
  /** At most 24 characters. */
  title: string;
  /** The label of the button that submits it. */
  submit: string;
  parts: readonly FormPart[];
}

/** A text or a note that changes while the form is open has an id. Buttons are handled by the form's `act`. */
export type FormPart =
  | FormField
  | (TextSection & { id?: string; button?: FormButton | undefined })
  | { kind: 'note'; id: string; text: Text }
  | { kind: 'buttons'; buttons: readonly FormButton[] };

export interface FormButton {
  label: string;
  press: string;
  /** Default: that of `press`. */
  value?: string;
}

/** Slack offers apps as people too, so the choice still has to be checked. Dates and times: `2026-11-27`, `08:00`. */
export type FormField = Field &
  (
    | { kind: 'input'; value?: string; placeholder?: string; maxLength?: number; isMultiline?: boolean }
    | { kind: 'menu' | 'radio'; value?: string; options: readonly Option[] }
    | { kind: 'ticks'; values: readonly string[]; options: readonly Option[] }
    | { kind: 'channel' | 'person' | 'date' | 'time'; value: string }
  );

/** What all fields have in common. Slack keeps the typed text while the id stays the same. */
interface Field {
  id: string;
  label: string;
  hint?: string;
  /** Default: true for ticks, false for others. */
  isOptional?: boolean;
  /** Slack reports each change, not only the submitted value. */
  isLive?: boolean;
}

export interface Option {
  value: string;
  label: string;
  description?: string;
}

/** Messages about wrong values in a form, by the ids of the fields. Does not cover errors about the whole form. */
export class FieldErrors extends Error {
  override readonly name = 'FieldErrors';
  readonly fields: Readonly<Record<string, string>>;

  constructor(fields: Readonly<Record<string, string>>, options?: ErrorOptions) {
    super(Object.values(fields).join(' '), options);
    this.fields = fields;
  }
}

/** Reads every field. Throws one FieldErrors for all wrong fields, so people can correct them all at once. */
export function readFields<Readers extends Record<string, () => unknown>>(
  readers: Readers,
): { [Field in keyof Readers]: ReturnType<Readers[Field]> } {
  const errors: Record<string, string> = {};
  const values = Object.entries(readers).map(([field, read]) => {
    try {
      return [field, read()];
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      errors[field] = fieldText(error);
      return [field, undefined];
    }
  });
  if (Object.keys(errors).length > 0) throw new FieldErrors(errors);
  // Each value comes from the reader of the same name; an object built by name can't show that.
  return Object.fromEntries(values) as { [Field in keyof Readers]: ReturnType<Readers[Field]> };
}

/** The text of an error beside a field, with up to three corrections. */
export function fieldText({ message, hint, choices }: UserError): string {
  const labels = choices.slice(0, 3).map(({ label }) => label);
  if (labels.length > 0) return `${message} Did you mean ${labels.join(', or ')}?`;
  return hint === undefined ? message : `${message} ${hint}`;
}

/** Throws a bad-owner error as FieldErrors for the field of the person; rethrows any other error. */
export const rethrowBeside =
  (field: string) =>
  (error: unknown): never => {
    if (!(error instanceof UserError) || error.code !== 'bad-owner') throw error;
    throw new FieldErrors({ [field]: fieldText(error) }, { cause: error });
  };
