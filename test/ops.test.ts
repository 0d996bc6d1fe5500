import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { dashboard } from '../scripts/dashboard/dashboard.ts';
import { installCommands } from '../scripts/image/install-on-host.ts';
import { createMetrics, type Definition, definitions } from '../src/app/metrics/metrics.ts';
import { noPromtool, runPromtool } from './support/promtool.ts';

const rulesFile = 'ops/prometheus/landfall.rules.yml';
const testsFiles = ['landfall.rules.test.yml', 'landfall.rules.days.test.yml'].map(
  (name) => `ops/prometheus/${name}`,
);
const noSystemd = spawnSync('systemd-analyze', ['--version']).error !== undefined;
const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

const Rule = z.object({
  alert: z.string(),
  expr: z.string(),
  for: z.string().optional(),
  labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
  annotations: z.strictObject({ summary: z.string(), description: z.string(), runbook_url: z.string() }),
});
const rules = z
  .object({ groups: z.array(z.object({ rules: z.array(Rule) })) })
  .parse(parse(read(rulesFile)))
  .groups.flatMap((group) => group.rules);

const Panel = z.object({
  type: z.string(),
  title: z.string(),
  description: z.string().optional(),
  fieldConfig: z.object({ defaults: z.object({ unit: z.string() }) }).optional(),
  targets: z.array(z.object({ expr: z.string() })).optional(),
});
const committed = z
  .object({
    templating: z.object({ list: z.array(z.object({ name: z.string(), query: z.unknown() })) }),
    panels: z.array(Panel),
  })
  .parse(JSON.parse(read('ops/grafana/landfall.json')));
const panels = committed.panels.filter(({ type }) => type !== 'row');
const panelQueries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
const queries = [...rules.map(({ expr }) => expr), ...panelQueries];

/** Prometheus adds them. */
const scrapeLabels = ['job', 'instance'];
const operators = /^(?:and|or|unless|by|offset)$/;

/** The series of each metric, with their labels: those of Prometheus, of Node.js and the process, and Landfall's own. */
const series = new Map<string, readonly string[]>([
  ['up', []],
  ...createMetrics()
    .registry.getMetricsAsArray()
    .map(({ name }) => [name, []] as const),
  ...Object.entries<Definition>(definitions).flatMap(([name, { type, labels = [] }]) =>
    type === 'histogram'
      ? [
          ...['sum', 'count'].map((part) => [`${name}_${part}`, labels] as const),
          [`${name}_bucket`, [...labels, 'le']] as const,
        ]
      : [[name, labels] as const],
  ),
]);

/** What a query names that doesn't exist: metrics, and labels that none of its metrics has. */
function unknownNames(query: string): string[] {
  const plain = query.replaceAll(/"[^"]*"/g, '""');
  const grouped = [...plain.matchAll(/\b(?:by|on|group_left)\s*\(([^)]*)\)/g)].flatMap(([, list]) =>
    words(list),
  );
  const matched = [...plain.matchAll(/\{([^}]*)\}/g)].flatMap(([, list]) => words(list));
  const bare = plain
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, '')
    .replaceAll(/\b(?:by|on|group_left)\s*\([^)]*\)/g, '');
  const names = [...bare.matchAll(/(?<![\w.])[a-zA-Z_:][\w:]*(?!\w|\s*\()/g)].map(([name]) => name);
  const used = names.filter((name) => !operators.test(name));
  const labels = new Set([...scrapeLabels, ...used.flatMap((name) => series.get(name) ?? [])]);
  return [
    ...used.filter((name) => !series.has(name)),
    ...[...grouped, ...matched].filter((label) => !labels.has(label)),
    ...(used.length === 0 ? [`no metric: ${query}`] : []),
  ];
}

const words = (text = ''): string[] => text.match(/[a-z_]+/g) ?? [];

