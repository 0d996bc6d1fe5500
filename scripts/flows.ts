// `npm run flows` counts the files of the bot that three flows run through. A file counts if one of its functions runs,
// not if it is only imported; the sandbox and the playground don't count. --list names the files by folder; --json prints
// the lists only.
import { basename, dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { startCoverage } from './flows/coverage.ts';
import { answerInSlack, firstAnswer, postAlert } from './flows/drive.ts';

const flows = {
  '/nextport 9461477 in Slack, asked again': answerInSlack,
  'a due poll to its posted alert': postAlert,
  'the first answer after an install': firstAnswer,
};

const { values } = parseArgs({
  options: { list: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
});

const { take, stop } = await startCoverage();
const filesOf: Record<string, string[]> = {};
for (const [name, drive] of Object.entries(flows)) filesOf[name] = await drive(take);
stop();

process.stdout.write(values.json ? `${JSON.stringify(filesOf, null, 2)}\n` : asText(filesOf));

function asText(filesOf: Record<string, string[]>): string {
  return Object.entries(filesOf)
    .map(([name, files]) => `${files.length} files: ${name}\n${values.list ? byFolder(files) : ''}`)
    .join('');
}

function byFolder(files: readonly string[]): string {
  return [...Map.groupBy(files, dirname)]
    .map(([folder, inside]) => `  ${folder}: ${inside.map((file) => basename(file, '.ts')).join(', ')}\n`)
    .join('');
}
