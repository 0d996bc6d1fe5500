import { UserError } from '../../src/errors.ts';

/** Code, message and hint of the UserError that this work ends with. */
export async function refusalOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => new Error('nothing was refused'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof UserError)) throw error;
  return [error.code, error.message, error.hint ?? ''].join(' | ');
}

/** The UserError that this ends with at once. */
export function refusedBy(work: () => unknown): UserError {
  try {
    work();
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
