import { attempt, UserError } from '../../errors.ts';
import { joinWords } from '../../grammar/line.ts';
import type { Mentions } from '../../grammar/mentions.ts';
import { formatPort } from '../../grammar/port.ts';
import { formatVesselGroup, formatVessels } from '../../grammar/vessel.ts';
import { fold } from '../../reference/nearest.ts';
import { type BotTopic, botTopicOf, placesIn } from '../bot-topics.ts';
import { formatScope, scopeIn } from '../history/index.ts';
import { beginsAsQuestion, politely } from '../question-words.ts';
import { takeSnooze } from './words/snooze.ts';

/** What has changed; a wish to be alerted, or not any more, whose line is offered, since a text never changes anything. */
export function readText(mentions: Mentions): string | undefined {
  const { topic, text, rest } = mentions;
  const botTopic = botTopicOf(mentions);
  if (botTopic === 'audit') return undefined;
  const listed = readList(mentions, botTopic);
  if (listed !== undefined) return listed;
  if (topic === 'changes') return readChanges(mentions);
  if (topic !== 'wish' && topic !== 'manage') return undefined;
  const subject = subjectOf(mentions);
  if (topic === 'wish') return subject;
  if (beginsAsQuestion.test(text) || / (?:digests?|names?) /.test(rest)) return undefined;
  if (stopsAll.test(rest)) return joinWords('stop', subject ?? 'all', channelIn(text));
  if (subject === undefined) return undefined;
  if (snoozes.test(text)) return joinWords('snooze', subject, snoozeIn(text), channelIn(text));
  if (!stops.test(rest) && !(endWord.test(rest) && alertWord.test(rest))) return undefined;
  if (isConditional.test(rest)) return undefined;
  const snooze = / (?:for|until|till|til) /.test(` ${text} `) ? snoozeIn(text) : undefined;
  return joinWords(snooze === undefined ? 'stop' : 'snooze', subject, snooze, channelIn(text));
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
  / (?:risks?|risky|late|shaky|danger|jeopardy|miss|missed|missing|break|breaking|broken|slip|slipping|wobbly|endangered|trouble|delayed|overdue|tight|critical|red|fail|bad) /;

/** The changes of vessels or at one port, or all changes if the text names nothing else. */
function readChanges(mentions: Mentions): string | undefined {
  const { vessels, groups, ports, carriers, periods, codes, rest } = mentions;
  const [group, ...otherGroups] = groups;
  const [port, ...otherPorts] = ports;
  const [period, ...otherPeriods] = periods;
  const isElse = carriers.length + codes.length + otherGroups.length + otherPeriods.length > 0;
  if (isElse || (group && vessels.length > 0)) return undefined;
  const subject = group ? formatVesselGroup(group) : formatVessels(vessels);
  if (subject !== '') return joinWords('changes of', subject, period);
  if (port) return otherPorts.length > 0 ? undefined : joinWords('changes at', formatPort(port), period);
  return onlyChanges.test(rest) ? joinWords('changes', period) : undefined;
}

/** Nothing that the answer would drop. */
const onlyChanges =
  /^ (?:(?:what|whats|anything|something|has|have|s|is|are|did|any|all|there|been|the|our|my|on|for|of|with|at|in|to|vessels?|ships?|watche[sd]|watched|list|please|pls|show|me|us|give|chang\p{L}*|new|happened) )+$/u;

function subjectOf({ vessels, groups: [group], ports: [port, ...otherPorts] }: Mentions): string | undefined {
  const at = otherPorts.length === 0 && port ? formatPort(port) : undefined;
  const subject = group ? formatVesselGroup(group) : formatVessels(vessels);
  if (subject !== '') return joinWords(subject, at && `at ${at}`);
  return at && `port ${at}`;
}

/** `stop all alerts please` */
const stopsAll =
  /^ (?:stop|cancel|remove|delete|end)(?: all| every)(?: the| our)? (?:watch|watches|alerts?|notifications?)(?: please| pls| now| here)* $/;

const snoozes = new RegExp(`^${politely}(?:snooze|mute|silence|pause)\\b`, 'i');
const stops = / (?:unwatch|unfollow) |^ stop(?: the| our| on| for| please| pls| now)* $/;
const endWord =
  / (?:stop|end|cancel|remove|delete|drop|no more|no longer|(?:dont|do not) (?:need|want|watch|alert|notify)) /;
const alertWord =
  / (?:watch|watches|watching|alerts?|alerting|alarms?|notif\p{L}*|notify|follow|following|track|tracking|monitor|monitoring) /u;

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
