import { UserError } from '../../errors.ts';
import type { Digest } from './digest.ts';

/** What people call a digest by. */
export type DigestName = { number: number } | { title: string };

/** The one that is named; the only one where none is named. Throws UserError, with those that there are. */
export function chooseDigest(
  digests: readonly Digest[],
  name: DigestName | undefined,
  { lastNumber, own }: { lastNumber: number; own: readonly Digest[] },
): Digest {
  const found = matching(digests, name);
  const [one, another] = found;
  if (one && !another) return one;
  const unknown = (message: string, choices: readonly Digest[]) =>
    refusal(message, { digests: choices, own: one ? [] : matching(own, name) });
  if (name && 'number' in name && name.number > 0 && name.number <= lastNumber)
    throw unknown(`Digest ${name.number} of this channel has been removed.`, digests);
  if (digests.length === 0) throw unknown('No digests in this channel yet.', []);
  if (!name) throw unknown('Which digest? There are several in this channel.', digests);
  if ('number' in name) throw unknown(`There is no digest ${name.number} in this channel.`, digests);
  throw one
    ? unknown(`Several digests are called “${name.title}”.`, found)
    : unknown(`There is no digest “${name.title}” in this channel.`, digests);
}

/** The same of those that were removed and are still known. */
export function chooseRemoved(removed: readonly Digest[], name: DigestName | undefined): Digest {
  const found = matching(removed, name);
  const [one, another] = found;
  if (one && !another) return one;
  throw new UserError({
    code: 'unknown-digest',
    message: one ? 'Which digest? Several were removed.' : 'Nothing like that was removed from this channel.',
    choices: choicesOf(one ? found : removed, 'restore'),
    example: 'digest list',
  });
}

function matching(digests: readonly Digest[], name: DigestName | undefined): readonly Digest[] {
  if (!name) return digests;
  if ('number' in name) return digests.filter(({ number }) => number === name.number);
  const wanted = name.title.toLowerCase();
  const exact = digests.filter(({ title }) => title.toLowerCase() === wanted);
  return exact.length > 0 ? exact : digests.filter(({ title }) => title.toLowerCase().includes(wanted));
}

/** `own`: the person's own that it may name, which no line of a channel reaches. */
function refusal(
  message: string,
  { digests, own }: { digests: readonly Digest[]; own: readonly Digest[] },
): UserError {
  const [first, ...others] = own;
  const which = first && others.length === 0 ? `“${first.title}” is` : `${own.length} of yours are`;
  return new UserError({
    code: 'unknown-digest',
    message,
    choices: choicesOf(digests, 'show'),
    ...(first && {
      hint: `${which} in your direct messages with me: type the same line there.`,
      isPersonal: true,
    }),
    example:
      digests.length === 0 ? 'digest add weekdays 08:00: portcalls NLRTM next 3 days; usage' : 'digest list',
  });
}

const choicesOf = (digests: readonly Digest[], verb: 'show' | 'restore') =>
  digests.slice(0, 8).map(({ number, title }) => ({
    label: `${number} ${title}`,
    line: `digest ${verb} ${number}`,
  }));

export const gone = () =>
  new UserError({
    code: 'unknown-digest',
    message: 'This digest has been removed.',
    example: 'digest list',
  });
