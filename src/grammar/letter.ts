/**
 * A forwarded mail without the lines of its head that name people and when it was sent, without its greeting, and without
 * what follows the words at its end.
 */
export function withoutLetter(text: string): string {
  if (!text.includes('\n')) return text;
  const lines = text.split('\n');
  const isMail = lines.some((line) => sender.test(line));
  const end = lines.findIndex(
    (line, at) => at > 0 && closing.test(line) && lines.slice(at + 1).every(isShort),
  );
  const kept = lines
    .slice(0, end > 0 ? end : undefined)
    .filter((line) => !(isMail && head.test(line)) && !salutation.test(line));
  return kept.some((line) => line.trim() !== '') ? kept.join('\n') : text;
}

/** In English, German, French, Dutch, Spanish, Portuguese, Italian and the languages of the north. */
const sender = /^\W*(?:from|von|de|van|da|fra|från)\s*:/i;
const head =
  /^\W*(?:-{3,}.*-{3,}$|(?:(?:re|fwd?)\s*:\s*)*from\s*:|begin forwarded message:?$|(?:from|sent|to|cc|date|von|gesendet|an|datum|de|envoyé|à|van|verzonden|aan|enviad[oa](?: el)?|para|data|da|inviato|a|fra|sendt|til|dato|från|skickat|till)\s*:)/iu;
const salutation =
  /^\W*(?:hi|hello|hey|dear|good (?:day|morning|afternoon|evening)|hej|hei|hallo|ciao|hola|bonjour|buongiorno|moin|ol[áa]|(?:sehr geehrte|liebe)[rsn]?|estimad[oa]s?|prezad[oa]s?|cher|chère|beste|kære|kära)\b(?:[\s,]+(?!pls|please|can|could|is|are|any)\p{L}[\p{L}.'-]*){0,3}[\s,.!:;-]*$/iu;
const closing =
  /^\W*(?:(?:with |many |kind |best |warm )*(?:thanks|thank you|tks|thx|re?gards|b?rgds|wishes|cheers)|(?:mit )?(?:freundliche[nm]?|beste[nm]?|viele[n]?) gr[üu](?:ß|ss)e[nm]?|med v[äa]nlig h[äa]lsning|med venlig hilsen|cordialement|bien à vous|saludos|atenciosamente|cordiali saluti|grazie|met vriendelijke groet(?:en)?|mvh|mfg)\b[^?\d]{0,40}$/iu;

const isShort = (line: string): boolean => line.trim().split(/\s+/).length <= 5 && !line.includes('?');

/** What mail programs add, and what follows a greeting at the end. */
export const withoutLetterhead = (text: string): string =>
  text
    .replace(
      /^\W*(?:good (?:morning|afternoon|evening|day)(?: (?:dear|all|team|there|everyone|sirs?|folks|guys)\b)*[\s,!.:-]*|(?:morning|afternoon|evening|hi|hello|hey|moin|hej|hei|ciao|hola|bonjour|buongiorno|marhaba|salam|namaste|ol[áa]|goededag|hallo)(?: (?:dear|all|team|there|everyone|sirs?|folks|guys))*\s*[,!.:-]+\s*)/i,
      '',
    )
    .replace(/\bthis is \p{Lu}\p{L}+ (?:of|from|at|here)\b[^.,;!?]*[.,;!]\s*/u, '')
    .replace(/(?<!\S)(?:re|fwd?|aw|wg|sv|sub(?:j|ject)?|betreff|betr)\s*:\s*/gi, ' ')
    .replace(/\bon .{4,40} wrote:/gi, ' ')
    .replace(/^(?:guten|goede) morgen(?= |[,!.])|^morgen(?: zusammen)?(?=[,!.])/i, ' ')
    .replace(/(?:^|\s)>+\s/g, ' ')
    // `Hi Dana, will she make Norfolk`
    .replace(
      /(?:^|(?<=[?!.>]\s))(?:[Hh]i|[Hh]ello|[Hh]ey|[Dd]ear) \p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)?,\s+/gu,
      '',
    )
    .replace(/\[\d[\d/.,:\s-]{3,20}\]\s*(?:[\p{L} ]{1,20}:)?/gu, ' ')
    .replace(
      /(?:^|[\s,.])(?:(?:best(?=,|$| (?:regards|rgds|wishes)\b)|(?:kind(?= re?gards)|brgds|rgds|regards|mit freundlichen)\b).*|(?:thanks|thx|cheers|br),? \p{Lu}\p{L}+)$/u,
      ' ',
    );
