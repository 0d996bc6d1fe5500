import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { startFlags } from '../bench/subject.ts';
import { assistantsPage } from '../scripts/assistants.ts';
import {
  commandsPage,
  createAppUrl,
  envExample,
  exportsPage,
  manifest,
  metricsPage,
  settingsPage,
} from '../scripts/derived.ts';
import { pictures } from '../scripts/pictures/list.ts';
import { kindOf } from '../scripts/release.ts';
import { asAgent, httpManifest, type Manifest, publicManifest } from '../src/app/manifest.ts';
import { settings } from '../src/config/config.ts';
import { linkDomains } from '../src/features/links/index.ts';
import { createVesselDirectory } from '../src/grammar/vessel-directory.ts';
import { exampleVessels } from '../src/reference/codes.ts';
import { botEvents, optionalScopes, scopesOf } from '../src/slack/install/scopes.ts';
import { steps } from '../src/slack/steps/steps.ts';
import { commands, parseLine } from './support/registry.ts';

const registry = commands.filter(({ isUnderLandfall }) => !isUnderLandfall);

const at = (path: string) => new URL(`../${path}`, import.meta.url);
const read = (path: string) => readFileSync(at(path), 'utf8');
const docs = [...globSync('*.md'), ...globSync('docs/*.md'), ...globSync('ops/*.md')];
const file = parse(read('manifest.yml'));
const [cypress] = exampleVessels;
const documentedVessels = createVesselDirectory(
  exampleVessels,
  new Map(cypress ? [[cypress.imo, ['BK123']]] : []),
);

