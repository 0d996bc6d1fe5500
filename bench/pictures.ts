import { resolve } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createDrawer } from '../src/pictures/drawer.ts';
import type { MapPicture } from '../src/pictures/map-picture.ts';
import type { Locode } from '../src/reference/locode.ts';
import { portOf } from '../src/reference/ports.ts';
import { memoryOf } from './process-figures.ts';
import { median, percentile } from './statistics.ts';
import { show, table } from './table.ts';

const maps = {
  'a region: Rotterdam, Hamburg, Antwerp': ['NLRTM', 'DEHAM', 'BEANR'],
  'neighbours: Yantian, Hong Kong': ['CNYTN', 'HKHKG'],
  'an ocean: Busan, Los Angeles': ['KRPUS', 'USLAX'],
  'the world: eight ports': ['NLRTM', 'SGSIN', 'USLAX', 'BRSSZ', 'ZADUR', 'AUSYD', 'JPYOK', 'USNYC'],
};

/** Maps drawn one after the other by the bundled process, started anew for each kind. Returns Markdown. */
export async function measurePictures({ quick }: { quick: boolean }): Promise<string> {
  const [starts, drawings] = quick ? [1, 4] : [9, 60];
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const residentMb = () => memoryOf(process.pid).residentMb;
  const before = residentMb();
  delay.enable();
  const rows: string[][] = [];
  for (const [name, codes] of Object.entries(maps)) {
    process.stderr.write(`pictures, ${name}\n`);
    const first: number[] = [];
    for (let start = 0; start < starts; start += 1) first.push((await measure(codes, 1)).times[0] ?? 0);
    const { times, bytes, peakMb } = await measure(codes, drawings);
    const warm = times.slice(1);
    rows.push([
      name,
      show(median(first), 'ms'),
      show(median(warm), 'ms'),
      show(percentile(warm, 0.99), 'ms'),
      show(bytes / 1000, 'KB'),
      show(peakMb, 'MB'),
    ]);
  }
  delay.disable();
  const head = ['', 'first, with the start', 'next p50', 'next p99', 'size', 'memory, peak'];
  const caller = `The process that asks for them: event loop delayed by ${show(delay.max / 1e6, 'ms')} at most, resident memory ${show(residentMb() - before, 'MB')} more at the end.`;
  return `${drawings} drawings per row, ${starts} starts.\n\n${table(head, rows)}\n${caller}`;
}

async function measure(codes: readonly string[], drawings: number) {
  const drawer = createDrawer({ script: resolve('dist/pictures/process.js'), timeoutMs: 60_000 });
  const times: number[] = [];
  let bytes = 0;
  for (let drawing = 0; drawing < drawings; drawing += 1) {
    const startedAt = performance.now();
    bytes = (await drawer.draw(mapOf(codes))).byteLength;
    times.push(performance.now() - startedAt);
  }
  const { peakMb } = memoryOf(drawer.pid());
  drawer.close();
  return { times, bytes, peakMb };
}

const mapOf = (codes: readonly string[]): MapPicture => ({
  title: 'DS CYPRESS',
  subtitle: 'Likely next ports · forecast as of Sat 21 Nov 09:05 UTC',
  badge: 'invented data',
  places: codes.map((code, index) => {
    const { name = code, latitude = 0, longitude = 0 } = portOf(code as Locode) ?? {};
    const weight = 1 / (index + 2);
    const share = `${Math.round(weight * 100)}%`;
    return { name, share, weight, detail: 'Mon 23 Nov 15:05 LT', at: [latitude, longitude] };
  }),
  notes: ['No position or route: the service gives none', 'IMO 9461477'],
});
