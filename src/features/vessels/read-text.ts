import { joinWords } from '../../grammar/line.ts';
import { isDated, type Mentions } from '../../grammar/mentions.ts';
import { readPort } from '../../grammar/port.ts';
import { asksOfReferences } from '../../grammar/topics.ts';
import { formatVessels } from '../../grammar/vessel.ts';
import type { Imo } from '../../reference/codes.ts';
import { shortPort } from '../../reference/short-ports.ts';
import { botTopicOf } from '../bot-topics.ts';
import type { Meaning } from '../ctx.ts';
import { beginsAsQuestion } from '../question-words.ts';
import { formatFleet } from './words.ts';

/** A list, a change of a fleet, of a name or of a reference, or a promise; a change is offered, since a text changes nothing. */
export function readText(mentions: Mentions): string | readonly string[] | undefined {
  const topic = botTopicOf(mentions);
  if (topic === 'names') return 'list';
  const [imo, ...others] = mentions.vessels;
  if (imo !== undefined && others.length === 0 && asksOfReferences.test(mentions.rest)) return `ref ${imo}`;
  if (
    topic === 'fleets' ||
    (mentions.vessels.length > 0 &&
      !/\d{7}/.test(mentions.text) &&
      / (?:which|what) fleets /.test(mentions.rest))
  )
    return 'fleets';
  const promise = promiseIn(mentions);
  if (promise !== undefined) return promise;
  if (beginsAsQuestion.test(mentions.text) || ofOthers.test(mentions.rest)) return undefined;
  return (
    newFleetIn(mentions) ??
    fleetChangeIn(mentions) ??
    forgottenIn(mentions) ??
    nameIn(mentions) ??
    madeFleetIn(mentions) ??
    referenceIn(mentions)
  );
}

/** See `Meaning`. */
export const vesselMeanings: readonly Meaning[] = [
  { name: 'remove reference', of: /^vessel ref .* remove /, words: removedIn },
  {
    name: 'references',
    of: /^vessel ref \d{7}$/,
    words: ({ vessels: [imo, ...others] }) =>
      imo !== undefined && others.length === 0 ? `ref ${imo}` : undefined,
  },
  {
    name: 'reference',
    of: /^vessel ref /,
    words: ({ vessels: [imo, ...others], references: [stored], text, promise, date }) => {
      const codes = [...codesIn(text).filter((code) => code !== stored), ...customersIn(text)];
      const due = promise ?? date;
      if (codes.length === 0 && stored !== undefined && due !== undefined) return `ref ${stored} due ${due}`;
      if (imo === undefined || codes.length === 0 || others.length > 0) return undefined;
      return joinWords(`ref ${imo} add ${codes.join(', ')}`, promise && `due ${promise}`);
    },
  },
  {
    name: 'add to fleet',
    of: /^vessel fleet .* add /,
    words: (mentions) =>
      newFleetIn(mentions) ??
      (removes.test(mentions.rest) ? undefined : changedFleet(mentions.groups, 'add', mentions.vessels)),
  },
  {
    name: 'remove from fleet',
    of: /^vessel fleet .* remove /,
    words: ({ groups, vessels }) => changedFleet(groups, 'remove', vessels),
  },
  { name: 'fleets', of: /^vessel fleets/, words: () => 'fleets' },
  {
    name: 'forget name',
    of: /^vessel forget/,
    words: ({ vessels }) => (vessels.length > 0 ? `forget ${formatVessels(vessels)}` : undefined),
  },
  { name: 'names', of: /^vessel list/, words: () => 'list' },
  { name: 'name', of: /^vessel name/, words: calledIn },
];

function changedFleet(
  groups: Mentions['groups'],
  change: 'add' | 'remove',
  vessels: readonly Imo[],
): string | undefined {
  const fleet = fleetIn(groups);
  return fleet !== undefined && vessels.length > 0
    ? `${fleet} ${change} ${formatVessels(vessels)}`
    : undefined;
}

/** Stored references, of one vessel. */
function removedIn({ vessels: [imo, ...others], references }: Mentions): string | undefined {
  return imo !== undefined && others.length === 0 && references.length > 0
    ? `ref ${imo} remove ${references.join(', ')}`
    : undefined;
}

