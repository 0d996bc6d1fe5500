import { type Profiler, Session } from 'node:inspector/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Notes with V8's precise coverage which functions of this process run. */
export async function startCoverage() {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return {
    /** The bot's files of which a function has run since the last call, sorted. */
    async take(): Promise<string[]> {
      const { result } = await session.post('Profiler.takePreciseCoverage');
      return result
        .filter(({ url, functions }) => url.startsWith('file:') && functions.some(hasRun))
        .map(({ url }) => relative('', fileURLToPath(url)))
        .filter((file) => /^src\/(?!sandbox\/)/.test(file))
        .toSorted();
    },
    stop: () => session.disconnect(),
  };
}

/** Without the module itself, which runs at its import: a function without a name, from the start of the file. */
function hasRun({ functionName, ranges: [range] }: Profiler.FunctionCoverage): boolean {
  return range !== undefined && range.count > 0 && !(functionName === '' && range.startOffset === 0);
}
