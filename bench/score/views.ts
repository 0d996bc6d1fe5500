// The service has three views of a prediction: by vessel, by port, and by ship. Here they are compared, as served.
import { z } from 'zod';
import { ports } from '../../src/sandbox/world/sea-chart.ts';
import type { World } from '../../src/sandbox/world/world.ts';
import type { Ask } from '../sandbox-world.ts';

export interface ViewComparison {
  /** Records of the vessel view and the port view together, each pair counted once. */
  records: number;
  /** Records that only one of them has, or for which they say a different ETA or probability. */
  different: number;
  /** Vessels for which the ship view was asked too. */
  ships: number;
  /** Of these, the ones for which it has another likeliest port. */
  otherTop: number;
  shipRecords: number;
  withoutEta: number;
}

const predictions = z.object({
  predictions: z.array(
    z.object({
      un_location_code: z.string(),
      eta_datetime: z.string(),
      probability: z.number(),
      vessel_imo_number: z.number(),
    }),
  ),
});
type Prediction = z.infer<typeof predictions>['predictions'][number];

const records = z.object({
  records: z.array(z.object({ locode: z.string(), probability: z.number(), eta: z.string().optional() })),
});

/** Asks for these vessels and for every port of the chart, as of each time. */
export async function compareViews(
  ask: Ask,
  { vessels, times }: { vessels: World['vessels']; times: readonly Date[] },
): Promise<ViewComparison> {
  const all: ViewComparison[] = [];
  for (const at of times) {
    const byVessel: Prediction[] = [];
    const ships: Pick<ViewComparison, 'ships' | 'otherTop' | 'shipRecords' | 'withoutEta'>[] = [];
    for (const { imo } of vessels) {
      const found = predictions.parse(await ask(`/nextport/vessel/${imo}/predictions`, at)).predictions;
      const listed = records.parse(await ask(`/nextport/ship/${imo}`, at)).records;
      byVessel.push(...found);
      ships.push({
        ships: 1,
        otherTop: Number(likeliest(found)?.un_location_code !== likeliest(listed)?.locode),
        shipRecords: listed.length,
        withoutEta: listed.filter(({ eta }) => eta === undefined).length,
      });
    }
    const imos = new Set(vessels.map(({ imo }) => imo));
    const byPort: Prediction[] = [];
    for (const { name } of ports) {
      const found = predictions.parse(await ask(`/nextport/port/${name}/predictions`, at)).predictions;
      byPort.push(...found.filter((prediction) => imos.has(prediction.vessel_imo_number)));
    }
    all.push(
      ...ships.map((ship) => ({ records: 0, different: 0, ...ship })),
      compareRecords(byVessel, byPort),
    );
  }
  return sumOf(all);
}

export function compareRecords(
  byVessel: readonly Prediction[],
  byPort: readonly Prediction[],
): ViewComparison {
  const vesselView = textByPair(byVessel);
  const portView = textByPair(byPort);
  const pairs = [...vesselView.keys(), ...portView.keys().filter((pair) => !vesselView.has(pair))];
  const different = pairs.filter((pair) => vesselView.get(pair) !== portView.get(pair)).length;
  return { ...nothing, records: pairs.length, different };
}

const textByPair = (found: readonly Prediction[]): Map<string, string> =>
  new Map(
    found.map(({ vessel_imo_number, un_location_code, eta_datetime, probability }) => [
      `${vessel_imo_number} ${un_location_code}`,
      `${eta_datetime} ${probability}`,
    ]),
  );

const likeliest = <Item extends { probability: number }>(items: readonly Item[]): Item | undefined =>
  items.toSorted((a, b) => b.probability - a.probability)[0];

const nothing: ViewComparison = {
  records: 0,
  different: 0,
  ships: 0,
  otherTop: 0,
  shipRecords: 0,
  withoutEta: 0,
};

export const sumOf = (comparisons: readonly ViewComparison[]): ViewComparison =>
  comparisons.reduce(
    (sum, one) => ({
      records: sum.records + one.records,
      different: sum.different + one.different,
      ships: sum.ships + one.ships,
      otherTop: sum.otherTop + one.otherTop,
      shipRecords: sum.shipRecords + one.shipRecords,
      withoutEta: sum.withoutEta + one.withoutEta,
    }),
    nothing,
  );
