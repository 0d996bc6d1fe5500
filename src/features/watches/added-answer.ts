import { isDeepStrictEqual } from 'node:util';
import { millisecondsInDay } from 'date-fns/constants';
import { z } from 'zod';
import type { Answer, AnswerButton } from '../../answers/answer.ts';
import { fullDate } from '../../answers/formatting/times.ts';
import { capitalised, counted, vesselShort } from '../../answers/formatting/words.ts';
import { clip, joinWithin, limits } from '../../answers/message.ts';
import type { Press } from '../../answers/slack/notices.ts';
import { forAsker, forMembers, type Text } from '../../answers/text.ts';
import { formatListName } from '../../grammar/vessel.ts';
import { rankByVessel } from '../../predictions/next-port.ts';
import { portName } from '../../reference/ports.ts';
import { linesOf } from '../cards/index.ts';
import { type AskCtx, knownVessel } from '../ctx.ts';
import { editButton, placeInWords } from '../owned/index.ts';
import {
  type Estimate,
  titleAtStart,
  type WatchWithSubjects,
  watchActionIds,
  watchedPort,
} from '../polling/index.ts';
import {
  activeInWords,
  droppedRulesInWords,
  limitsInWords,
  type Rules,
  rulesInBrief,
  rulesInWords,
  type Snooze,
  watchRules,
} from '../rules/index.ts';
import { type AddedWatch, type AddValues, addWatch, type WatchRequest } from './add-watch.ts';
import type { ChangeQuestion } from './button-values.ts';
import { changeQuestion, snoozeFor, undoButton } from './change-answers.ts';
import { daily } from './list-watches.ts';
import { watchKind } from './watch-store.ts';
import { formatWatchSubject, parseWatchSubject } from './words/subject.ts';

type How = 'added' | 'changed' | 'same' | 'would-be-added';

interface WatchAdded {
  how: How;
  request: WatchRequest;
  rules: Rules;
  estimate: Estimate;
  /** The former rules of a watch that was changed. */
  before?: Rules;
  snooze?: Snooze | null;
  /** Omitted if the watch is the person's own. */
  ownerId?: string;
  /** Set if the watch is stored. */
  watchId?: string;
  /** The value of an Undo button. */
  undo?: string;
  /** Set after a dry run that a line has asked for: the lines that save the watch, or a watch of a list instead. */
  save?: { line: string; asList: (name: string) => string };
}

/** Adds a watch, or asks before it changes somebody else's. `privately`: the line that watches it for the person alone. */
export async function addAnswer(
  values: AddValues,
  ctx: AskCtx,
  { privately }: { privately?: string } = {},
): Promise<Answer> {
  const { request, added } = await addWatch(values, ctx);
  return added.kind === 'question'
    ? changeQuestion(added, { now: ctx.now(), privately })
    : savedAnswer(request, added, ctx);
}

/** The answer to a request that was saved. */
export function savedAnswer(
  request: WatchRequest,
  added: Exclude<AddedWatch, ChangeQuestion>,
  ctx: AskCtx,
): Answer {
  const { watch, estimate, kind: how } = added;
  return addedAnswer(
    {
      ...{ how, request, estimate, rules: watch.rules, snooze: watch.snooze, watchId: watch.id },
      ...(added.kind === 'changed' && { before: added.before }),
      ...(watch.ownerId !== ctx.actor.userId && { ownerId: watch.ownerId }),
      ...(added.kind !== 'same' && { undo: added.undo }),
    },
    ctx,
  );
}

/** The answer to a dry run. Without `save`, it has no buttons: closing the window shows the form again. */
export const previewAnswer = (
  { save, ...previewed }: Pick<WatchAdded, 'request' | 'estimate'> & { save?: WatchAdded['save'] },
  ctx: AskCtx,
): Answer =>
  addedAnswer(
    {
      ...{ how: 'would-be-added', ...previewed, rules: previewed.request.rules },
      ...(save && { save }),
    },
    ctx,
  );

/**
 * What is watched, and what it costs, in one line; small print only for what somebody would regret not knowing. The form
 * behind Edit shows when it notifies, and so does a preview.
 */
