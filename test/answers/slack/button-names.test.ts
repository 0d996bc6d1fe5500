import { expect, test } from 'vitest';
import { type AnswerActions, watchThese } from '../../../src/answers/answer.ts';
import { limits } from '../../../src/answers/message.ts';
import { toMessage } from '../../../src/answers/slack/render.ts';
import type { Imo } from '../../../src/reference/codes.ts';
import { reader } from '../../support/view-fixtures.ts';

/** The labels of an answer's buttons, with their names for screen readers. */
function namesOf(actions: AnswerActions): Record<string, string | undefined> {
  const answer = { verdict: { strong: ['October: ', { strong: '<1,300> requests' }] }, actions };
  const { blocks } = toMessage(answer, { line: 'usage', reader, lineOf: ({ kind }) => kind });
  const elements = blocks.flatMap((block) => (block.type === 'actions' ? block.elements : []));
  return Object.fromEntries(
    elements.flatMap((each) =>
      each.type === 'button' ? [[each.text.text, each.accessibility_label] as const] : [],
    ),
  );
}

test('a button says to screen readers what it acts on, unless its label does', () => {
  const runs = [
    { label: 'Name it …', line: 'vessel name 9755933' },
    { label: 'Who is coming to Rotterdam', line: 'portcalls NLRTM' },
  ];
  // IMO 9755933 has the right check digit.
  const watch = watchThese(9755933 as Imo);
  expect(namesOf({ about: 'MSC DIANA', watch, runs })).toEqual({
    Watch: 'Watch MSC DIANA',
    Refresh: 'Refresh the answer about MSC DIANA',
    'Name it …': 'Name it: MSC DIANA',
    'Who is coming to Rotterdam': undefined,
    Share: 'Share the answer about MSC DIANA',
  });
});

test('without a subject, the answer is called by its verdict', () => {
  expect(namesOf({ runs: [{ label: 'Earlier', line: 'usage 2026-09' }] })).toEqual({
    Refresh: 'Refresh: October: ‹1,300› requests',
    Earlier: undefined,
    Share: 'Share: October: ‹1,300› requests',
  });
});

test('a long name is within the limit of Slack', () => {
  const { Share: name = '' } = namesOf({ about: 'x'.repeat(200) });
  expect(name).toHaveLength(limits.buttonText);
});
