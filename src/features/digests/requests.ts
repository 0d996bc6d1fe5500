/** Requests of one run, if no answer is cached. A group of vessels counts as one. */
export const requestsPerRun = (lines: readonly string[]): number =>
  lines.reduce((sum, line) => sum + requestsOf(line), 0);

/**
 * `nextport A, B, C` makes a request for each vessel, `portcalls A, B` for each port, `lane … versus …` for each period.
 * Lines about the bot's own data make none.
 */
function requestsOf(line: string): number {
  if (/^(?:nextport|portcalls) /.test(line)) return line.split(',').length;
  if (/^lane .* versus /.test(line)) return 2;
  return /^(?:lane|usage)\b/.test(line) ? 1 : 0;
}