/** Slack sends people and channels as their ids. */
const asSent = (line: string): string =>
  line.replaceAll(/@\w+/g, '<@U0123456789>').replaceAll(/#(\w+)/g, '<#C0123456789|$1>');

/** The anchors of a page's headings, as GitHub makes them. */
const anchors = (page: string): string[] =>
  [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  );

describe('files derived from the code (npm run manifest writes them)', () => {
  test('manifest.yml ↔ registry', () => {
    expect(read('manifest.yml')).toBe(manifest(read('manifest.yml')));
    expect(file.features.slash_commands.map(({ command }: { command: string }) => command)).toEqual(
      registry.map(({ name }) => `/${name}`),
    );
    // Slack's composer cuts off a longer one.
    const { slash_commands } = file.features;
    const tooLong = slash_commands.filter(({ usage_hint = '' }) => [...usage_hint].length > 60);
    expect(tooLong).toEqual([]);
  });

  test('.env.example and docs/settings.md ↔ config', () => {
    expect(read('.env.example')).toBe(envExample());
    expect(read('docs/settings.md')).toBe(settingsPage());
  });

  test("the image's command ↔ npm start, without its .env", () => {
    const [, command] = /^CMD (\[.*\])$/m.exec(read('Dockerfile')) ?? [];
    const { scripts } = JSON.parse(read('package.json'));
    expect(JSON.parse(command ?? '').join(' ')).toBe(scripts.start.replace(' --env-file-if-exists=.env', ''));
    for (const flag of startFlags) expect(scripts.start).toContain(flag);
  });

  test('docs/commands.md ↔ registry', () => {
    expect(read('docs/commands.md')).toBe(commandsPage());
  });

  test('docs/assistants.md ↔ the tools of the registry', () => {
    expect(read('docs/assistants.md')).toBe(assistantsPage());
  });

  test('docs/exports.md ↔ the tables of the registry', () => {
    expect(read('docs/exports.md')).toBe(exportsPage());
    const keys = commands.flatMap(({ tables }) => tables.map(({ columns }) => columns.map(({ key }) => key)));
    for (const columns of keys) {
      expect(new Set(columns).size).toBe(columns.length);
      expect(columns.filter((key) => !/^[a-z][a-z0-9_]*$/.test(key))).toEqual([]);
    }
  });

  test('docs/metrics.md ↔ the metrics', () => {
    expect(read('docs/metrics.md')).toBe(metricsPage());
  });

  test('the link that creates the app (`npm run manifest -- --link` in the README) ↔ manifest.yml', () => {
    const { searchParams } = new URL(createAppUrl(read('manifest.yml')));
    expect(JSON.parse(searchParams.get('manifest_json') ?? '')).toEqual(file);
    expect(read('README.md')).toContain('`npm run manifest -- --link`');
  });

  test('.node-version ↔ the Node that `npm ci` installs; CI and the image use its major version', () => {
    const { devDependencies } = JSON.parse(read('package.json'));
    const version = read('.node-version').trim();
    expect(version).toBe(devDependencies.node);
    const [major] = version.split('.');
    expect(parse(read('.github/workflows/ci.yml')).jobs.ci.container).toBe(`node:${major}`);
    expect(read('Dockerfile').match(/^FROM node:\d+/gm)).toEqual([
      `FROM node:${major}`,
      `FROM node:${major}`,
    ]);
  });

  test('the files of .github are YAML; CI and releases use actions by their commit', () => {
    const files = globSync('.github/**/*.yml');
    expect(files.length).toBeGreaterThan(5);
    for (const path of files) expect(parse(read(path)), path).toBeTypeOf('object');
    const uses = files.flatMap((path) =>
      [...read(path).matchAll(/uses: (\S+)/g)].map(([, action]) => action),
    );
    expect(uses.filter((action) => !/^\.\/|@[0-9a-f]{40}$/.test(action ?? ''))).toEqual([]);
  });

  test('the changes that are not released yet have a kind, and text', () => {
    for (const name of readdirSync(at('changes')).filter((name) => name !== 'README.md')) {
      expect(() => kindOf(name)).not.toThrow();
      expect(read(`changes/${name}`)).toMatch(/^[^-\s#].*\n$/);
    }
  });

  test('every npm command of the README runs in CI; the starts run in test/app/process.test.ts', () => {
    const shown = [...read('README.md').matchAll(/\bnpm (?:start|[^`\n&#]+)/g)].map(([text]) => text.trim());
    expect(shown.length).toBeGreaterThan(5);
    const ran = read('.ci/run')
      .replaceAll(/^(?:\w+=\S+ )+/gm, '')
      .split('\n');
    expect(
      shown.filter((line) => !/^npm (?:start|run start:(?:agent|many))$/.test(line) && !ran.includes(line)),
    ).toEqual([]);
  });

  test('CI runs every script of package.json, itself or by another one, so that one that fails is noticed', () => {
    const { scripts } = JSON.parse(read('package.json'));
    const commands = [read('.ci/run'), ...Object.values(scripts)].join('\n');
    const ran = [...commands.matchAll(/^(?!#).*?\bnpm (?:run )?([\w:-]+)/gm)].map(([, name]) => name);
    // npm runs these with `npm ci` and `npm start`.
    const names = Object.keys(scripts).filter((name) => !['prepare', 'prestart'].includes(name));
    expect(names.filter((name) => !ran.includes(name))).toEqual([]);
  });

  test('the docs name only npm scripts and settings that exist', () => {
    const { scripts } = JSON.parse(read('package.json'));
    const used = docs.flatMap((doc) =>
      [...read(doc).matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name = '']) => ({ doc, name })),
    );
    expect(used.filter(({ name }) => !(name in scripts))).toEqual([]);
    const hosting = read('docs/hosting.md');
    expect(used.filter(({ doc }) => doc === 'docs/hosting.md').length).toBeGreaterThan(10);
    // In code, or at the start of a line of .env.
    const names = [...hosting.matchAll(/(?:`|^)([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:`|=)/gm)].map(
      ([, name = '']) => name,
    );
    const known = [...Object.keys(settings), 'POSTGRES_PASSWORD', 'NODE_EXTRA_CA_CERTS'];
    expect(names.length).toBeGreaterThan(20);
    expect(names.filter((name) => !known.includes(name))).toEqual([]);
  });

  test('docs/hosting.md ↔ compose.yaml and npm run workspaces', () => {
    const hosting = read('docs/hosting.md');
    const { services } = parse(read('compose.yaml'));
    const [, override] = /```yaml\n(services:.*?)```/s.exec(hosting) ?? [];
    const { caddy } = parse(override ?? '').services;
    expect(caddy.depends_on.every((name: string) => name in services)).toBe(true);
    expect(services.landfall.ports).toEqual(['127.0.0.1:3000:3000']);
    expect(caddy.command).toMatch(/--to landfall:3000$/);
    const executed = [...hosting.matchAll(/^docker compose (?:exec|logs --follow) (\w+)/gm)];
    expect(executed.length).toBeGreaterThan(1);
    for (const [, service = ''] of executed) expect(services).toHaveProperty(service);
    const verbs = [...hosting.matchAll(/npm run workspaces -- (\w+)/g)].map(([, verb]) => verb);
    expect(new Set(verbs)).toEqual(new Set(['pause', 'resume', 'remove', 'help']));
  });

  test('the docs name only files that exist', () => {
    const missing = docs.flatMap((doc) => {
      const text = read(doc);
      const paths = [...text.matchAll(/`((?:src|test|docs|bench|scripts|ops|playground)\/[^\s`<]*)`/g)].map(
        ([, path]) => path,
      );
      const links = [...text.matchAll(/(?:\]\(|src=")([^)":#]+)[)"]/g)].map(([, to = '']) =>
        join(dirname(doc), to),
      );
      return [...paths, ...links]
        .filter((path) => !path || !existsSync(at(path)))
        .map((path) => `${doc}: ${path}`);
    });
    expect(missing).toEqual([]);
  });

  test('docs/images ↔ the pictures of `npm run pictures`, with their words', () => {
    expect(globSync('docs/images/*').toSorted()).toEqual(
      pictures.map(({ name }) => join('docs', 'images', `${name}.webp`)).toSorted(),
    );
    const shown = docs.flatMap((doc) => [
      ...[...read(doc).matchAll(/!\[([^\]]*)\]\((?:docs\/)?images\/([\w-]+)\.webp\)/g)],
      ...[...read(doc).matchAll(/alt="([^"]*)"[^>]*src="[^"]*images\/([\w-]+)\.webp"/g)],
      ...[...read(doc).matchAll(/src="[^"]*images\/([\w-]+)\.webp"[^>]*alt="([^"]*)"/g)].map(
        ([all, name, alt]) => [all, alt, name],
      ),
    ]);
    const words = new Set(shown.map(([, alt, name]) => `${name}: ${alt}`));
    expect([...words].toSorted()).toEqual(pictures.map(({ name, alt }) => `${name}: ${alt}`).toSorted());
  });

  test('links to a heading find it', () => {
    const missing = docs.flatMap((doc) =>
      [...read(doc).matchAll(/\]\(([^)\s:#]*)#([^)\s]+)\)/g)]
        .filter(([, to = '', anchor = '']) => !anchors(to ? join(dirname(doc), to) : doc).includes(anchor))
        .map(([link]) => `${doc}: ${link}`),
    );
    expect(missing).toEqual([]);
  });

  test('the docs show only command lines that can be typed', () => {
    // docs/commands.md is derived from the commands, whose examples are tested; the changelog has former lines too.
    const pages = docs.filter((doc) => !['docs/commands.md', 'CHANGELOG.md'].includes(doc));
    const names = commands.map(({ name }) => name).join('|');
    const shown = pages.flatMap((doc) =>
      [...read(doc).matchAll(new RegExp(`\`/((?:${names}) [^\`…]+)\``, 'g'))].map(([, line = '']) => ({
        doc,
        line,
      })),
    );
    expect(shown.length).toBeGreaterThan(25);
    const refused = shown.flatMap(({ doc, line }) => {
      try {
        parseLine(asSent(line), { vessels: documentedVessels });
        return [];
      } catch (error) {
        return [`${doc}: ${line}: ${error}`];
      }
    });
    expect(refused).toEqual([]);
  });

  test('docs/scopes.md gives a reason for each scope of the manifest, and for no other', () => {
    const reasons = [...read('docs/scopes.md').matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell]) =>
      [...(cell ?? '').matchAll(/`([a-z:_]+)`/g)].map(([, scope]) => scope),
    );
    expect(reasons.toSorted()).toEqual(scopesOf({ isHttp: true, isAgent: true }).toSorted());
  });
});

describe('manifest.yml', () => {
  const origin = 'https://landfall.example';
  const forMany = () => publicManifest(read('manifest.yml'), { origin, rotation: false });

  test("follows Slack's JSON schema, in all its variants", () => {
    // Slack publishes it in slackapi/manifest-schema.
    const schema = z.fromJSONSchema(JSON.parse(read('test/support/slack-manifest.schema.json')));
    const plain = [file, httpManifest(read('manifest.yml'), origin), forMany()];
    for (const variant of [...plain, ...plain.map(asAgent)])
      expect(schema.safeParse(variant).error?.issues).toBeUndefined();
    const wrong = { ...file, settings: { ...file.settings, request_url: origin } };
    expect(schema.safeParse(wrong).success).toBe(false);
  });

  test('asks for the scopes that an install asks for', () => {
    const asked = ({ oauth_config }: Manifest) => [...oauth_config.scopes.bot].toSorted();
    const inSocketMode = { isHttp: false, isAgent: false };
    const overHttp = { isHttp: true, isAgent: false };
    expect(asked(file)).toEqual(scopesOf(inSocketMode).toSorted());
    expect(asked(forMany())).toEqual(scopesOf(overHttp).toSorted());
    expect(asked(asAgent(file))).toEqual(scopesOf({ ...inSocketMode, isAgent: true }).toSorted());
    expect(asked(asAgent(forMany()))).toEqual(scopesOf({ ...overHttp, isAgent: true }).toSorted());
    const { bot_optional = [] } = asAgent(forMany()).oauth_config.scopes;
    expect(bot_optional.toSorted()).toEqual(optionalScopes({ ...overHttp, isAgent: true }).toSorted());
  });

  test('subscribes to the events that the bot listens to', () => {
    expect(file.settings.event_subscriptions.bot_events).toEqual(botEvents);
    const sources = globSync('src/slack/**/*.ts').map(read).join('\n');
    const handled = [...sources.matchAll(/app\.event\('(\w+)'|^ {2}((?:channel|group)_\w+): /gm)].flatMap(
      ([, name, key]) => name ?? key ?? [],
    );
    // Messages have an event of their own for each kind of channel.
    expect([...handled, 'message.im'].toSorted()).toEqual(botEvents.toSorted());
  });

  test('names the sites whose links are read', () => {
    expect(file.features.unfurl_domains).toEqual(linkDomains);
    const docs = read('docs/links.md');
    for (const domain of linkDomains) expect(docs).toContain(`| ${domain} |`);
  });

  test('has a variant that many workspaces and organisations install', () => {
    const { settings, oauth_config, features } = forMany();
    expect(settings).toMatchObject({
      org_deploy_enabled: true,
      socket_mode_enabled: false,
      token_rotation_enabled: false,
    });
    expect(oauth_config.redirect_urls).toEqual([`${origin}/slack/oauth_redirect`]);
    const optional = optionalScopes({ isHttp: true, isAgent: false });
    expect(oauth_config.scopes.bot_optional).toEqual(optional);
    expect(oauth_config.scopes.bot).toEqual(expect.arrayContaining(optional));
    expect(features.slash_commands.every(({ url }) => url === `${origin}/slack/events`)).toBe(true);
    expect(forMany()).not.toHaveProperty('functions');
    expect(settings).not.toHaveProperty('function_runtime');
    expect(settings.event_subscriptions.bot_events).not.toContain('function_executed');
    const rotating = publicManifest(read('manifest.yml'), { origin, rotation: true });
    expect(rotating.settings.token_rotation_enabled).toBe(true);
    expect(settings.event_subscriptions).toMatchObject({
      bot_events: expect.arrayContaining(['app_uninstalled', 'tokens_revoked']),
    });
  });

  test('escapes what is typed, and lets people write to the bot', () => {
    for (const command of file.features.slash_commands) expect(command.should_escape).toBe(true);
    expect(file.features.app_home).toMatchObject({
      messages_tab_enabled: true,
      messages_tab_read_only_enabled: false,
    });
  });

  test('declares the custom steps, unless the app is distributed', () => {
    for (const variant of [file, httpManifest(read('manifest.yml'), origin)]) {
      expect(variant.functions).toEqual(steps);
      expect(variant.settings).toMatchObject({ function_runtime: 'remote', org_deploy_enabled: true });
    }
    for (const [id, { input_parameters, output_parameters }] of Object.entries(steps)) {
      expect(id.length).toBeLessThanOrEqual(100);
      expect(Object.keys({ ...input_parameters, ...output_parameters }).length).toBeLessThanOrEqual(20);
    }
  });

  test('has a variant for HTTP delivery: every address set, Socket Mode off', () => {
    const url = `${origin}/slack/events`;
    const { settings, features } = httpManifest(read('manifest.yml'), origin);
    expect(settings).toMatchObject({
      socket_mode_enabled: false,
      event_subscriptions: { request_url: url },
      interactivity: { request_url: url },
    });
    expect(features.slash_commands.every((command) => command.url === url)).toBe(true);
  });
});
