import { describe, expect, test } from 'vitest';
import { ada, ops } from '../../support/bot.ts';
import { sharedDatabase } from '../../support/bot-database.ts';
import { startSignedSlack } from '../../support/signed-slack.ts';
import { direct } from '../../support/statements/direct.ts';
import { useStarted } from '../../support/use-started.ts';

const slack = useStarted(startSignedSlack);

const field = (element: object) => ({ field: element });
const text = (value: string) => field({ type: 'plain_text_input', value });
const chosen = (value: string) => field({ type: 'static_select', selected_option: { value } });

const digestForm = (formId: string, title: string) => ({
  id: `V${formId}`,
  type: 'modal',
  callback_id: 'form:digest',
  private_metadata: JSON.stringify({
    channelId: ops,
    target: {},
    memo: { edited: null, lineIds: [1], channelId: ops },
    formId,
  }),
  state: {
    values: {
      'line-1': text('usage'),
      days: chosen('weekdays'),
      times: text('08:00'),
      zone: text('UTC'),
      where: chosen('channel'),
      channel: field({ type: 'conversations_select', selected_conversation: ops }),
      news: field({ type: 'checkboxes', selected_options: [] }),
      title: text(title),
    },
  },
});

const submission = (view: object) => ({ type: 'view_submission', ...slack.from(ada), view });

test('a form of a person of another organisation is declined', async () => {
  const theirs = { user: { id: ada, team_id: 'T0ELSEWHERE' } };
  const { body } = await slack.send({ ...submission(digestForm('none', 'Theirs')), ...theirs });
  expect(body).toContain('only answers people in the organisation that installed it');
  expect(await saved()).toEqual([]);
});

const saved = async () => {
  const db = await sharedDatabase();
  const rows = await direct(db).selectFrom('digests').select(['title', 'number']).orderBy('number').execute();
  return rows.map(({ number, title }) => `${number} ${title}`);
};

describe('a form that is submitted again', () => {
  test('in copies of one delivery, at once and later: one digest, and the same answer to each', async () => {
    const delivery = submission(digestForm('one', 'Morning'));
    const first = await Promise.all([slack.send(delivery), slack.send(delivery)]);
    const answers = [...first, await slack.send(delivery)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect(answers[0]?.body).toMatch(/Digest saved.*Morning/s);
    expect(await saved()).toEqual(['1 Morning']);
  });

  test('by a second click: the same digest, as it was submitted last', async () => {
    const [once, twice] = await Promise.all(
      [1, 2].map(() => slack.send(submission(digestForm('two', 'Evening')))),
    );
    expect(once?.body).toMatch(/Digest saved.*Evening/s);
    expect(twice?.body).toMatch(/Digest saved.*Evening/s);
    expect((await slack.send(submission(digestForm('two', 'Night')))).body).toMatch(/Digest saved.*Night/s);
    expect(await saved()).toEqual(['1 Morning', '2 Night']);
  });

  test('after errors: the errors both times, then the digest', async () => {
    const wrong = submission(digestForm('three', 'a "b" c'));
    const [one, other] = await Promise.all([slack.send(wrong), slack.send(wrong)]);
    expect(JSON.parse(one?.body ?? '')).toMatchObject({ response_action: 'errors' });
    expect(other).toEqual(one);
    await slack.send(submission(digestForm('three', 'Noon')));
    expect(await saved()).toEqual(['1 Morning', '2 Night', '3 Noon']);
  });
});
