// Texts that are derived from the code: scripts/manifest.ts writes them, and test/drift.test.ts checks that the files
// are up to date.
import { parse, stringify } from 'yaml';
import { type Definition, definitions } from '../src/app/metrics/metrics.ts';
import { settings } from '../src/config/config.ts';
import { ownLines } from '../src/errors.ts';
import { maxExportRows } from '../src/features/export/index.ts';
import { commands } from '../src/features/index.ts';
import { exportFormats } from '../src/grammar/line.ts';
import { steps } from '../src/slack/steps/steps.ts';
import { pictures } from './pictures/list.ts';

/** “`as xlsx`, `as csv` or `as json`” */
const formatsInWords = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(
  exportFormats.map((format) => `\`as ${format}\``),
);

const registry = commands.filter(({ isUnderLandfall }) => !isUnderLandfall);
const questionsUnderLandfall = commands
  .filter(({ isUnderLandfall }) => isUnderLandfall)
  .flatMap(({ questions }) => questions);

const optional = (value: unknown) => (value === undefined ? '' : String(value));

function defaultOf(name: keyof typeof settings): string {
  return optional(settings[name].schema.safeParse(undefined).data);
}

const names = Object.keys(settings) as (keyof typeof settings)[]; // Object.keys forgets its keys' type

/** Replaces the text between two marker lines; throws if one is missing. */
function between(text: string, { start, end, body }: { start: string; end: string; body: string }): string {
  const from = text.indexOf(start);
  const to = text.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`The markers "${start}" and "${end}" are missing`);
  return `${text.slice(0, from + start.length)}\n${body}${text.slice(to)}`;
}

export function envExample(): string {
  const keys = names.map((name) => {
    const { description } = settings[name];
    const value = defaultOf(name);
    return `# ${description}\n${value ? `# ${name}=${value}` : `# ${name}=`}\n`;
  });
  return `# Settings of Landfall. Copy this file to .env and uncomment what you set. Every setting is optional or has a default.\n\n${keys.join('\n')}`;
}

