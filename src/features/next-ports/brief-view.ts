import type { Prediction } from '../../analytics/answers.ts';
import { actionIds, formActionId } from '../../messages/action-ids.ts';
import { sections } from '../../messages/blocks.ts';
import { withoutYourTime } from '../../messages/formatting/times.ts';
import { withoutButtons } from '../../messages/frame/answer-actions.ts';
import { answerMessage } from '../../messages/frame/answer-message.ts';
import type { Message, Reader } from '../../messages/message.ts';
import { portAndPercent, timeOf, zoneNotes } from './call-words.ts';
import { firstLine, verdictOf } from './verdict.ts';
import { isListed, type NextPortsAnswer, noPrediction, notesOn } from './view.ts';

/** Those of the frame, and of an answer without predictions. */
const otherButtons = [actionIds.share, actionIds.run(0), formActionId('name')];

/** The verdict has the first port, or the first two. */
const maxPorts = 3;

/** The answer in a few lines, such as under a link: no table, and no button but Refresh. */
export function nextPortsBrief(answer: NextPortsAnswer, reader: Reader): Message {
  return withoutButtons(fullBrief(answer, reader), otherButtons);
}

function fullBrief(answer: NextPortsAnswer, reader: Reader): Message {
  const { vessel, predictions, line } = answer;
  const [first, second] = predictions;
  if (first === undefined) return noPrediction(answer, reader);
  const verdict = verdictOf(vessel, { first, second }, reader.now);
  const { text, mrkdwn } = firstLine(verdict, reader);
  const shown = predictions.filter(isListed(first)).slice(0, maxPorts);
  const others = shown.filter((prediction) => !verdict.said.includes(prediction));
  const more = predictions.length - shown.length;
  return answerMessage(
    {
      text: [text, ...others.map((other) => `or ${inBrief(other, reader.now)}`)].join('; '),
      body: sections([withoutYourTime(mrkdwn), ...others.map((other) => inBrief(other, reader.now))]),
      firstNotes: more > 0 ? [`${more} more`] : [],
      notes: [...notesOn(answer, first.port), ...zoneNotes(shown)],
      provenance: answer,
      actions: { line },
    },
    reader,
  );
}

/** `Antwerp 12% · Tue 24 Nov 04:00 LT · in 1 d 3 h`, escaped. */
const inBrief = (prediction: Prediction, now: Date): string =>
  [portAndPercent(prediction), ...timeOf(prediction, now)].join(' · ');
