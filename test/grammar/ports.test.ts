import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatPorts, maxPorts, parsePorts } from '../../src/grammar/port.ts';
import { samePort } from '../../src/reference/ports.ts';
import { anyWords, help, locodes, refusal } from '../support/grammar-samples.ts';

describe('several ports', () => {
  test.each([
    ['Rotterdam', 'NLRTM'],
    ['Rotterdam, Antwerp, Hamburg', 'NLRTM, BEANR, DEHAM'],
    ['Rotterdam,Antwerp,', 'NLRTM, BEANR'],
    ['Rotterdam and Antwerp', 'NLRTM, BEANR'],
    ['Rotterdam, Antwerp and Hamburg', 'NLRTM, BEANR, DEHAM'],
    ['Rotterdam, Antwerp, and Hamburg', 'NLRTM, BEANR, DEHAM'],
    ['Rotterdam + Antwerp & Le Havre; Hamburg', 'NLRTM, BEANR, FRLEH, DEHAM'],
    ['NLRTM BEANR DEHAM', 'NLRTM, BEANR, DEHAM'],
    ['nl rtm, be-anr', 'NLRTM, BEANR'],
    ['Rotterdam, US', 'USRAJ'],
    ['Rotterdam, US, Antwerp', 'USRAJ, BEANR'],
    ['Hamburg, Portland, Maine', 'DEHAM, USPWM'],
    ['Portland, Oregon, US (USPDX), Hamburg', 'USPDX, DEHAM'],
    ['Antwerp, Rotterdam (NLRTM)', 'BEANR, NLRTM'],
    ['Singapore, Hong Kong', 'SGSIN, HKHKG'],
    ['DO VER, Dover', 'DO VER, GBDVR'],
    ['Shanghai, CNSGH, Rotterdam, Shanghai', 'CNSHA, NLRTM'],
  ])('%s', (typed, ports) => {
    expect(formatPorts(parsePorts(typed, help))).toBe(ports);
  });

  test('a misspelt or ambiguous port: the offered lines keep the others', () => {
    expect(refusal(() => parsePorts('Rotterdam, Antwrp, Hamburg', help))).toMatchInlineSnapshot(`
      "unknown-port: “Antwrp” isn't a known port.
      You can also give a port by its UN/LOCODE, such as NLRTM.
      [Antwerp, BE (BEANR)] ask Rotterdam, BEANR, Hamburg"
    `);
    expect(refusal(() => parsePorts('Hamburg and Portland', help))).toMatchInlineSnapshot(`
      "ambiguous-port: “Portland” can mean several ports. Which one?
      [Portland, Oregon, US (USPDX)] ask Hamburg, USPDX
      [Portland, Maine, US (USPWM)] ask Hamburg, USPWM"
    `);
  });

  test('a misspelt period after them', () => {
    const nearestEnding = (words: string) => (words === 'tomorow' ? ['tomorrow'] : []);
    expect(
      refusal(() => parsePorts('Rotterdam, Hamburg, tomorow', { ...help, nearestEnding })),
    ).toMatchInlineSnapshot(`
      "unexpected-words: I can read “Hamburg” as a port, but not “tomorow” after it.
      [tomorrow] ask Rotterdam, DEHAM tomorrow
      [Hamburg, DE (DEHAM)] ask Rotterdam, DEHAM"
    `);
    expect(
      refusal(() => parsePorts('Rotterdam, Hamburg tomorow', { ...help, nearestEnding })),
    ).toMatchInlineSnapshot(`
      "unexpected-words: I can read “Hamburg” as a port, but not “tomorow” after it.
      [tomorrow] ask Rotterdam, DEHAM tomorrow
      [Hamburg, DE (DEHAM)] ask Rotterdam, DEHAM"
    `);
  });

  test('without commas, they could be something else: a question', () => {
    expect(refusal(() => parsePorts('Rotterdam Le Havre Hong Kong', help))).toMatchInlineSnapshot(`
      "unexpected-words: “Rotterdam Le Havre Hong Kong” can be 3 ports. Put commas between them.
      [Rotterdam, Le Havre, Hong Kong] ask NLRTM, FRLEH, HKHKG"
    `);
  });

  test('too many', () => {
    const seven = 'Hamburg, Genoa, Valencia, Algeciras, Antwerp, Felixstowe, Le Havre';
    expect(refusal(() => parsePorts(seven, help))).toMatchInlineSnapshot(`
      "too-many-ports: 7 ports are too many for one question: at most 6.
      Ask for the others in a second question.
      [The first 6] ask DEHAM, ITGOA, ESVLC, ESALG, BEANR, GBFXT"
    `);
    expect(parsePorts('Hamburg, '.repeat(300), help)).toEqual(['DEHAM']);
    expect(parsePorts(`${seven.replace(', Le Havre', '')}, Genoa`, help)).toHaveLength(maxPorts);
  });

  test('none', () => {
    expect(refusal(() => parsePorts(' , ', help))).toMatchInlineSnapshot(`
      "missing-argument: Which port?
      Give a port by its name or its UN/LOCODE, such as NLRTM."
    `);
  });
});

test('every list of ports can be read back', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(locodes, { minLength: 1, maxLength: maxPorts, comparator: samePort }),
      (ports) => {
        expect(parsePorts(formatPorts(ports), help)).toEqual(ports);
      },
    ),
    { numRuns: 500 },
  );
});

test('whatever is typed, the answer is ports or a refusal', () => {
  fc.assert(
    fc.property(anyWords, (words) => {
      expect(refusal(() => parsePorts(words.trim(), help))).toBeTypeOf('string');
    }),
    { numRuns: 300 },
  );
});
