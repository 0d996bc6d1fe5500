import { attempt, UserError } from '../../errors.ts';
import { joinWords } from '../../grammar/line.ts';
import type { Mentions } from '../../grammar/mentions.ts';
import { formatPort } from '../../grammar/port.ts';
import { quietFor } from '../../grammar/topics.ts';
import { formatVesselGroup, formatVessels } from '../../grammar/vessel.ts';
import { fold } from '../../reference/nearest.ts';
import { type BotTopic, botTopicOf, placesIn } from '../bot-topics.ts';
import type { Meaning } from '../ctx.ts';
import { formatScope, scopeIn } from '../history/index.ts';
import { beginsAsQuestion } from '../question-words.ts';
import { takeSnooze } from './words/snooze.ts';

/**
 * What has changed; a wish to be alerted, now or when a promise breaks, or not any more, whose line is offered, since a
 * text never changes anything.
 */
export function readText(mentions: Mentions): string | undefined {
  const { topic, rest, text, command } = mentions;
  const botTopic = botTopicOf(mentions);
  if (botTopic === 'audit') return undefined;
  if (/^promise[sd]?\b/i.test(text) && command === 'watch') return undefined;
  const listed = readPromises(mentions) ?? readList(mentions, botTopic);
  if (listed !== undefined) return listed;
  const isOwn = command === 'watch' && !/^list /i.test(text);
  if (topic === 'changes' && !(isOwn && forChanges.test(rest))) return readChanges(mentions);
  if (ofOthers.test(rest) || (beginsAsQuestion.test(text) && !tellsUs.test(rest))) return undefined;
  if (isOwn && rules.test(text)) return undefined;
  if (topic === 'manage')
    return readEnd(mentions) ?? (wishesWatch.test(rest) ? readWish(mentions) : undefined);
  return topic === 'wish' || topic === 'promise' || isOwn ? readWish(mentions) : undefined;
}

/** See `Meaning`. */
export const watchMeanings: readonly Meaning[] = [
  { name: 'stop watching', of: /^watch stop /, words: (mentions) => joinWords('stop', subjectIn(mentions)) },
  {
    name: 'snooze',
    of: /^watch snooze /,
    words: (mentions) => joinWords('snooze', subjectIn(mentions), snoozeIn(mentions.text)),
  },
  {
    name: 'watches',
    of: /^watch list/,
    words: ({ text }) => joinWords('list', formatScope(scopeIn(text))),
  },
  {
    name: 'promises',
    of: /^watch promises/,
    words: ({ vessels, ports: [port], text }) =>
      joinWords(
        'promises',
        asksWhich.test(` ${fold(text)} `) ? 'at risk' : '',
        vessels.length > 0 ? `of ${formatVessels(vessels)}` : port && `at ${formatPort(port)}`,
      ),
  },
  {
    name: 'changes',
    of: /^watch changes/,
    words: ({ vessels, groups: [group], ports: [port], periods: [period] }) => {
      const subject = group ? formatVesselGroup(group) : formatVessels(vessels);
      return joinWords(
        'changes',
        subject !== '' ? `of ${subject}` : port && `at ${formatPort(port)}`,
        period,
      );
    },
  },
  {
    name: 'stability',
    of: /^watch stability/,
    words: (mentions) => joinWords('stability', subjectOf({ ...mentions, ports: [] })),
  },
  {
    name: 'promise without reference',
    of: /^watch \d{7} due /,
    words: ({ vessels: [imo, ...others], promise }) =>
      imo !== undefined && others.length === 0 && promise !== undefined ? `${imo} due ${promise}` : undefined,
  },
  { name: 'watch', words: subjectIn },
];

/** Who asks which of them does so for those that may break. */
const asksWhich = / (?:which|any|anything|what|safe|risk) /;

function subjectIn(mentions: Mentions): string | undefined {
  return subjectOf({ ...mentions, ports: [] }) ?? portOf(mentions);
}

const ofOthers = / (?:digests?|names?|fleet (?:add|remove)) /;
const tellsUs = / (?:let|tell|notify|alert|ping|warn|inform|message|drop) (?:me|us) /;
/** Its own grammar reads them. */
const rules = /\b(?:below|quiet|only|dry run|arriving|eta \d+ ?h)\b/i;
const forChanges = /^ (?:for|on|any|if|when|alerts?)(?: \S+)? chang/;
const wishesWatch =
  / (?:put|set up|add|create|make|take|start) (?:\S+ ){0,4}?(?:alerts?|watch(?:es)?|watch ?list|alarms?|notifications?) /;

