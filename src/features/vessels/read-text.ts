import type { Mentions } from '../../grammar/mentions.ts';
import { formatVessels } from '../../grammar/vessel.ts';
import type { Imo } from '../../reference/codes.ts';
import { botTopicOf } from '../bot-topics.ts';
import { beginsAsQuestion } from '../question-words.ts';
import { formatFleet } from './words.ts';

/** The list of names or of fleets, or a change, whose line is offered, since a text never changes anything. */
export function readText(mentions: Mentions): string | undefined {
  const topic = botTopicOf(mentions);
  if (topic === 'names') return 'list';
  if (topic === 'fleets' || (mentions.vessels.length > 0 && / (?:which|what) fleets /.test(mentions.rest)))
    return 'fleets';
  if (beginsAsQuestion.test(mentions.text) || ofOthers.test(mentions.rest)) return undefined;
  return fleetChangeIn(mentions) ?? forgottenIn(mentions) ?? referenceIn(mentions);
}

const ofOthers = / (?:digests?|watch|watches|watching|alerts?|notif\p{L}*) /u;

/** The command's own parser says which vessel isn't known. */
function fleetChangeIn({ groups, vessels, text, rest }: Mentions): string | undefined {
  const [group, ...others] = groups;
  if (group?.kind !== 'fleet' || others.length > 0) return undefined;
  const fleet = formatFleet(group.name).replace(/^vessel /, '');
  if (vessels.length === 0 && /^ (?:remove|delete|forget)(?: the| our)? $/.test(rest))
    return `${fleet} forget`;
  for (const { change, typed } of fleetChanges) {
    const [, named] = typed.exec(text) ?? [];
    if (named !== undefined) return `${fleet} ${change} ${vesselsIn(named, vessels)}`;
  }
  return undefined;
}

/** As typed if a name among them isn't known. */
const vesselsIn = (typed: string, vessels: readonly Imo[]): string =>
  typed.split(/\s*(?:[,&+]|\band\b)\s*/i).filter(Boolean).length === vessels.length
    ? formatVessels(vessels)
    : typed;

const fleetChanges = [
  {
    change: 'add',
    typed: /\b(?:add|put|include|take) (.+?) (?:in|to|into|on)(?: the| our)? (?:fleet\b|\S+ fleet\b)/i,
  },
  {
    change: 'remove',
    typed:
      /\b(?:remove|take|drop|delete) (.+?) (?:out of|out from|off|from)(?: the| our)? (?:fleet\b|\S+ fleet\b)/i,
  },
] as const;

const forgottenIn = ({ vessels, groups, rest }: Mentions): string | undefined =>
  vessels.length > 0 && groups.length === 0 && / (?:forget|remove|delete)(?: the| our)? names? /.test(rest)
    ? `forget ${formatVessels(vessels)}`
    : undefined;

/** One vessel, and one word that no vessel has as a reference. */
function referenceIn({ vessels: [imo, ...others], codes: [code, ...otherCodes], rest }: Mentions) {
  if (imo === undefined || code === undefined || others.length + otherCodes.length > 0) return undefined;
  if (isAsked.test(rest) || !referenceWord.test(rest) || !stores.test(rest)) return undefined;
  return `ref ${imo} ${/ (?:remove|delete|unlink|forget) /.test(rest) ? 'remove ' : ''}${code}`;
}

const isAsked =
  / (?:eta|etas|where|when|status|news|late|delay\p{L}*|update|updates|not|isnt|wrong|no longer|instead) /u;
const referenceWord = / (?:refs?|references?|bookings?|shipments?|orders?|b l|bl|bills?|link|unlink) /;
const stores =
  / (?:add|store|save|link|unlink|attach|note|record|remove|delete|forget|new|also|has|is|belongs|for the|of the) /;
