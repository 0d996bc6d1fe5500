import { resolve } from 'node:path';
import { createDrawer } from '../src/pictures/drawer.ts';
import type { MapPicture } from '../src/pictures/map-picture.ts';
import type { Locode } from '../src/reference/codes.ts';
import { portOf } from '../src/reference/ports.ts';
import { memoryOf, processorMsOf } from './process-figures.ts';
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
  const rows: string[][] = [];
  for (const [name, codes] of Object.entries(maps)) {
    process.stderr.write(`pictures, ${name}\n`);
    const first: number[] = [];
    for (let start = 0; start < starts; start += 1) first.push((await measure(codes, 1)).firstMs);
    const { firstProcessorMs, nextMs, nextProcessorMs, bytes, peakMb } = await measure(codes, drawings);
    rows.push([
      name,
      show(median(first), 'ms'),
      show(firstProcessorMs, 'ms'),
      show(median(nextMs), 'ms'),
      show(percentile(nextMs, 0.99), 'ms'),
      show(nextProcessorMs, 'ms'),
      show(bytes / 1000, 'KB'),
      show(peakMb, 'MB'),
    ]);
  }
  const head = ['', 'first', 'CPU time', 'next p50', 'next p99', 'CPU time', 'size', 'memory, peak'];
  return `${drawings} drawings per row, ${starts} starts.\n\n${table(head, rows)}`;
}

async function measure(codes: readonly string[], drawings: number) {
  const drawer = createDrawer({ script: resolve('dist/pictures/process.js'), timeoutMs: 60_000 });
  const draw = async () => {
    const startedAt = performance.now();
    const { byteLength: bytes } = await drawer.draw(mapOf(codes));
    return { ms: performance.now() - startedAt, bytes, processorMs: processorMsOf(drawer.pid()) };
  };
  const first = await draw();
  const next: Awaited<ReturnType<typeof draw>>[] = [];
  while (next.length < drawings - 1) next.push(await draw());
  const { peakMb } = memoryOf(drawer.pid());
  drawer.close();
  return {
    firstMs: first.ms,
    firstProcessorMs: first.processorMs,
    nextMs: next.map(({ ms }) => ms),
    nextProcessorMs: ((next.at(-1)?.processorMs ?? Number.NaN) - first.processorMs) / next.length,
    bytes: first.bytes,
    peakMb,
  };
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
