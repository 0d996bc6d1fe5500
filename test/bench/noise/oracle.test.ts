import { describe, expect, test } from 'vitest';
import { checkDiversions, type Notice, type RawPoll } from '../../../bench/noise/oracle.ts';
import { hour, type Ports, predictions } from '../../support/watch-story.ts';

const poll = (hours: number, ports: Ports): RawPoll => ({ at: hour(hours), ports: predictions(ports) });

/** `diverted NLRTM`, `other NLRTM`, `dispute NLRTM DEHAM`, or `back NLRTM DEHAM`: back to the first, and disputed. */
function notice(hours: number, text: string): Notice {
  const [kind, ...names] = text.split(' ');
  const ports = predictions(Object.fromEntries(names.map((name) => [name, 1]))).map(({ port }) => port);
  const [port] = ports;
  if (kind === 'dispute') return { at: hour(hours), kind, ports };
  if (kind === 'back' && port) return { at: hour(hours), kind: 'dispute', ports, leader: port };
  if ((kind !== 'diverted' && kind !== 'other') || !port) throw new Error(`not a notice: ${text}`);
  return { at: hour(hours), kind, port };
}

/** `NLRTM to DEHAM: late`; a reply about a diversion that the polls do not show is `unfounded DEHAM`. */
function check(polls: readonly RawPoll[], notices: readonly Notice[] = []): string[] {
  const { diversions, unfounded } = checkDiversions(polls, notices);
  return [
    ...diversions.map(({ from, to, verdict }) => `${from} to ${to}: ${verdict}`),
    ...unfounded.map((reply) => `unfounded ${reply.kind === 'dispute' ? reply.leader : reply.port}`),
  ];
}

const rotterdam = { NLRTM: [0.6, 100], DEHAM: [0.3, 120] } as const;
const hamburg = { NLRTM: [0.42, 100], DEHAM: [0.45, 120] } as const;
const clearlyHamburg = { NLRTM: [0.3, 100], DEHAM: [0.6, 120] } as const;
const antwerp = { NLRTM: [0.2, 100], BEANR: [0.5, 110], DEHAM: [0.3, 120] } as const;

