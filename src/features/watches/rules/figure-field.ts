import { UserError } from '../../../errors.ts';
import { cleanLine } from '../../../grammar/clean.ts';
import type { LineHelp } from '../../../grammar/line-help.ts';
import type { Take } from '../../../grammar/options.ts';

/** A field of the watch form in which a setting is typed. */
export interface FigureField<Value> {
  id: string;
  label: string;
  placeholder: string;
  hint?: string;
  maxLength?: number;
  isMultiline?: boolean;
  /** As it would be typed. */
  text(value: NonNullable<Value>, reader: { now: Date; zone: string | undefined }): string;
  /** Undefined where nothing is typed. `opened`: the field when the form was opened. Throws UserError. */
  read(text: string, context: FieldContext<Value>): Value | undefined;
}

export interface FieldContext<Value> {
  opened: { text: string; value: Value };
  now: Date;
  zone: string | undefined;
}

export const formHelp: LineHelp = { line: (fixed) => fixed, example: 'watch 9461477 eta 6h' };

/** By the grammar of the command, in which `before` is before the figure; `right` says what to write. */
export function takeFigure<Typed>(
  text: string,
  { before, take, right }: { before: string; take: Take<Typed>; right: string },
): Typed | undefined {
  const typed = cleanLine(text);
  if (typed === '') return undefined;
  const taken = tryTake(() => take(`${before} ${typed}`, () => formHelp));
  if (taken && taken.rest.trim() === '') return taken.value;
  throw new UserError({ code: 'bad-rule', message: right });
}

/** The field has words of its own for what is wrong. */
function tryTake<T>(take: () => T): T | undefined {
  try {
    return take();
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}