/** `which promises are broken at Rotterdam`, and `remove the promise BK-4403`, which the list does. */
function readPromises({
  vessels,
  ports,
  groups,
  carriers,
  topic,
  text,
  rest,
  periods,
  promise,
}: Mentions): string | undefined {
  const [port, ...otherPorts] = ports;
  const isElse =
    groups.length + carriers.length + otherPorts.length + periods.length > 0 || promise !== undefined;
  const isAsked = topic === 'promises' || (/ promises? /.test(rest) && vessels.length + ports.length > 0);
  if (isElse || !isAsked || /\d{4}/.test(rest)) return undefined;
  const risk = isAtRisk.test(` ${fold(text)} `) ? 'at risk' : '';
  const of = vessels.length > 0 ? `of ${formatVessels(vessels)}` : '';
  return joinWords('promises', risk, of, port && `at ${formatPort(port)}`);
}

/** What is watched or promised; of one vessel, all watches, since its own can't be listed alone. */
function readList(
  { vessels, text, rest, periods }: Mentions,
  topic: BotTopic | undefined,
): string | undefined {
  if (vessels.length === 1 && periods.length === 0 && isWatched.test(rest)) return 'list all';
  if (topic === 'promises') return joinWords('promises', isAtRisk.test(` ${fold(text)} `) ? 'at risk' : '');
  const [place, ...others] = placesIn(text);
  if (topic !== 'watches' || others.length > 0) return undefined;
  return joinWords('list', place ? place.replace(/^of/i, 'in') : formatScope(scopeIn(text)));
}

const isWatched =
  / (?:(?:who|whos|anyone|anybody|someone|somebody)(?: is| else)*(?: already)? (?:watch|follow|monitor|track)(?:e?s|ing)?|(?:are|is) we (?:already )?(?:watching|following|monitoring|tracking)) /;
const isAtRisk =
  / (?:risks?|risky|late|shaky|danger|jeopardy|miss|missed|missing|break|breaking|broken|wont|will not|cant|cannot|slip|slipping|wobbly|endangered|trouble|delayed|overdue|tight|critical|red|fail|bad|dodgy|iffy) /;

/** The changes of vessels or at one port, or all changes if the text names nothing else. */
function readChanges(mentions: Mentions): string | undefined {
  const { vessels, groups, ports, carriers, periods, codes, rest, command } = mentions;
  const [group, ...otherGroups] = groups;
  const [port, ...otherPorts] = ports;
  const [period, ...otherPeriods] = periods;
  const isElse = carriers.length + codes.length + otherGroups.length + otherPeriods.length > 0;
  if (isElse || (group && vessels.length > 0)) return undefined;
  // After its name, its own grammar asks which of the two.
  const hasBoth = vessels.length + groups.length > 0 && port !== undefined;
  if (command === 'watch' && (hasBoth || / (?:mine|my|all|here) /.test(rest))) return undefined;
  const subject = group ? formatVesselGroup(group) : formatVessels(vessels);
  if (subject !== '') return joinWords('changes of', subject, period);
  if (port) return otherPorts.length > 0 ? undefined : joinWords('changes at', formatPort(port), period);
  const isCut = / (?:in|at|of|for|since) $/.test(rest);
  return onlyChanges.test(rest) && !isCut ? joinWords('changes', period) : undefined;
}

/** Nothing that the answer would drop. */
const onlyChanges =
  /^ (?:(?:wh?at|whats|any|anything|something|miss(?:ed)?|do|has|have|s|is|are|did|was|were|all|there|been|the|our|my|on|for|of|with|at|in|to|over|since|i|we|off|out|away|left|me|us|up|catch|vessels?|ships?|watche[sd]|list|etas?|please|pls|show|give|so|far|everything|chang\p{L}*|revis\p{L}*|updated?|new|news|happened|moved?|movements?|slipp?(?:ed)?|shift(?:ed)?|slid|drift(?:ed)?) )+$/u;

/** A promise if there are a destination and a date, but that of a stored reference is its own. */
function readWish({ promise, vessels, references, topic, rest, ...mentions }: Mentions): string | undefined {
  const [imo, ...others] = vessels;
  if (promise !== undefined && references.length + mentions.codes.length > 0) return undefined;
  if (promise !== undefined && imo !== undefined && others.length === 0) return `${imo} due ${promise}`;
  // With a date that can't be read, its own grammar says why.
  if (topic === 'promise' || / due /.test(rest)) return undefined;
  const subject = subjectOf({ vessels, rest, ...mentions });
  const [, hours] = moved.exec(rest) ?? [];
  return subject && joinWords(subject, hours && `eta ${hours}h`);
}

/** `slips by more than 6 hours` */
const moved = / (?:more than|over|by) (\d{1,3}) ?(?:h|hrs?|hours?) /;

type Subject = Pick<Mentions, 'vessels' | 'groups' | 'ports' | 'command' | 'rest' | 'text'>;

