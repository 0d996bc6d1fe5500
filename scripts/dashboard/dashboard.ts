import type { Panel } from './panel.ts';
import { rows } from './panels.ts';

/** Grafana 11's. */
const schemaVersion = 39;
const datasource = { type: 'prometheus', uid: '$datasource' };
/** Of the 24 columns that a dashboard has. */
const statWidth = 6;
const graphWidth = 8;

/** The text of ops/grafana/landfall.json. `npm run manifest` writes it. */
export function dashboard(): string {
  const json = {
    uid: 'landfall',
    title: 'Landfall',
    description:
      'From what people feel down to the process. ops/runbook.md says what to do about each alert.',
    tags: ['landfall'],
    schemaVersion,
    editable: true,
    graphTooltip: 1,
    refresh: '1m',
    time: { from: 'now-6h', to: 'now' },
    timezone: 'browser',
    templating: {
      list: [
        { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' },
        variable('job', 'label_values(landfall_build_info, job)'),
        variable('instance', 'label_values(landfall_build_info{job=~"$job"}, instance)'),
      ],
    },
    panels: placedPanels(),
  };
  return `${JSON.stringify(json, undefined, 2)}\n`;
}

const variable = (name: string, query: string) => ({
  name,
  label: name === 'job' ? 'Job' : 'Instance',
  type: 'query',
  datasource,
  definition: query,
  query: { query, refId: name },
  refresh: 2,
  sort: 1,
  multi: true,
  includeAll: true,
  allValue: '.*',
  current: { text: ['All'], value: ['$__all'] },
});

/** Rows one under the other; the panels of a row from left to right, figures above curves. */
function placedPanels() {
  const placed: unknown[] = [];
  let y = 0;
  for (const { title, panels } of rows) {
    const row = { type: 'row', title, collapsed: false, panels: [] };
    placed.push({ id: placed.length + 1, ...row, gridPos: { x: 0, y, w: 24, h: 1 } });
    y += 1;
    for (const isStat of [true, false]) {
      const [w, h] = isStat ? [statWidth, 4] : [graphWidth, 8];
      const inLine = 24 / w;
      const group = panels.filter((panel) => Boolean(panel.isStat) === isStat);
      for (const [index, panel] of group.entries()) {
        const gridPos = { x: (index % inLine) * w, y: y + Math.floor(index / inLine) * h, w, h };
        placed.push({ id: placed.length + 1, ...panelJson(panel), gridPos });
      }
      y += Math.ceil(group.length / inLine) * h;
    }
  }
  return placed;
}

function panelJson({ title, description, unit, queries, isStat, isStacked, redFrom }: Panel) {
  const red = redFrom === undefined ? [] : [{ color: 'red', value: redFrom }];
  const curve = {
    fillOpacity: isStacked ? 30 : 0,
    stacking: { mode: isStacked ? 'normal' : 'none', group: 'A' },
    showPoints: 'never',
    thresholdsStyle: { mode: redFrom === undefined ? 'off' : 'line' },
  };
  return {
    type: isStat ? 'stat' : 'timeseries',
    title,
    description,
    datasource,
    fieldConfig: {
      defaults: {
        unit,
        min: 0,
        thresholds: { mode: 'absolute', steps: [{ color: 'green', value: null }, ...red] },
        ...(!isStat && { custom: curve }),
      },
      overrides: [],
    },
    options: isStat
      ? { reduceOptions: { calcs: ['lastNotNull'] }, colorMode: 'value', graphMode: 'area' }
      : {
          legend: { displayMode: 'list', placement: 'bottom', showLegend: true },
          tooltip: { mode: 'multi', sort: 'desc' },
        },
    targets: queries.map(({ expr, legend }, index) => ({
      refId: String.fromCharCode(65 + index),
      datasource,
      expr,
      legendFormat: legend,
      range: true,
    })),
  };
}
