import { expect, test } from 'vitest';
import { inEnglish } from '../../src/grammar/foreign-words.ts';

test.each([
  ['whos coming Moss onsdag', 'whos coming Moss Wednesday'],
  [
    'Hvilke skip kommer til Kristiansand før 1. desember?',
    'which ships coming to Kristiansand before 1. December?',
  ],
  ['portcalls Buenos Aires semana del 23/11', 'portcalls Buenos Aires week of 23/11'],
  ['Ankunft MSC DIANA am Donnerstag, bitte', 'Ankunft MSC DIANA am Thursday, please'],
  ['usage bot por canal, noviembre', 'usage bot by channel, November'],
])('%j is in English: %j', (typed, english) => {
  expect(inEnglish(typed)).toBe(english);
});

test.each([
  'which carriers skip Rotterdam',
  'Santo Domingo tomorrow',
  'MSC DIANA til Friday',
  'a tack to port',
])('%j stays as it is', (typed) => {
  expect(inEnglish(typed)).toBe(typed);
});