describe('another port leads', () => {
  const polls = [poll(0, rotterdam), poll(1, hamburg), poll(2, hamburg), poll(3, hamburg), poll(30, hamburg)];

  test('in time: a reply at the second poll, or sooner', () => {
    expect(check(polls, [notice(2, 'diverted DEHAM')])).toEqual(['NLRTM to DEHAM: in time']);
    const clear = [poll(0, rotterdam), poll(1, clearlyHamburg), poll(2, clearlyHamburg)];
    expect(check(clear, [notice(1, 'diverted DEHAM')])).toEqual(['NLRTM to DEHAM: in time']);
    expect(check(clear.slice(0, 2), [notice(1, 'diverted DEHAM')])).toEqual([]);
  });

  test('late: a reply at the third poll, or none until the polls end', () => {
    expect(check(polls, [notice(3, 'diverted DEHAM')])).toEqual(['NLRTM to DEHAM: late']);
    expect(check(polls.slice(0, 4))).toEqual(['NLRTM to DEHAM: late']);
  });

  test('missed: no reply within a day, or one that names another port', () => {
    expect(check(polls)).toEqual(['NLRTM to DEHAM: missed']);
    expect(check(polls, [notice(30, 'diverted DEHAM')])).toEqual(['NLRTM to DEHAM: missed']);
    expect(check(polls, [notice(2, 'diverted BEANR')])).toEqual([
      'NLRTM to DEHAM: missed',
      'BEANR to DEHAM: late',
      'unfounded BEANR',
    ]);
  });

  test('missed, even if the baseline leads again meanwhile', () => {
    const back = [...polls.slice(0, 3), poll(3, rotterdam), poll(40, rotterdam)];
    expect(check(back)).toEqual(['NLRTM to DEHAM: missed']);
  });

  test('not in one poll alone, nor in two that are apart, nor by nothing', () => {
    const apart = [poll(0, rotterdam), poll(1, hamburg), poll(2, rotterdam), poll(3, hamburg)];
    expect(check([...apart, poll(40, rotterdam)])).toEqual([]);
    const equal = { NLRTM: [0.45, 100], DEHAM: [0.45, 90] } as const;
    expect(check([poll(0, rotterdam), poll(1, equal), poll(2, equal), poll(40, equal)])).toEqual([]);
  });

  test('two ports in two polls: the second is to be named', () => {
    const two = [poll(0, rotterdam), poll(1, hamburg), poll(2, antwerp), poll(40, rotterdam)];
    expect(check(two, [notice(2, 'diverted BEANR')])).toEqual(['NLRTM to BEANR: in time']);
    expect(check(two, [notice(2, 'diverted DEHAM')])).toEqual(['NLRTM to BEANR: missed', 'unfounded DEHAM']);
  });

  test('a further port that takes the lead is a diversion of its own', () => {
    const further = [...polls.slice(0, 3), poll(3, antwerp), poll(4, antwerp), poll(40, antwerp)];
    expect(check(further)).toEqual(['NLRTM to DEHAM: missed', 'NLRTM to BEANR: missed']);
    expect(check(further, [notice(2, 'diverted DEHAM'), notice(4, 'diverted BEANR')])).toEqual([
      'NLRTM to DEHAM: in time',
      'DEHAM to BEANR: in time',
    ]);
  });

  test('not once the ETA of the baseline has passed', () => {
    expect(check([poll(0, rotterdam), poll(101, hamburg), poll(102, hamburg), poll(140, hamburg)])).toEqual(
      [],
    );
  });

  test('aliases are one port', () => {
    const [one, other] = ['CNSHA', 'CNSGH'];
    const shanghai = (port: string): Ports => ({ [port]: [0.6, 100], CNNGB: [0.4, 90] });
    expect(check([poll(0, shanghai(one)), poll(1, shanghai(other)), poll(2, shanghai(other))])).toEqual([]);
  });
});

describe('the baseline leaves the list', () => {
  const next = { DEHAM: [0.9, 120] } as const;
  const left = (hoursBeforeEta: number) => {
    const at = 100 - hoursBeforeEta;
    return [poll(0, rotterdam), poll(at, next), poll(at + 0.5, next), poll(at + 60, next)];
  };

  test('long before its ETA, and up to 3 h before: a diversion', () => {
    expect(check(left(50))).toEqual(['NLRTM to DEHAM: missed']);
    expect(check(left(3))).toEqual(['NLRTM to DEHAM: missed']);
    expect(check(left(3), [notice(97, 'diverted DEHAM')])).toEqual(['NLRTM to DEHAM: in time']);
    expect(check(left(3), [notice(97.5, 'diverted DEHAM')])).toEqual(['NLRTM to DEHAM: in time']);
  });

  test('shortly before its ETA, or after it: the next leg, without a word', () => {
    expect(check(left(2.9))).toEqual([]);
    expect(check(left(-5))).toEqual([]);
    expect(check(left(-5), [notice(105, 'diverted DEHAM')])).toEqual(['unfounded DEHAM']);
    expect(check(left(-5), [notice(105, 'other DEHAM')])).toEqual([]);
  });

  test('the next leg is the baseline of what follows', () => {
    const moved = { DEHAM: [0.4, 120], BEANR: [0.5, 110] } as const;
    const polls = [poll(0, rotterdam), poll(99, next), poll(100, moved), poll(101, moved), poll(130, moved)];
    expect(check(polls)).toEqual(['DEHAM to BEANR: missed']);
  });

  test('the reason depends on when it left, not on the second poll', () => {
    const { diversions } = checkDiversions(left(12.2), []);
    expect(diversions.map(({ reason }) => reason)).toEqual(['left the list']);
    expect(checkDiversions(left(12), []).diversions[0]?.reason).toBe('left the list near its ETA');
  });
});

