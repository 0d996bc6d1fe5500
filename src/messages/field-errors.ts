import { UserError } from '../errors.ts';

/** What is wrong with fields of a form, by the ids of their blocks. Does not cover what is wrong with the whole. */
export class FieldErrors extends Error {
  override readonly name = 'FieldErrors';
  readonly fields: Readonly<Record<string, string>>;

  constructor(fields: Readonly<Record<string, string>>, options?: ErrorOptions) {
    super(Object.values(fields).join(' '), options);
    this.fields = fields;
  }
}

/** Reads every field; throws FieldErrors with all that is wrong, so that nobody corrects one only to see the next. */
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
  // Made of the entries of `readers`, each by its own function.
  return Object.fromEntries(values) as { [Field in keyof Readers]: ReturnType<Readers[Field]> };
}

/** Beside a field there is room for what was wrong and the nearest right thing. */
export function fieldText({ message, hint, choices }: UserError): string {
  const labels = choices.slice(0, 3).map(({ label }) => label);
  if (labels.length > 0) return `${message} Did you mean ${labels.join(', or ')}?`;
  return hint === undefined ? message : `${message} ${hint}`;
}

/** Who can't own it is said beside the field that names them; all else is thrown on. */
export function besideOwner(error: unknown): never {
  if (!(error instanceof UserError) || error.code !== 'bad-owner') throw error;
  throw new FieldErrors({ owner: fieldText(error) }, { cause: error });
}