export function addedAnswer(added: WatchAdded, ctx: AskCtx): Answer {
  const { how, request, rules, undo, watchId, snooze, estimate } = added;
  const about = aboutOf(added, ctx);
  const isPreview = how === 'would-be-added';
  const notices: Text[] = [
    ...ownerNote(added),
    ...changeNotes(added, about),
    ...(snooze ? [`It is snoozed ${snoozeFor(snooze, ctx)}, and notifies nobody meanwhile`] : []),
    ...overlapNote(added, about),
    ...unknownNote(added, about),
  ];
  return {
    verdict: {
      strong: headings[how](clip(request.title, 150), about.place),
      rest: isPreview ? `. ${previewOf(rules, about).first}` : costNote(added),
      lines: [
        ...(isPreview ? [...previewOf(rules, about).lines, ...fleetNote(about)] : []),
        ...dueNotes(added, about),
      ],
    },
    firstNotes: [
      ...notices,
      ...(isPreview
        ? [...pastAlertsNote(estimate, about), ...previewCost(added)]
        : chosenRules(added, about)),
      ...budgetNote(added),
    ],
    notes: listNote(added, about),
    actions: {
      about: request.title,
      runs: [
        ...(watchId === undefined ? [] : [editButton(watchKind, watchId)]),
        ...undoButton(undo),
        ...saveButtons(added),
      ],
    },
    outcome: {
      outcome: how,
      watch: request.title,
      rules: rulesInWords(rules, about),
      callsPerMonth: Math.round(estimate.callsPerMonth),
    },
  };
}

type About = ReturnType<typeof aboutOf>;

function aboutOf({ request }: WatchAdded, { place, vessels, now }: AskCtx) {
  const { channelId, destination, fleet, condition, subjects } = request;
  // A personal watch (destination `response`) is stored in the person's direct message.
  const isPersonal = destination === 'response';
  const isHere =
    !place?.isElsewhere &&
    (isPersonal ? place?.destination === 'direct-message' : channelId === place?.channelId);
  const elsewhere: Text = isPersonal
    ? 'for you alone, in your direct message with Landfall'
    : ['in ', { channel: channelId }];
  return {
    now: now(),
    vessels,
    isPort: watchedPort(request) !== undefined,
    isFleet: fleet !== null,
    /** Of a list or a port: 1. */
    vesselCount: condition?.imos?.length ?? subjects.length,
    place: isHere ? 'here' : elsewhere,
  };
}

const headings: Record<How, (title: string, place: Text) => Text> = {
  added: (title, place) => [`Watching ${title} `, place],
  changed: (title, place) => [
    `${titleAtStart(title)} is already watched `,
    place,
    '; its rules have changed',
  ],
  same: (title, place) => [`${titleAtStart(title)} is already watched `, place],
  'would-be-added': (title, place) => [`Nothing saved: this would watch ${title} `, place],
};

/** When it would post, as a list. */
function previewOf(rules: Rules, context: { now: Date; isPort: boolean }) {
  const limited = capitalised(limitsInWords(rules, context).join('; '));
  return {
    first: "I'd post in its thread when:",
    lines: [
      ...activeInWords(rules, context).map((word) => `• ${word}`),
      ...(limited === '' ? [] : [`${limited}.`]),
    ],
  };
}

/** The rules of a new watch that has others than the usual ones, so that one sees that they were understood. */
function chosenRules({ how, rules }: WatchAdded, about: About): string[] {
  const isUsual = [true, false].some((isOneVessel) =>
    isDeepStrictEqual(rules, watchRules.defaultsFor({ isOneVessel })),
  );
  return how !== 'added' || isUsual ? [] : [capitalised(rulesInBrief(rules, about).join('; '))];
}

/** The answer to an edit. `undo` is omitted if nothing was changed. */
export function editedAnswer({
  watch,
  undo,
  newOwnerId,
}: {
  watch: WatchWithSubjects;
  undo?: string;
  newOwnerId?: string;
}): Answer {
  const handedOver: Text = newOwnerId === undefined ? '' : ['. Handed over to ', { person: newOwnerId }];
  return {
    verdict: {
      strong: [
        `The watch of ${clip(watch.title, 150)} in `,
        placeInWords(watch),
        undo === undefined ? ' already has these rules' : ' has changed',
      ],
      rest: handedOver,
    },
    actions: { about: watch.title, runs: [editButton(watchKind, watch.id), ...undoButton(undo)] },
  };
}

