import { describe, expect, test } from 'vitest';
import { registry } from '../../../src/features/index.ts';
import type { WatchWithSubjects } from '../../../src/features/polling/watch-list.ts';
import { promptsOf } from '../../../src/features/watches/own-prompts.ts';
import { parseLine } from '../../support/registry.ts';
import { runContext } from '../../support/run-command.ts';
import { now } from '../../support/view-fixtures.ts';
import { cypress, diana, given } from '../../support/watch-story.ts';
import {
  at,
  followedSubject,
  names,
  port,
  rotterdam,
  vesselState,
  vesselsState,
  watch,
} from '../../support/watch-view-fixtures.ts';

/** A watch of one vessel that is predicted at Rotterdam. */
const due = (vessel: typeof cypress, eta: Date | null, more: Partial<WatchWithSubjects> = {}) =>
  watch({
    followedSubjects: [
      followedSubject({
        subject: { kind: 'vessel', imo: vessel },
        state: vesselsState({ [vessel]: vesselState({ baseline: { ...rotterdam, eta, at: now } }) }),
      }),
    ],
    ...more,
  });

const ofPort = (code: string, condition: WatchWithSubjects['condition'] = null) =>
  watch({
    condition,
    followedSubjects: [followedSubject({ subject: { kind: 'port', port: port(code) }, state: null })],
  });

/** What is suggested to somebody with these watches. */
async function prompts(...watches: readonly WatchWithSubjects[]): Promise<string[]> {
  const context = runContext();
  const own = promptsOf(watches, { now: () => now, vessels: { ...context.vessels, ...names }, registry });
  for (const { line } of own)
    expect(parseLine(line, { vessels: context.vessels })).toMatchObject({ line, repeatable: true });
  return own.map(({ title, line }) => `${title} ${line}`);
}

const changes = 'What changed today? watch changes';

describe('the questions that are suggested to a person', () => {
  test('nothing of their own without watches, or if all have ended', async () => {
    expect(await prompts()).toEqual([]);
    expect(await prompts(due(cypress, at('22T14:05'), { status: 'ended' }))).toEqual([]);
  });

  test('the two vessels that are due next, each once, and what changed', async () => {
    const later = due(diana, at('24T06:00'));
    const sooner = due(cypress, at('22T14:05'));
    const unknown = due(given, null);
    expect(await prompts(unknown, later, sooner, due(cypress, at('22T14:05')))).toEqual([
      'Where is DS CYPRESS? nextport 9461477',
      'Where is MSC DIANA? nextport 9755933',
      changes,
    ]);
  });

  test('a vessel whose ETA has passed comes after those that are yet to come', async () => {
    const past = due(cypress, at('21T05:05'));
    expect(await prompts(past, due(diana, at('24T06:00')))).toEqual([
      'Where is MSC DIANA? nextport 9755933',
      'Where is DS CYPRESS? nextport 9461477',
      changes,
    ]);
  });

  test('a vessel without a name by its number', async () => {
    expect(await prompts(due(given, null))).toEqual(['Where is IMO 9811000? nextport 9811000', changes]);
  });

  test('one port; and of vessels that are watched at a port, the vessels', async () => {
    expect(await prompts(ofPort('NLRTM'), ofPort('BEANR'))).toEqual([
      'Who is coming to Rotterdam? portcalls NLRTM',
      changes,
    ]);
    expect(await prompts(ofPort('NLRTM', { port: port('NLRTM'), imos: [diana] }))).toEqual([
      'Where is MSC DIANA? nextport 9755933',
      changes,
    ]);
  });
});
