// `npm run texts` prints every text that people may read, by feature: first as people see it, then as it is written in
// the source. `npm run texts -- watches` prints the texts of one feature.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { textsAsShown } from './texts/shown.ts';
import type { ShownText } from './texts/shown-text.ts';
import { type SourceText, textsInSource } from './texts/source.ts';

const root = new URL('..', import.meta.url);

/** All texts, by feature. */
export async function allTexts(): Promise<Record<string, ShownText[]>> {
  const shown = await textsAsShown();
  const inSource = Map.groupBy(textsInSource(root), featureOf);
  const groups = [...new Set([...Object.keys(shown), ...inSource.keys()])];
  const texts = groups.map((group): [string, ShownText[]] => [
    group,
    [
      ...(shown[group] ?? []),
      ...(inSource.get(group) ?? []).map(({ at, context, text }) => ({ context: `${at}  ${context}`, text })),
    ],
  ]);
  return { ...Object.fromEntries(texts), manifest: manifestTexts() };
}

/** The folder of the feature, or for other code the folder in `src/`. */
function featureOf({ at }: SourceText): string {
  const [, folder = '', inner = ''] = at.split('/');
  return folder === 'features' && !inner.includes('.ts') ? inner : folder.replace(/\.ts.*$/, '');
}

/** The names and descriptions in the manifest, with their paths: `features.shortcuts.0.name`. */
function manifestTexts(): ShownText[] {
  const texts: ShownText[] = [];
  const walk = (value: unknown, path: string): void => {
    if (typeof value === 'string' && /(?:name|description|hint)$/.test(path))
      texts.push({ context: `manifest.yml  ${path}`, text: value });
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) walk(inner, path === '' ? key : `${path}.${key}`);
  };
  walk(parse(readFileSync(new URL('manifest.yml', root), 'utf8')), '');
  return texts;
}

function print(groups: Record<string, ShownText[]>): string {
  return Object.entries(groups)
    .map(([group, texts]) => [`# ${group}`, ...texts.map(block)].join('\n\n'))
    .join('\n\n\n');
}

const block = ({ context, text }: ShownText): string => `${context}\n${text.replaceAll(/^/gm, '    ')}`;

if (import.meta.main) {
  const texts = await allTexts();
  const [, , wanted] = process.argv;
  const chosen = wanted === undefined ? texts : { [wanted]: texts[wanted] ?? [] };
  process.stdout.write(`${print(chosen)}\n`);
}