function ownerNote({ how, ownerId, before, rules }: WatchAdded): Text[] {
  if (ownerId === undefined) return [];
  const isNotified = how === 'changed' && before !== undefined && !isDeepStrictEqual(before, rules);
  const notified = isNotified ? ', who is notified of the change' : '';
  return [forAsker(['It is the watch of ', { person: ownerId }, notified])];
}

/** What a change has switched on and off. */
function changeNotes({ before, rules: after }: WatchAdded, about: About): string[] {
  if (before === undefined) return [];
  const begun = droppedRulesInWords({ before: after, after: before }, about);
  const dropped = droppedRulesInWords({ before, after }, about);
  return [
    ...(begun.length === 0 ? [] : [`New: ${begun.join('; ')}`]),
    ...(dropped.length === 0 ? [] : [`No longer: ${dropped.join('; ')}`]),
    `Now in all: ${rulesInBrief(after, about).join('; ')}`,
  ];
}

function fleetNote({ isFleet, vesselCount }: About): string[] {
  if (!isFleet) return [];
  return [`It follows the fleet, ${counted(vesselCount, 'vessel')} now, as vessels are added or removed.`];
}

const isNew = ({ how }: Pick<WatchAdded, 'how'>): boolean => how === 'added' || how === 'would-be-added';

function overlapNote(added: WatchAdded, { place, vesselCount, vessels }: About): Text[] {
  const { overlaps } = added.estimate;
  if (overlaps.length === 0 || !isNew(added)) return [];
  const others = overlaps.map(({ title, imos, ports }) => {
    const shared = [...imos.map((imo) => vesselShort(knownVessel(imo, vessels))), ...ports.map(portName)];
    const names = vesselCount === 1 ? [] : shared;
    const by = `by the watch of ${clip(title, 100)}`;
    return names.length === 0 ? by : `${joinWithin(names, ', ', 300)} ${by}`;
  });
  const which = joinWithin(others, '; ', 1_500);
  const effect = 'both threads are notified, and the channel sees each change once';
  return [['Already watched ', place, `${vesselCount === 1 ? '' : ':'} ${which}; ${effect}`]];
}

function unknownNote({ estimate }: WatchAdded, { vesselCount }: About): string[] {
  const names = estimate.answers.flatMap(({ subject, answer }) =>
    subject.kind === 'vessel' && answer.predictions.length === 0 ? [`IMO ${subject.imo}`] : [],
  );
  if (names.length === 0) return [];
  const which = vesselCount === 1 ? 'it' : joinWithin(names, ', ', 500);
  return [`The service has no prediction for ${which} now; you will be notified when there is one`];
}

/** Alerts report only changes, so how a due date stands from the start is reported here. */
function dueNotes({ estimate, rules }: WatchAdded, { vessels, now }: About): string[] {
  const [asked] = estimate.answers;
  if (asked?.subject.kind !== 'vessel') return [];
  const { imo } = asked.subject;
  const ranked = rankByVessel(asked.answer.predictions).get(imo) ?? [];
  const promises = rules.due.map((due) => ({ imo, due }));
  const shown = { vessels: new Map([[imo, { ranked }]]), names: vessels, above: 'vessel' as const, now };
  const standing = linesOf(promises, shown).map(({ line }) => `${line}.`);
  return standing.length === 0 ? [] : [joinWithin(standing, ' ', 1_000)];
}

const lookBackDays = 30;

function pastAlertsNote({ past }: Estimate, { now }: About): string[] {
  if (!past) return [];
  const { replies, since, coverage } = past;
  const days = (now.getTime() - since.getTime()) / millisecondsInDay;
  if (days < 1) return ['There is no history yet to say how many alerts these rules would have sent'];
  const alerts = replies === 0 ? 'no alerts' : counted(replies, 'alert');
  const span =
    Math.round(days) >= lookBackDays - 1
      ? `in the past ${lookBackDays} days`
      : `since ${fullDate(since, 'UTC')}, when it was first polled`;
  const counting = coverage ? ` (counting ${coverage.polled} of its ${coverage.all} vessels)` : '';
  return [`With these rules you'd have had ${alerts} ${span}${counting}`];
}