describe('the alert rules and the dashboard', () => {
  test('name only metrics and labels that exist', () => {
    expect(queries.length).toBeGreaterThan(rules.length);
    expect(queries.flatMap(unknownNames)).toEqual([]);
  });

  test('ops/grafana/landfall.json ↔ scripts/dashboard (npm run manifest writes it)', () => {
    expect(read('ops/grafana/landfall.json')).toBe(dashboard());
  });

  test('every panel has a description, a unit and a title of its own', () => {
    const bare = panels.filter((panel) => !panel.description || !panel.fieldConfig?.defaults.unit);
    expect(bare.map(({ title }) => title)).toEqual([]);
    expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
  });

  test('the dashboard lets people choose the data source, the job and the instance', () => {
    expect(committed.templating.list.map(({ name }) => name)).toEqual(['datasource', 'job', 'instance']);
    const unfiltered = panelQueries.filter((query) => !/\{job=~"\$job", instance=~"\$instance"/.test(query));
    expect(unfiltered).toEqual([]);
  });

  test('every rule has a section in ops/runbook.md, in the same order, which begins with its severity', () => {
    const runbook = read('ops/runbook.md');
    const sections = [...runbook.matchAll(/^## (Landfall\w+)\n\n\*(Page|Ticket)\.\*/gm)];
    const ofRules = rules.map(({ alert, labels }) => [alert, labels.severity]);
    expect(sections.map(([, name, severity = '']) => [name, severity.toLowerCase()])).toEqual(ofRules);
    for (const { alert, annotations } of rules)
      expect(annotations.runbook_url).toBe(`ops/runbook.md#${alert.toLowerCase()}`);
    expect([...runbook.matchAll(/^## Landfall/gm)].length).toBe(rules.length);
  });

  test('the queries of ops/runbook.md name only metrics and labels that exist', () => {
    const code = [...read('ops/runbook.md').matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text);
    const shown = code.filter((text) => /\b(?:landfall|process|nodejs)_/.test(text));
    expect(shown.length).toBeGreaterThan(15);
    expect(shown.flatMap(unknownNames)).toEqual([]);
  });
});

describe('ops/systemd/landfall.service', () => {
  const unit = read('ops/systemd/landfall.service');
  const setting = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1] ?? '';

  test('runs the command of npm start, and waits longer than the bot takes to stop', () => {
    const { scripts } = JSON.parse(read('package.json'));
    const command = scripts.start.replace(' --env-file-if-exists=.env', '');
    expect(setting('ExecStart')).toBe(`/opt/landfall/node_modules/.bin/${command}`);
    expect(Number(setting('TimeoutStopSec'))).toBeGreaterThan(10);
  });

  test('has the Node that docs/hosting.md installs, without the scripts of other packages', () => {
    // `npm run test:image` carries them out.
    expect(installCommands(read('docs/hosting.md'))).toEqual([
      'npm ci --ignore-scripts',
      'npm rebuild node',
      'npm run prepare',
    ]);
    expect(JSON.parse(read('package.json')).allowScripts.node).toBe(true);
  });

  test.skipIf(noSystemd)('is accepted by systemd-analyze, which warns of nothing', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'landfall-unit-')), 'landfall.service');
    writeFileSync(file, unit.replaceAll('/opt/landfall', process.cwd()));
    const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
    expect({ status, printed: stdout + stderr }).toEqual({ status: 0, printed: '' });
  });
});

const hardened = {
  read_only: true,
  cap_drop: ['ALL'],
  security_opt: ['no-new-privileges:true'],
  mem_limit: expect.stringMatching(/^\d+[mg]$/),
  restart: 'unless-stopped',
};

test.each([
  ['compose.yaml', (text: string) => text],
  // The proxy in front of it.
  ['docs/hosting.md', (text: string) => /```yaml\n(services:.*?)```/s.exec(text)?.[1] ?? ''],
])('every service of %s has a read-only file system, a memory limit and no privileges', (path, yamlIn) => {
  const { services } = parse(yamlIn(read(path)), { merge: true });
  expect(Object.keys(services).length).toBeGreaterThan(0);
  expect(services).toMatchObject(Object.fromEntries(Object.keys(services).map((name) => [name, hardened])));
});

test('compose.yaml: the services write where their images write, and only PostgreSQL has capabilities', () => {
  const { services } = parse(read('compose.yaml'), { merge: true });
  const [, data] = /^VOLUME (.+)$/m.exec(read('Dockerfile')) ?? [];
  expect(services.landfall).toMatchObject({ volumes: [`data:${data}`], tmpfs: ['/tmp'] });
  expect(services.postgres.tmpfs).toContain('/var/run/postgresql');
  expect(Object.keys(services).filter((name) => 'cap_add' in services[name])).toEqual(['postgres']);
});

test('compose.yaml mounts only what exists, and Prometheus scrapes the port that it sets', () => {
  const { services } = parse(read('compose.yaml'));
  const mounts = z.array(z.string()).parse([...services.prometheus.volumes, ...services.grafana.volumes]);
  const local = mounts.filter((mount) => mount.startsWith('./')).map((mount) => mount.split(':')[0] ?? '');
  expect(local.length).toBe(3);
  expect(local.filter((path) => !existsSync(new URL(`../${path}`, import.meta.url)))).toEqual([]);
  const [job] = parse(read('ops/prometheus/prometheus.yml')).scrape_configs;
  const { METRICS_PORT: port } = services.landfall.environment;
  expect(job.static_configs).toEqual([{ targets: [`landfall:${port}`] }]);
  const [{ options }] = parse(read('ops/grafana/provisioning/dashboards/landfall.yml')).providers;
  expect(mounts).toContain(`./ops/grafana/landfall.json:${options.path}/landfall.json:ro`);
  const [{ url }] = parse(read('ops/grafana/provisioning/datasources/prometheus.yml')).datasources;
  expect(Object.keys(services)).toContain(new URL(url).hostname);
});

const title = noPromtool === undefined ? 'promtool' : `promtool (skipped: ${noPromtool})`;
describe.skipIf(noPromtool)(title, () => {
  test('accepts the rules and the scrape configuration', () => {
    expect(runPromtool('check', 'rules', rulesFile)).toContain(`${rules.length} rules found`);
    expect(runPromtool('check', 'config', 'ops/prometheus/prometheus.yml')).toContain('SUCCESS');
  });

  test('sees each alert fire, and stay quiet in a near miss', () => {
    expect(runPromtool('test', 'rules', ...testsFiles)).toContain('SUCCESS');
    const tests = testsFiles.map(read).join('\n');
    const tested = new Set([...tests.matchAll(/alertname: (\w+)/g)].map(([, name]) => name));
    expect([...tested].toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
  });

  test('can read every query of the dashboard', () => {
    const asRules = panelQueries.map((query, index) => ({
      record: `panel:query:${index}`,
      expr: query.replaceAll('$__rate_interval', '5m'),
    }));
    const file = join(mkdtempSync(join(tmpdir(), 'landfall-ops-')), 'panels.yml');
    writeFileSync(file, stringify({ groups: [{ name: 'panels', rules: asRules }] }));
    expect(runPromtool('check', 'rules', file)).toContain(`${asRules.length} rules found`);
  });
});