export function settingsPage(): string {
  const rows = names.map(
    (name) => `| \`${name}\` | ${defaultOf(name) || '(none)'} | ${settings[name].description} |`,
  );
  return [
    '# Settings',
    '',
    "Settings are environment variables, or lines of the file `.env` beside `package.json`. An empty value counts as not set. If a setting is wrong or incomplete, Landfall doesn't start, and one message names every faulty key.",
    '',
    '| setting | default | meaning |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

export function commandsPage(): string {
  const parts = registry.map(({ name, summary, usage, examples, questions, options, optionsNote }) =>
    [
      `## /${name}`,
      '',
      `${summary}.`,
      '',
      '```',
      `/${name}${usage ? ` ${usage}` : ''}`,
      '```',
      '',
      'For example:',
      '',
      '```',
      ...examples.map((line) => `/${line}`),
      '```',
      '',
      ...(questions.length === 0
        ? []
        : [
            'Or ask in plain words:',
            '',
            ...[...questions, ...(name === ownLines.all ? questionsUnderLandfall : [])].map(
              ({ example }) => `- ${example}`,
            ),
            '',
          ]),
      ...(options.length === 0
        ? []
        : [
            ...(optionsNote === '' ? [] : [`${optionsNote}.`, '']),
            '| option | what it does |',
            '|---|---|',
            ...options.map(
              ({ typed, help }) => `| \`${typed.replaceAll('|', '\\|')}\` | ${help.replaceAll('|', '\\|')} |`,
            ),
            '',
          ]),
      ...pictures
        .filter(({ command }) => command === name)
        .flatMap(({ name, alt, line, caption }) => [
          `\`${line}\`: ${caption}.`,
          '',
          `![${alt}](images/${name}.webp)`,
          '',
        ]),
    ].join('\n'),
  );
  return [
    '# Commands',
    '',
    'The same lines work without the slash in a direct message, after `@Landfall` in a channel, after `/landfall`, and in the terminal (`npm run ask -- nextport 9461477`). Answers are private unless the line ends in `public` or the settings of the channel say otherwise.',
    '',
    'Plain questions work everywhere too: “Where is EVER GIVEN?”, “Who is coming to Antwerp this weekend?”. The answer says as which line a question was understood; in the thread of a watch, “it” is the vessel of that watch. A question never changes anything: a wish such as “tell me if EVER GIVEN changes” is offered as a button.',
    '',
    'A text that is no question, such as a mail, is read by the vessels, ports, carriers and periods that it names. Unknown names, times and figures are asked about. A misspelt word is corrected where it is near one known word and no other; the answer says so, and only the person who asks sees it. Lines that change something are never corrected: they ask.',
    '',
    `A line that asks can end in ${formatsInWords}: then you get a file with all rows of the answer. [exports.md](exports.md) says what the files hold.`,
    '',
    ...parts,
  ].join('\n');
}

/** What the files of `… as csv` hold: people's spreadsheets rely on the columns. */
export function exportsPage(): string {
  const parts = commands.flatMap(({ name, isUnderLandfall, tables }) =>
    tables.map((table) =>
      [
        `## ${table.name}`,
        '',
        `From \`/${isUnderLandfall ? 'landfall ' : ''}${name}\`. A row: ${table.about}.`,
        '',
        '| column | what it holds |',
        '|---|---|',
        ...table.columns.map(({ key, about }) => `| \`${key}\` | ${about.replaceAll('|', '\\|')} |`),
        '',
      ].join('\n'),
    ),
  );
  return [
    '# Exports',
    '',
    `Any line that asks for a table can end in ${formatsInWords}: \`/portcalls Rotterdam next 3 days as xlsx\`. “Export for Excel (.xlsx)” and “Export as CSV” in the ⋯ menu under an answer do the same. The file has all rows of the answer, not only those of the page, and no more than you may see.`,
    '',
    '- In Slack it comes as a direct message from Landfall, wherever you ask; nobody else sees it, so a line with `public` is refused, and a digest sends no files. If the workspace did not grant the scope `files:write`, you get the first rows as text.',
    '- In the terminal the file goes to the output, and nothing else: `npm run ask --silent -- portcalls Rotterdam as csv > calls.csv`.',
    `- A file has at most ${maxExportRows.toLocaleString('en')} rows; if there are more, the answer says so.`,
    '- The columns below keep their names and their meaning. New ones may be added at the end.',
    '- Times such as `eta` are in UTC (`2026-11-23T14:05:00Z`). `eta_local` is by the clock of the port (`2026-11-23 15:05`), which a spreadsheet reads as a date. Probabilities run from 0 to 1.',
    '- `source` is `invented data` in each row that comes from the sandbox.',
    '',
    '**XLSX** is a workbook with a sheet for each table of the answer, which every spreadsheet opens as it is: dates, percentages and numbers are typed cells, the headings stay in view. The first sheet is the table of CSV and JSON; the figures of a chart have a sheet of their own. Times are in UTC, `eta_local` by the clock of the port.',
    '',
    '**CSV** is RFC 4180: commas, line ends CR LF, a heading, UTF-8. The file in Slack begins with a byte order mark, so that Excel reads names with accents; the output of the terminal has none. Programs read it everywhere; Excel in a country with a decimal comma expects semicolons and shows one column, so take the XLSX file there. A text that a spreadsheet would run as a formula, since it begins with `=`, `+`, `-`, `@` or a tab, gets an apostrophe in front, also after a semicolon or a line break inside it. Numbers stay numbers, and an empty cell means that there is no value.',
    '',
    '**JSON** is an array with an object for each row, with the columns as its keys. Numbers and `true` or `false` keep their types, and `null` means that there is no value. Texts are as they were typed, without apostrophes.',
    '',
    ...parts,
  ].join('\n');
}

/** Updates the derived parts of the manifest. */
export function manifest(current: string): string {
  const commands = registry
    .map(({ name, summary, usageHint }) =>
      [
        `    - command: /${name}`,
        `      description: ${JSON.stringify(summary)}`,
        ...(usageHint ? [`      usage_hint: ${JSON.stringify(usageHint)}`] : []),
        '      should_escape: true',
      ].join('\n'),
    )
    .join('\n');
  const withCommands = between(current, {
    start: '  # derived: slash commands',
    end: '  # end of derived',
    body: `  slash_commands:\n${commands}\n`,
  });
  return between(withCommands, {
    start: '# derived: custom steps',
    end: '# end of custom steps',
    body: stringify({ functions: steps }, { lineWidth: 0 }),
  });
}

/** The link to Slack's page for creating an app, with the manifest filled in. */
export function createAppUrl(manifestText: string): string {
  return `https://api.slack.com/apps?new_app=1&manifest_json=${encodeURIComponent(JSON.stringify(parse(manifestText)))}`;
}

export function metricsPage(): string {
  const rows = Object.entries<Definition>(definitions).map(([name, { type, help, labels = [] }]) => {
    const labelNames = labels.map((label) => `\`${label}\``).join(', ');
    return `| \`${name}\` | ${type} | ${labelNames} | ${help.replaceAll('|', '\\|')} |`;
  });
  const shared = Object.entries<Definition>(definitions).flatMap(([name, { isShared }]) =>
    isShared ? [`\`${name}\``] : [],
  );
  return [
    '# Metrics',
    '',
    'With `METRICS_PORT` set, each process of Landfall serves `/metrics` to Prometheus at that port of `HOST`. There is no password, so let only Prometheus reach the port. Times are in seconds, sizes in bytes, and no label is the id of a person, a channel, a vessel or a workspace. ops/ has a dashboard, alert rules and a runbook.',
    '',
    '| metric | type | labels | meaning |',
    '|---|---|---|---|',
    ...rows,
    '',
    `Read from the store, and so the same in each process that shares it (take the \`max\` over instances, not the sum): ${shared.join(', ')}. Without the store they are absent. All others are of one process, since its start.`,
    '',
    "The metrics of Node.js and the process are there too (`process_…`, `nodejs_…`). `nodejs_eventloop_lag_p99_seconds` is measured since the scrape before, so let one Prometheus scrape a process; an idle process shows 0.01, the timer's resolution.",
    '',
  ].join('\n');
}