/** `should be known as Cypress Blue from today`, `when I say the Juvenile, I mean …`, `call … abbie from now on`. */
function calledIn({ vessels: [imo, ...others], text, rest }: Mentions): string | undefined {
  const typed = [callsNumber, isQuoted, isSaid, isSaidFor, isEqual, isCalled].map(
    (call) => call.exec(text)?.[1],
  );
  // In `nickname polo = CMA CGM MARCO POLO` the name is on the left.
  const [, left] = isDefined.exec(text) ?? [];
  const called = [left, ...typed, isAgreed.exec(rest)?.[1], fromNowOn.exec(rest)?.[1]].find(
    (name) => name !== undefined,
  );
  return imo !== undefined && others.length === 0 && called !== undefined
    ? `name ${imo} ${called}`
    : undefined;
}

/** One word in capitals, or more. */
const capitals =
  "(\\p{Lu}(?:[\\p{L}\\p{N}'-]|\\.(?=\\p{L}))*(?: (?:(?:de|del|do|da|van|von|of|&) )?(?:\\p{Lu}(?:[\\p{L}\\p{N}'-]|\\.(?=\\p{L}))*|\\d{1,3}\\b))*)";
const callsNumber = new RegExp(`\\bcall\\b[^.]*?\\b\\d{7}(?: (?:simply|just|as))? "?${capitals}`, 'u');
const isQuoted = /\b(?:call|names?|named|nickname|known as)\b.*?["“]([^"”]{2,40})["”]/i;
const isSaid =
  /\bwhen(?:ever)? (?:i|we|someone|somebody|people) (?:say|write|type|ask for)s? (?:the )?(\p{L}[\p{L}\p{N} .'-]{1,30}?),? (?:i|we|they|it|that)\b/iu;
/** `nickname MARCO POLO = polo` */
const isEqual = /^(?:nick\p{L}*|names?|alias|save)\b.*= ?"?(\p{L}[\p{L}\p{N} .'-]{0,30})"?$/iu;
const isDefined = /^(?:nick\p{L}*|alias) "?(\p{Ll}[\p{Ll}\p{N} .'-]{0,30}?)"? ?= ?\S+ \S/u;
/** `in our office we say Marek for the vessel …` */
const isSaidFor = new RegExp(`\\b(?:say|use) "?${capitals}"? for\\b`, 'u');
const isCalled = new RegExp(
  `\\b(?:called|named|names?|nickname|simply|just|as|rename to)(?: is| now| as)*:? "?${capitals}`,
  'u',
);
/** In the words that name nothing. */
const isAgreed =
  / call (?:(?:the|vessel|ship|her|it|simply|just|as) )*(\S+(?: \S+)?) (?:from (?:now|today)|going forward|in (?:future|(?:this|our) office)|(?:around )?here|ok(?:ay)?) /;

const fromNowOn =
  / from (?:now on|today) .*\bcall (?:(?:the|vessel|ship|her|it|simply|just|as) )*(\S+(?: \S+)?) (?:please |pls )?$/;

/** `a new fleet with the name Elbe and put …`, `new fleet please, TASMAN: …`. */
function newFleetIn({ text, vessels }: Mentions): string | undefined {
  const name = newFleet.exec(text)?.[1] ?? intoNewFleet.exec(text)?.[1];
  return name === undefined || vessels.length === 0
    ? undefined
    : `fleet ${name} add ${formatVessels(vessels)}`;
}

const newFleet = new RegExp(
  `\\b(?:new|create|make|build|need|set up)\\b.{0,12}\\bfleet\\b(?: (?:please|pls))?,?(?: (?:with the name|by the name(?: of)?|called?|named|name))?:? "?${capitals}"?(?=[:,]| (?:with|and|of|from|containing|including|for)\\b)`,
  'u',
);

/** `put … into a fleet called YGN FEEDERS` */
const intoNewFleet = new RegExp(
  `\\b(?:in|into|to|as) (?:a|one)(?: new)? fleet (?:called|named) "?${capitals}"?[.!]?$`,
  'u',
);

const ofOthers = / (?:digests?|watch|watches|watching|alerts?|notif\p{L}*) /u;

/** That of each stored reference, or of a new one. A stored one may have a promise, which then gives the port. */
function promiseIn({
  topic,
  vessels,
  references,
  codes,
  promise,
  date,
  text,
}: Mentions): string | readonly string[] | undefined {
  const [reference, ...others] = [...references, ...codes];
  const isPromise = topic === 'promise' || (topic === 'wish' && promise !== undefined);
  if (!isPromise || reference === undefined) return undefined;
  if (codes.length === 0) return references.map((each) => `ref ${each} due ${promise ?? date}`);
  return others.length === 0 && vessels.length === 1
    ? `ref ${vessels[0]} add ${[reference, ...customersIn(text)].join(', ')} due ${promise}`
    : undefined;
}

/** The command's own parser says which vessel isn't known. */
function fleetChangeIn({ groups, vessels, text, rest }: Mentions): string | undefined {
  const fleet = fleetIn(groups);
  if (fleet === undefined) return undefined;
  if (vessels.length === 0 && /^ (?:remove|delete|forget)(?: the| our)?(?: please| pls)? $/.test(rest))
    return `${fleet} forget`;
  const places = ['fleet', '\\S+ fleet', ...groups.map(({ name }) => RegExp.escape(name))].join('|');
  for (const { change, begins, into } of fleetChanges) {
    const typed = new RegExp(`\\b(?:${begins}) (.+?) (?:${into})(?: the| our)? (?:${places})\\b`, 'i');
    const [, named] = typed.exec(text) ?? [];
    if (named !== undefined) return `${fleet} ${change} ${vesselsIn(named, vessels)}`;
  }
  return undefined;
}

/** The beginning of a line about the only fleet. */
function fleetIn([group, ...others]: Mentions['groups']): string | undefined {
  if (group?.kind !== 'fleet' || others.length > 0) return undefined;
  return formatFleet(group.name).replace(/^vessel /, '');
}

function madeFleetIn({ groups, vessels, rest }: Mentions): string | undefined {
  const fleet = fleetIn(groups);
  return fleet !== undefined && vessels.length > 0 && makesFleet.test(rest)
    ? `${fleet} add ${formatVessels(vessels)}`
    : undefined;
}

/** `make a fleet MED with …`, `/vessel fleet MED: …`, `AMBER BEACON joins the north fleet`. */
const makesFleet =
  /^ (?:(?:please|pls|can|you) )*(?:make|create|build|set up|new|start|and|with|add) |^ *$| (?:joins?|belongs? to|is (?:now )?part of) /;

/** As typed if a name among them isn't known. */
const vesselsIn = (typed: string, vessels: readonly Imo[]): string =>
  typed.split(/\s*(?:[,&+]|\band\b)\s*/i).filter(Boolean).length === vessels.length
    ? formatVessels(vessels)
    : typed;

const fleetChanges = [
  { change: 'add', begins: 'add|put|include|take', into: 'in|to|into|on' },
  { change: 'remove', begins: 'remove|take|drop|delete', into: 'out of|out from|off|from' },
] as const;

const forgottenIn = ({ vessels, groups, rest }: Mentions): string | undefined =>
  vessels.length > 0 && groups.length === 0 && / (?:forget|remove|delete)(?: the| our)? names? /.test(rest)
    ? `forget ${formatVessels(vessels)}`
    : undefined;

/** One vessel, and words that no vessel has as a reference. */
function referenceIn({ vessels: [imo, ...others], text, rest, promise, command, topic }: Mentions) {
  const codes = codesIn(text);
  if (imo === undefined || codes.length === 0 || others.length > 0 || isAsked.test(rest)) return undefined;
  const isOwn = command === 'vessel' && / refs? | references? /.test(rest);
  if (
    !isOwn &&
    !(referenceWord.test(rest) || isOnBoard.test(rest)) &&
    !stores.test(rest) &&
    !removes.test(rest)
  )
    return undefined;
  if (!isOwn && topic === 'wish') return undefined;
  // A promise that isn't read would be dropped.
  if (promise === undefined && isDated(text) && promises.test(text)) return undefined;
  if (removes.test(rest)) return `ref ${imo} remove ${codes.join(', ')}`;
  const added = [...codes, ...customersIn(text)];
  return joinWords(`ref ${imo} ${added.join(', ')}`, promise && `due ${promise}`);
}

const promises = /\b(?:due|promised?|deadline|latest|must|need(?:s|ed)?)\b/i;
const removes =
  / (?:remove|delete|drop(?= .*from )|unlink|forget|(?:take|took|taken) (?:\S+ ){0,3}?off|off|cancell?ed) /;

/** `BK-4417`, `SINBOM-26-1187`, `job 440917`. */
function codesIn(text: string): string[] {
  const words = text.split(/[\s,;|]+/).map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''));
  const codes = words.filter(
    (word, at) =>
      /^[a-z]{2,8}[-/]?\d{3,}[\w-]*$|^(?=[\w-]*[a-z])\d{2,4}[a-z]{0,4}-[\w-]*\d{3,}$|^[a-z]{2,8}-\d{2}-\d{3,}$/i.test(
        word,
      ) ||
      (/^\d{5,6}$|^\d{8,12}$/.test(word) && numbered.test(words.slice(Math.max(0, at - 2), at).join(' '))),
  );
  return [...new Set(codes)].filter((code) => !/^imo/i.test(code));
}

/** `customer Nordmann Kaffee`, `PO 778120 / Brightwater Home`, but not `the customer Gdansk 4 Dec`. */
const customersIn = (text: string): string[] =>
  [...text.matchAll(aCustomer)].flatMap(([, name = '']) =>
    /\d/.test(name) || readPort(name).kind !== 'none' || shortPort(name) ? [] : [name],
  );

const aCustomer = new RegExp(
  `(?:\\b(?:belongs? to|customer|cust\\.?|clients?|kunde|klant|cliente|cnee|consignee|shipper)(?: name)?(?: is|:)? |\\d / |\\d \\()${capitals}`,
  'gu',
);

/** Words that make the number after them a reference. */
const numbered =
  /\b(?:ref|reference|job|booking|bkg|bk|order|po|so|file|shipment|consignment|b\/?l|no|nr|number)\.?(?: (?:no|nr|number)\.?)?(?: [A-Z]{4})?$/i;

const isAsked =
  / (?:eta(?! \S* ?acc )|etas|whether|(?:know|confirm|check|see) if|where|when|status|news|late|delay\p{L}*|update|updates|not|isnt|wrong|no longer|instead) /u;
const referenceWord =
  / (?:refs?|references?|bookings?|bkgs?|shipments?|orders?|jobs?|po|b l|bl|bills?|link|unlink|save|store) /;
const isOnBoard =
  / (?:is|are|was|were|goes|go|loaded|shipped|belongs?)(?: now)? (?:on|with|to|under|aboard) /;
const stores =
  / (?:add|store|save|link|unlink|attach|note|record|remove|delete|forget|new|also|has|is|belongs|goes with|for the|of the) /;

/** A number without a name, and a name that is plainly one. */
function nameIn({ text, command }: Mentions): string | undefined {
  const [number, ...otherNumbers] = new Set(text.match(/(?<!\d)\d{7}(?!\d)/g));
  if (number === undefined || otherNumbers.length > 0) return undefined;
  const about = text.replace(new RegExp(`\\(?(?:\\bIMO\\b)?(?: ?No)?[\\s.:#"]*${number}"?\\)?`, 'i'), ' # ');
  const isNaming = command === 'vessel' ? /^(?:name|rename|add|new|\W*#)(?!\w)/i : naming;
  if (!isNaming.test(about)) return undefined;
  const words = about.replace(/^(?:re)?name\b|\b(?:vessel )?name:?(?= )/gi, ' ');
  const [name, ...otherNames] = new Set([...words.matchAll(namesTyped)].map(([found]) => found));
  if (name === undefined || /^(?:not|late|delayed|due|in|at|on)\b/i.test(name)) return undefined;
  return otherNames.length > 0 ? undefined : `name ${number} ${name.trim()}`;
}

const naming =
  /\b(?:names?|named|call|called|rename|should read|reads|(?:save|store|add|know|show|register)(?=.* as\b)|new (?:vessel|ship)|add (?:the )?(?:vessel|ship))\b|^\W*#\s+(?:is|=)\s/i;
/** Words in capitals, or that begin with one. */
const namesTyped =
  /(?<![\p{L}\p{N}'-])(?!IMO\b)(?:\p{Lu}[\p{L}\p{N}.'-]*)(?: (?:\p{Lu}[\p{L}\p{N}.'-]*|\d{1,3}\b))+/gu;
