import fc from 'fast-check';
import { UserError } from '../../src/errors.ts';
import type { LineHelp } from '../../src/grammar/line.ts';
import { createVesselDirectory } from '../../src/grammar/vessel-directory.ts';
import { exampleVessels, isLocode } from '../../src/reference/codes.ts';
import { allPorts } from '../../src/reference/ports.ts';
import { anyCharacter } from './any-character.ts';

export const vessels = createVesselDirectory(exampleVessels);

/** Help of a command named `ask`. */
export const help: LineHelp = { line: (fixed) => `ask ${fixed}`, example: 'ask something' };

/** The error as text, with a line each for message, hint, choices and example; fails if there is no error. */
export function refusal(run: () => unknown): string {
  try {
    const value = run();
    return `no refusal: ${JSON.stringify(value)}`;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const choices = error.choices.map(({ label, line }) => `[${label}] ${line}`);
    return [`${error.code}: ${error.message}`, error.hint, ...choices].filter(Boolean).join('\n');
  }
}

/** Known codes, and well-formed unknown ones. */
export const locodes = fc.oneof(
  fc.constantFrom(...allPorts().map(({ locode }) => locode)),
  fc.stringMatching(/^[A-Z]{2}[A-Z2-9]{3}$/).filter(isLocode),
);

/** Lines as people, phones, Slack and attackers may write them. */
export const anyWords = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 200 }),
  fc.string({ unit: 'grapheme', maxLength: 8_000 }),
  fc
    .array(
      fc.constantFrom(
        ...[
          'Rotterdam',
          'rotterdm',
          'NLRTM',
          'nl rtm',
          'Hong',
          'Kong',
          'to',
          '→',
          '-',
          ',',
          '..',
          'from',
          'by',
        ],
        ...[
          'next',
          'last',
          '3',
          '-1',
          '0',
          '99999999',
          'days',
          'since',
          '2026-02-30',
          '2026-01..2026-03',
          '%',
        ],
        ...[
          'min',
          'eta',
          'page',
          'public',
          'list:',
          '"',
          "'",
          '<!channel>',
          '<@U1|ann>',
          '&amp;',
          '&lt;!here&gt;',
        ],
        ...[
          '9461477',
          '9461478',
          'imo:',
          'maersk',
          'MAEU,',
          'october',
          '１２',
          '\u202e',
          '\ud800',
          '(',
          '\\',
          '*',
        ],
      ),
      { maxLength: 40 },
    )
    .map((words) => words.join(' ')),
  fc.constantFrom(
    'a '.repeat(4_000),
    '9'.repeat(8_000),
    '"'.repeat(8_000),
    'next '.repeat(1_600),
    ','.repeat(8_000),
  ),
);