/** ` · about 1,100 API calls a month`. People of other organisations see no costs. */
function costNote(added: WatchAdded): Text {
  const { callsPerMonth } = added.estimate;
  if (!isNew(added)) return '';
  return forMembers(
    callsPerMonth === 0
      ? ' · no extra API calls'
      : ` · about ${callsPerMonth.toLocaleString('en')} API calls a month`,
  );
}

function previewCost(added: WatchAdded): Text[] {
  const { callsPerMonth } = added.estimate;
  const cost = `Uses about ${callsPerMonth.toLocaleString('en')} API calls a month`;
  return isNew(added) ? [forMembers(callsPerMonth === 0 ? 'No extra API calls' : cost)] : [];
}

/** In a preview, and if the watch is too much for the budget. */
function budgetNote(added: WatchAdded): Text[] {
  const { callsPerMonth, plan } = added.estimate;
  const { plannedCalls, dailyCalls } = plan;
  if (dailyCalls === undefined || callsPerMonth === 0 || !isNew(added)) return [];
  const after = plannedCalls + callsPerMonth / 30;
  if (added.how === 'added' && after <= dailyCalls) return [];
  const planned = `With it, ${daily(after)} of a budget of ${daily(dailyCalls)} calls a day are planned`;
  return [forMembers(`${planned}${after > dailyCalls ? ', so all watches are polled less often' : ''}`)];
}

/** What a list of the provider would use, which is polled with one request for all its vessels. */
function listNote(added: WatchAdded, { vessels }: About): Text[] {
  const { asList } = added.estimate;
  if (!isNew(added) || !asList) return [];
  const { name, callsPerMonth, missing, others } = asList;
  const calls = callsPerMonth === 0 ? 'none' : `about ${callsPerMonth.toLocaleString('en')}`;
  if (name === undefined)
    return [
      forMembers(
        `The provider can set up a list of these vessels; watched as a list they would use ${calls}`,
      ),
    ];
  const without = missing.map((imo) => vesselShort(knownVessel(imo, vessels)));
  const differences = [
    ...(without.length === 0 ? [] : [`without ${joinWithin(without, ', ', 300)}`]),
    ...(others === 0 ? [] : [`with ${counted(others, 'other vessel')}`]),
  ];
  const which = differences.length === 0 ? '' : ` (${differences.join(', ')})`;
  return [forMembers(`As list ${name}${which} it would use ${calls}`)];
}

/** What a preview saves, or the list that would use fewer calls. */
function saveButtons({ how, watchId, save, estimate }: WatchAdded): AnswerButton[] {
  const { name } = estimate.asList ?? {};
  const label = clip(`Watch ${formatListName(name ?? '')} instead`, limits.buttonText);
  return [
    ...(save ? [{ label: 'Watch it', line: save.line }] : []),
    ...(save && name !== undefined ? [{ label, line: save.asList(name) }] : []),
    ...(watchId !== undefined && name !== undefined && how === 'added'
      ? [{ label, press: watchActionIds.asList, value: `${watchId} ${name}` }]
      : []),
  ];
}

/** The value of a button that adds the watch of a form, whose rules no line can hold. */
const addedAgain = z.object({
  /** As it is typed. */
  subject: z.string(),
  rules: watchRules.rules,
  channelId: z.string().optional(),
  isPersonal: z.boolean().optional(),
});

/** The buttons of the question whether outsiders may see the watch of a form. */
export function addButtons({ subject, rules, channelId }: AddValues): { again: Press; toMe: Press } {
  const press = (place: { channelId?: string | undefined; isPersonal?: true }): Press => {
    const value: z.infer<typeof addedAgain> = { subject: formatWatchSubject(subject), rules, ...place };
    return { id: watchActionIds.add, value: JSON.stringify(value) };
  };
  return { again: press({ channelId }), toMe: press({ isPersonal: true }) };
}

/** Adds the watch of such a button. */
export async function addAgain(value: string, ctx: AskCtx): Promise<Answer> {
  const { subject: typed, ...values } = addedAgain.parse(JSON.parse(value));
  const help = { line: (fixed: string) => `watch ${fixed}`, example: 'watch 9461477', vessels: ctx.vessels };
  return await addAnswer({ ...values, subject: parseWatchSubject(typed, help) }, ctx);
}