function subjectOf({ vessels, groups, ports, command, rest, text }: Subject): string | undefined {
  const [group, ...otherGroups] = groups;
  if (otherGroups.length > 0 || (group && vessels.length > 0)) return undefined;
  const [port, ...otherPorts] = ports;
  const at = otherPorts.length === 0 && port ? formatPort(port) : undefined;
  const subject = group ? formatVesselGroup(group) : formatVessels(vessels);
  if (subject !== '') return joinWords(subject, at && `at ${at}`);
  // In `/watch my shipment to Dubai` the port isn't what is watched.
  const [, word] = whichOne.exec(text) ?? [];
  if (word !== undefined && !at) return word;
  return at && (command === undefined || ofPort.test(rest)) ? `port ${at}` : undefined;
}

/** `the msc one`: the grammar asks which. */
const whichOne = /\b(?:the|that|our) (\S{3,}) (?:one|vessel|ship|boat)\b/i;

const ofPort = / (?:ships|vessels|arrivals|calls|calling|callers) /;

/** To stop watches, or to snooze them if it says for how long. */
function readEnd(mentions: Mentions): string | undefined {
  const { text, rest, command } = mentions;
  const subject =
    subjectOf({ ...mentions, ports: / at /i.test(text) ? mentions.ports : [] }) ?? portOf(mentions);
  if (stopsAll.test(rest)) return joinWords('stop', subject ?? 'all', channelIn(text));
  if (subject === undefined) return undefined;
  const isOfAlerts = command === 'watch' || alertWord.test(rest);
  if (snoozes.test(rest) || quietFor.test(text)) {
    const typed = snoozeIn(text);
    // A date that can be read in two ways is asked about.
    return typed === undefined && command === 'watch'
      ? undefined
      : joinWords('snooze', subject, typed, channelIn(text));
  }
  if (!stops.test(rest) && !(endWord.test(rest) && isOfAlerts)) return undefined;
  if (isConditional.test(rest)) return undefined;
  const snooze = / (?:for|until|till|til) /.test(` ${text} `) ? snoozeIn(text) : undefined;
  return joinWords(snooze === undefined ? 'stop' : 'snooze', subject, snooze, channelIn(text));
}

const portOf = ({ vessels, groups, ports: [port, ...others] }: Mentions): string | undefined =>
  port && vessels.length + groups.length + others.length === 0 ? `port ${formatPort(port)}` : undefined;

/** `stop all alerts please` */
const stopsAll =
  /^ (?:stop|cancel|remove|delete|end)(?: all| every)(?: the| our)? (?:watch|watches|alerts?|notifications?)(?: please| pls| now| here)* $/;

const snoozes = / (?:snooze|mute|silence|be quiet)|^(?: (?:please|pls|can|could|you))* pause /;
const stops =
  / (?:unwatch|unfollow|unsubscribe|shut up|enough (?:about|of)) |^ stop(?: it| the| our| on| for| please| pls| now)* $/;
const endWord =
  / (?:stop|quit|bin|end|cancel|remove|delete|drop|kill|no(?: more| longer| further| need(?: to)?)?|nobody needs|(?:dont|do not) (?:need|want|watch|alert|notify)|(?:take|turn|switch|come|goes) (?:\S+ ){0,8}?off) /;
const alertWord =
  / (?:watch|watches|watching|watch ?list|alerts?|alerting|alarms?|notif\p{L}*|notify|pings?|pinging|bother(?:ing)?|bug(?:ging)?|spam(?:ming)?|texting|messaging|posting|messages|follow|following|track|tracking|monitor|monitoring) /u;

/** A watch is stopped at once. */
const isConditional =
  / (?:dont stop|do not stop|never stop|when|once|after|if|as soon as|unless|except|but) /;

const channelIn = (text: string): string | undefined => /\bin <#[A-Z0-9]+>/i.exec(text)?.[0];

/** As typed: `for 4 hrs`. Undefined also if there are two. */
function snoozeIn(text: string): string | undefined {
  const [found, ...others] = text.split(/[,;]\s+/).flatMap(snoozesIn);
  return others.length === 0 ? found : undefined;
}

function snoozesIn(text: string): string[] {
  const words = text.split(' ');
  for (let count = words.length; count > 0; count -= 1) {
    const typed = words.slice(0, count).join(' ');
    const rest = restOf(typed);
    if (rest !== undefined) return [...snoozesIn(rest), typed.slice(rest.length).trim()];
  }
  return [];
}

function restOf(typed: string): string | undefined {
  const taken = attempt(() => takeSnooze(typed, () => ({ example: '', line: (fixed) => fixed })));
  return taken instanceof UserError ? undefined : taken?.rest;
}
