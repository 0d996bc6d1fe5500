import fc from 'fast-check';
import { expect, it } from 'vitest';
import { percent } from '../../../../src/answers/formatting/words.ts';
import { cardAnswer } from '../../../../src/features/cards/views/card.ts';
import type { AskCtx } from '../../../../src/features/ctx.ts';
import { chooseRules } from '../../../../src/features/rules/registry.ts';
import { drawTop } from '../../../../src/features/watches/home.ts';
import { watchLines } from '../../../../src/features/watches/list-watches.ts';
import { isUndecided } from '../../../../src/predictions/next-port.ts';
import { portName } from '../../../../src/reference/ports.ts';
import { homeText, lineOf, replyMessage } from '../../../support/answer-message.ts';
import { asRead } from '../../../support/message-text.ts';
import { runContext } from '../../../support/run-command.ts';
import { now, reader } from '../../../support/view-fixtures.ts';
import { cypress } from '../../../support/watch-story.ts';
import {
  antwerp,
  at,
  followedSubject,
  names,
  notifiedRotterdam,
  port,
  rotterdam,
  vesselState,
  vesselsState,
  watch,
} from '../../../support/watch-view-fixtures.ts';

const ports = ['NLRTM', 'BEANR', 'DEHAM'].map(port);
const prospect = fc.record({
  port: fc.constantFrom(...ports),
  probability: fc.integer({ min: 1, max: 100 }).map((percents) => percents / 100),
  eta: fc.constantFrom(at('22T07:05'), at('22T20:00')),
});
const ranking = fc
  .uniqueArray(prospect, { selector: ({ port: code }) => code, minLength: 1, maxLength: 3 })
  .map((all) => all.toSorted((one, other) => other.probability - one.probability));
const dispute = fc.record({
  kind: fc.constantFrom('undecided' as const, 'back-and-forth' as const),
  rival: fc.constantFrom(port('BEANR'), port('DEHAM')),
  leader: fc.constantFrom(...ports),
});
const since = { since: now, ledSince: now, was: notifiedRotterdam, port: port('NLRTM'), shown: [] };

it('card, list and Home show the same next port: the likeliest, and a second one if that is undecided', async () => {
  await fc.assert(
    fc.asyncProperty(ranking, fc.option(dispute), async (ranked, open) => {
      const state = vesselsState({
        [cypress]: vesselState({ baseline: notifiedRotterdam, dispute: open && { ...since, ...open } }),
      });
      const one = watch({
        followedSubjects: [followedSubject({ state, latest: new Map([[cypress, ranked]]) })],
      });
      const [first, second] = ranked;
      const rival = ranked.find(
        ({ port: code }) => code === (first?.port === 'NLRTM' ? open?.rival : 'NLRTM'),
      );
      const isDisputed = open && rival && [port('NLRTM'), open.rival].includes(first?.port ?? port('XXXXX'));
      const isEven = second && isUndecided(first?.probability ?? 0, second.probability);
      const other = isDisputed ? rival : isEven ? second : undefined;
      const shown = [first, other].flatMap((call) =>
        call ? [`${portName(call.port)} ${percent(call.probability)}`] : [],
      );
      const words = other ? `DS CYPRESS · Undecided: ${shown.join(' or ')}` : `DS CYPRESS → ${shown[0]}`;
      const [title] = asRead(replyMessage(cardAnswer(one, names, reader))).split(/\. |\n/);
      expect(title?.replace(/^text: (🟠 )?/, '')).toBe(words);
      const [row = ''] = watchLines(one, { scope: 'channel', names, now });
      expect(String(row).replace('🟠 ', '').startsWith(words)).toBe(true);
      const context = {
        ...runContext(),
        now: () => now,
        vessels: { ...runContext().vessels, ...names },
        services: { slack: { messages: {} } } as AskCtx['services'],
        registry: { lineOf } as AskCtx['registry'],
      };
      const top = await drawTop({ watches: [one], alerts: [], moreAlerts: 0 }, context);
      expect(homeText(top)).toContain(` · ${words} · `);
    }),
  );
});

it('the list marks a watch that is cut off, though its last prediction is fine', () => {
  const rowOf = (status: 'active' | 'paused') => {
    const one = followedSubject({ latest: new Map([[cypress, [antwerp]]]) });
    return watchLines(watch({ status, followedSubjects: [one] }), { scope: 'channel', names, now })[0];
  };
  expect(rowOf('active')).toMatch(/^DS CYPRESS/);
  expect(rowOf('paused')).toMatch(/^🟠 DS CYPRESS/);
});

it('the list marks a due date at risk, and says why', () => {
  const due = [{ port: port('BEANR'), at: at('22T06:30') }];
  const rowsOf = (...ranked: { port: (typeof ports)[number]; probability: number; eta: Date }[]) => {
    const one = followedSubject({ latest: new Map([[cypress, ranked]]) });
    return watchLines(watch({ rules: chooseRules({ due }), followedSubjects: [one] }), {
      ...{ scope: 'channel', names, now },
    });
  };
  const antwerpThen = (probability: number, hour: string) => ({ ...antwerp, probability, eta: at(hour) });
  expect(rowsOf(rotterdam, antwerpThen(0.15, '22T05:00')).slice(0, 2)).toEqual([
    expect.stringMatching(/^🔴 DS CYPRESS → Rotterdam 82%/),
    'Antwerp by Sun 22 Nov 07:30 LT (06:30 UTC): 🔴 at risk, Rotterdam is likelier (82%)',
  ]);
  expect(rowsOf(antwerpThen(0.8, '22T07:05')).slice(0, 2)).toEqual([
    expect.stringMatching(/^🟠 DS CYPRESS → Antwerp 80%/),
    'Antwerp by Sun 22 Nov 07:30 LT (06:30 UTC): 🟠 35 min late',
  ]);
  expect(rowsOf(antwerpThen(0.8, '22T05:00')).join()).not.toContain('by Sun');
});