describe('a dispute', () => {
  const dispute = notice(1, 'dispute NLRTM DEHAM');
  const polls = [poll(0, rotterdam), poll(1, hamburg), poll(4, hamburg), poll(6.5, hamburg)];

  test('covers a diversion to the other of its ports, and says for how long', () => {
    const { diversions } = checkDiversions([...polls, poll(6.8, rotterdam)], [dispute]);
    expect(diversions).toMatchObject([{ verdict: 'disputed', coveredByDispute: true }]);
    expect(diversions[0]?.coveredHours).toBeCloseTo(2.8);
  });

  test('until that port has led for 6 h: then a reply is due at once', () => {
    const settled = [...polls, poll(7, hamburg), poll(8, hamburg), poll(40, hamburg)];
    expect(check(settled, [dispute, notice(7, 'diverted DEHAM')])).toEqual(['NLRTM to DEHAM: in time']);
    expect(check(settled, [dispute, notice(8, 'diverted DEHAM')])).toEqual(['NLRTM to DEHAM: late']);
    expect(check(settled, [dispute])).toEqual(['NLRTM to DEHAM: missed']);
  });

  test('the 6 h begin anew when the lead changes', () => {
    const flips = [...polls, poll(6.8, rotterdam), poll(8, hamburg), poll(9, hamburg), poll(13, rotterdam)];
    expect(check([...flips, poll(40, rotterdam)], [dispute])).toEqual([
      'NLRTM to DEHAM: disputed',
      'NLRTM to DEHAM: disputed',
    ]);
  });

  test('covers no third port, and nothing after it has ended', () => {
    const third = [poll(0, rotterdam), poll(1, antwerp), poll(2, antwerp), poll(40, rotterdam)];
    expect(check(third, [dispute])).toEqual(['NLRTM to BEANR: missed']);
    const later = [
      poll(0, rotterdam),
      poll(1, rotterdam),
      poll(7, rotterdam),
      poll(8, hamburg),
      poll(9, hamburg),
    ];
    expect(check([...later, poll(40, rotterdam)], [dispute])).toEqual(['NLRTM to DEHAM: missed']);
  });

  test('one that names the new leader reports the diversion, and covers the way back', () => {
    const back = [
      poll(0, hamburg),
      poll(1, rotterdam),
      poll(2, rotterdam),
      poll(3, hamburg),
      poll(4, hamburg),
    ];
    const reply = notice(2, 'back NLRTM DEHAM');
    expect(check([...back, poll(8.5, rotterdam)], [reply])).toEqual([
      'DEHAM to NLRTM: in time',
      'NLRTM to DEHAM: disputed',
    ]);
    const settled = [...back, poll(9, hamburg), poll(40, hamburg)];
    expect(check(settled, [reply])).toEqual(['DEHAM to NLRTM: in time', 'NLRTM to DEHAM: missed']);
    expect(check(settled, [notice(3, 'back NLRTM DEHAM')])).toContain('unfounded NLRTM');
  });

  test('opened after the second poll, it is a late reply', () => {
    expect(check(polls, [notice(6.5, 'dispute NLRTM DEHAM')])).toEqual(['NLRTM to DEHAM: late']);
  });
});

test('a reply about a diversion that the polls do not show is unfounded', () => {
  const polls = [poll(0, rotterdam), poll(1, hamburg), poll(2, rotterdam)];
  expect(check(polls, [notice(1, 'diverted DEHAM')])).toEqual(['unfounded DEHAM']);
  expect(check(polls, [notice(2, 'diverted DEHAM')])).toEqual(['unfounded DEHAM']);
  const clear = [poll(0, rotterdam), poll(1, clearlyHamburg)];
  expect(check(clear, [notice(1, 'diverted DEHAM')])).toEqual([]);
});
