import { expect, test } from 'vitest';
import { withoutLetter, withoutLetterhead } from '../../src/grammar/letter.ts';

test('of a forwarded mail, what is asked stays', () => {
  const mail = [
    '---------- Forwarded message ---------',
    'From: Karen Lee <karen@acme.example>',
    'Date: Mon, 23 Nov 2026 at 4:12 PM',
    'Subject: BK-4402 ETA Auckland',
    '',
    'Hi Josh,',
    'will BK-4402 still make Auckland by Monday?',
    'Thanks heaps,',
    'Karen',
  ];
  expect(withoutLetter(mail.join('\n')).trim()).toBe(
    'Subject: BK-4402 ETA Auckland\n\nwill BK-4402 still make Auckland by Monday?',
  );
});

test.each([
  'EVER GIVEN\nMSC DIANA',
  'hi, pls check these two\nEVER GIVEN\nMSC DIANA',
  'To: Rotterdam\nFrom Shanghai, MSC',
  'thanks\nwhere is EVER GIVEN?',
  'Hello',
])('%j has nothing to leave out', (text) => {
  expect(withoutLetter(text)).toBe(text);
});

test.each([
  ['Bonjour Julien,\nDS CYPRESS à Anvers?\nCordialement\nSophie', 'DS CYPRESS à Anvers?'],
  ['Hej Mette,\nEVER GIVEN?\nMed vänlig hälsning\nAnders Holm\nInköp', 'EVER GIVEN?'],
  ['where is EVER GIVEN?\nMany thanks', 'where is EVER GIVEN?'],
])('%j is about what stands between', (text, left) => {
  expect(withoutLetter(text)).toBe(left);
});

test.each([
  ['Fwd: RE: BK-4401 // ETA?? > Hi Dana, will she make Norfolk?', 'BK-4401 // ETA?? will she make Norfolk?'],
  ['Hi Tom, where is EVER GIVEN?', 'where is EVER GIVEN?'],
])('in %j a person is greeted, not a vessel named', (text, left) => {
  expect(withoutLetterhead(text).trim().replace(/\s+/g, ' ')).toBe(left);
});
