// Which step of a command each sample of a CPU profile belongs to.
import type { Profiler } from 'node:inspector';

const httpClient = 'HTTP client: undici below both requests';
const ky = 'ky, with the Request and the Response it makes';

/** A step and the code that does it: the first match up the stack decides, and of its patterns the first. */
const steps: readonly (readonly [step: string, code: RegExp])[] = [
  ['garbage collection, main thread', /^\(garbage collector\)$/],
  ['zod: schema checks', /node_modules\/zod\/|src\/analytics\/read-records/],
  [
    'date-fns: times read and shown',
    /node_modules\/(?:date-fns|@date-fns)\/|src\/answers\/formatting\/times/,
  ],
  ['log: pino', /node_modules\/(?:pino|sonic-boom|@pinojs|quick-format)/],
  ['store: reads', /src\/(?:database|workspaces)\/|node_modules\/(?:kysely|pg|pg-\w+)\/|node:sqlite/],
  [ky, /node_modules\/ky\//],
  ['abort signals', /node:internal\/(?:abort_controller|event_target)/],
  ['request to the service: client, queue, cache', /src\/analytics\//],
  ['answer to the response URL', /src\/slack\/posting\//],
  [
    'delivery: body, signature, acknowledgement',
    /src\/slack\/receivers\/|src\/slack\/edge\.ts|node_modules\/(?:raw-body|bytes|iconv-lite)/,
  ],
  ['Bolt: its middleware', /node_modules\/@slack\/bolt\//],
  ['dispatch: person, rights, deadline', /src\/(?:slack|run)\/|src\/features\/ctx/],
  ['grammar: words to arguments', /src\/(?:grammar\/|features\/parse-line)/],
  ['answer and blocks', /src\/(?:features|answers|reference)\//],
  [httpClient, /node_modules\/undici\/|node:internal\/deps\/undici/],
  ['HTTP server: node:http', /node:_http|node:http/],
  ['promises and timers', /^runMicrotasks$|node:internal\/(?:process\/task_queues|timers)|node:timers/],
];

const others = 'other code of Node and V8';

/** The names of all steps, in the order of the table. */
export const stepNames: readonly string[] = [...steps.map(([step]) => step), others];

/** The share of each step in the samples that aren't idle; the shares add up to 1. */
export function sharesOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Map<string, number> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  );
  const stepOf = new Map<number, string | undefined>();
  const shares = new Map<string, number>();
  let total = 0;
  for (const [index, id] of samples.entries()) {
    if (!stepOf.has(id)) stepOf.set(id, findStep(id));
    const step = stepOf.get(id);
    const delta = timeDeltas[index] ?? 0;
    if (step === undefined) continue;
    total += delta;
    shares.set(step, (shares.get(step) ?? 0) + delta);
  }
  return new Map([...shares].map(([step, time]) => [step, time / total]));

  /** Undefined while the process is idle, or profiled. */
  function findStep(leaf: number): string | undefined {
    let isInClient = false;
    for (let id: number | undefined = leaf; id !== undefined; id = parents.get(id)) {
      const frame = byId.get(id)?.callFrame;
      if (!frame) break;
      if (frame.functionName === '(idle)' || frame.url === 'node:inspector') return undefined;
      const [step] = steps.find(([, code]) => code.test(frame.url) || code.test(frame.functionName)) ?? [];
      // Undici's classes Request and Response, which ky calls, aren't requests yet.
      if (step === httpClient) isInClient = true;
      else if (step !== undefined) return isInClient && step !== ky ? httpClient : step;
    }
    return isInClient ? httpClient : others;
  }
}
