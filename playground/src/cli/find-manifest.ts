import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { type Manifest, readManifest } from '../manifest.ts';
import { UsageError } from './usage-error.ts';

const NAMES = ['manifest.json', 'manifest.yml', 'manifest.yaml'];

/** Reads the named manifest, or the one in the current folder. Throws UsageError. */
export function findManifest(named: string | undefined): { text: string; manifest: Manifest } {
  const path = named ?? NAMES.find((name) => existsSync(name));
  if (path === undefined)
    throw new UsageError(
      `There is no ${NAMES.join(', ')} here. Name your app's manifest with --manifest FILE: at https://api.slack.com/apps, it is under “App Manifest”.`,
    );
  if (!existsSync(path)) throw new UsageError(`There is no file ${path}.`);
  const text = readFileSync(path, 'utf8');
  try {
    return { text, manifest: readManifest(text) };
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new UsageError(`${path} isn't a Slack app manifest:\n${reason}`);
  }
}
