import { UserError } from '../../errors.ts';
import type { Digest } from './digest.ts';
import { type DigestRef, exampleLine } from './words.ts';

/**
 * The digest of a channel that `ref` names or, without `ref`, the only one. Otherwise throws UserError with the
 * digests to choose from. `personal`: the person's own digests, to which `ref` can't refer in a channel.
 */
export function chooseDigest(
  digests: readonly Digest[],
  ref: DigestRef | undefined,
  { lastNumber, personal }: { lastNumber: number; personal: readonly Digest[] },
): Digest {
  const matches = filterByRef(digests, ref);
  const [first, second] = matches;
  if (first && !second) return first;
  const unknown = (message: string, choices: readonly Digest[]) =>
    notFound(message, { choices, personal: first ? [] : filterByRef(personal, ref) });
  if (ref && 'number' in ref && ref.number > 0 && ref.number <= lastNumber)
    throw unknown(`Digest ${ref.number} of this channel has been removed.`, digests);
  if (digests.length === 0) throw unknown('No digests in this channel yet.', []);
  if (!ref) throw unknown('Which digest? There are several in this channel.', digests);
  if ('number' in ref) throw unknown(`There is no digest ${ref.number} in this channel.`, digests);
  throw first
    ? unknown(`Several digests are called “${ref.title}”.`, matches)
    : unknown(`There is no digest “${ref.title}” in this channel.`, digests);
}

/** Chooses among the removed digests of a channel in the same way. */
export function chooseRemoved(removed: readonly Digest[], ref: DigestRef | undefined): Digest {
  const matches = filterByRef(removed, ref);
  const [first, second] = matches;
  if (first && !second) return first;
  throw new UserError({
    code: 'unknown-digest',
    message: first
      ? 'Which digest? Several were removed.'
      : 'Nothing like that was removed from this channel.',
    choices: choicesOf(first ? matches : removed, 'restore'),
    example: 'digest list',
  });
}

/** Exact titles come before titles that contain the words. */
function filterByRef(digests: readonly Digest[], ref: DigestRef | undefined): readonly Digest[] {
  if (!ref) return digests;
  if ('number' in ref) return digests.filter(({ number }) => number === ref.number);
  const wanted = ref.title.toLowerCase();
  const exact = digests.filter(({ title }) => title.toLowerCase() === wanted);
  return exact.length > 0 ? exact : digests.filter(({ title }) => title.toLowerCase().includes(wanted));
}

function notFound(
  message: string,
  { choices, personal }: { choices: readonly Digest[]; personal: readonly Digest[] },
): UserError {
  const [first, second] = personal;
  const which = first && !second ? `“${first.title}” is` : `${personal.length} of yours are`;
  return new UserError({
    code: 'unknown-digest',
    message,
    choices: choicesOf(choices, 'show'),
    ...(first && {
      hint: `${which} in your direct messages with me: type the same line there.`,
      isPersonal: true,
    }),
    example: choices.length === 0 ? exampleLine : 'digest list',
  });
}

const choicesOf = (digests: readonly Digest[], verb: 'show' | 'restore') =>
  digests
    .slice(0, 8)
    .map(({ number, title }) => ({ label: `${number} ${title}`, line: `digest ${verb} ${number}` }));

export const gone = () =>
  new UserError({ code: 'unknown-digest', message: 'This digest has been removed.', example: 'digest list' });
