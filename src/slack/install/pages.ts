import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import { uncapitalised } from '../../answers/formatting/words.ts';
import type { PublicLinks } from '../../config/config.ts';
import { ownLines } from '../../errors.ts';
import type { CommandHelp } from '../../features/ctx.ts';
import { whatIsMissing } from './scopes.ts';

type Html = ReturnType<typeof html>;

export interface Page {
  status: number;
  title: string;
  body: Html;
}

const styles = `
:root { color-scheme: light dark; --ink: #14212e; --soft: #4a5b6b; --ground: #f4f7f9; --card: #fff; --line: #d5dee6; --accent: #12304f; --on-accent: #fff; --link: #0b5394; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eef3; --soft: #a9b8c5; --ground: #0d1721; --card: #15222f; --line: #2c3d4d; --accent: #bfdcf5; --on-accent: #0d1721; --link: #8ec5f5; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1.0625rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
main, footer { max-width: 46rem; margin: 0 auto; padding: 2.5rem 1.25rem 1rem; }
footer { padding-top: 0; padding-bottom: 2.5rem; color: var(--soft); font-size: .9375rem; }
footer ul { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; list-style: none; margin: 0; padding: 1.25rem 0 0; border-top: 1px solid var(--line); }
.brand { display: flex; align-items: center; gap: .625rem; font-weight: 650; text-decoration: none; color: inherit; }
h1 { font-size: clamp(1.75rem, 1.3rem + 2vw, 2.5rem); line-height: 1.15; letter-spacing: -.015em; margin: 1.5rem 0 .75rem; text-wrap: balance; }
h2 { font-size: 1.1875rem; margin: 2.25rem 0 .5rem; }
p { margin: .75rem 0; } .lead { font-size: 1.1875rem; color: var(--soft); } .small { color: var(--soft); font-size: .9375rem; }
a { color: var(--link); } a:focus-visible { outline: 3px solid var(--link); outline-offset: 3px; border-radius: .25rem; }
.button { display: inline-block; margin: .75rem 0; padding: .75rem 1.375rem; border-radius: .5rem; background: var(--accent); color: var(--on-accent); font-weight: 650; text-decoration: none; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1.125rem 1.25rem; margin: 1.75rem 0; }
.card p { margin: .375rem 0; } .who { font-weight: 650; }
code { font: .9375em ui-monospace, monospace; white-space: nowrap; background: color-mix(in srgb, var(--line) 45%, transparent); padding: .1em .35em; border-radius: .25rem; }
table { border-collapse: collapse; width: 100%; margin: .75rem 0; } caption { text-align: left; color: var(--soft); font-size: .9375rem; padding-bottom: .25rem; }
th, td { text-align: left; padding: .375rem .75rem .375rem 0; border-bottom: 1px solid var(--line); vertical-align: top; } td.number, th.number { text-align: right; padding-right: 0; white-space: nowrap; }
li { margin: .375rem 0; }
`;

const styleHash = createHash('sha256').update(styles).digest('base64');

/** Nothing is loaded, and nothing runs; the address holds Slack's code, so no other site may see it. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

interface FooterLink {
  label: string;
  href: string;
}

/** A whole document, without scripts or files of its own. */
export function renderPage({ title, body }: Page, links: readonly FooterLink[]): string {
  const footer = links.map(({ label, href }) => html`<li><a href="${href}">${label}</a></li>`);
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${raw(styles)}</style>
</head>
<body>
<main>
<a class="brand" href="/">${logo}Landfall</a>
${body}
</main>
<footer>${footer.length > 0 ? html`<nav aria-label="About Landfall"><ul>${footer}</ul></nav>` : ''}</footer>
</body>
</html>
`);
}

const logo = html`<svg aria-hidden="true" width="30" height="30" viewBox="0 0 30 30"><rect width="30" height="30" rx="7" fill="#12304f"/><path d="M6 18h18l-3 5H9z" fill="#fff"/><path d="M10 17v-4h6v4zM17 17V9h3v8z" fill="#8ec5f5"/></svg>`;

export const installPath = '/slack/install';
export const redirectPath = '/slack/oauth_redirect';

const addToSlack = (label = 'Add to Slack'): Html =>
  html`<p><a class="button" href="${installPath}">${label}</a></p>`;

export function footerLinks({ privacy, support, status }: PublicLinks): FooterLink[] {
  const links = { 'Privacy policy': privacy, Support: support, Status: status };
  return Object.entries(links).flatMap(([label, href]) => (href === undefined ? [] : [{ label, href }]));
}

/** Whose account at the analytics service answers. */
export interface Offer {
  /** Workspaces may use the operator's. */
  isAccountIncluded: boolean;
  /** The service is the sandbox. */
  isInvented: boolean;
}

/** What Landfall is, with an example, for people who have not installed it. */
export const landingPage = (offer: Offer, commands: readonly CommandHelp[]): Page => ({
  status: 200,
  title: 'Landfall: vessel ETAs and alerts in Slack',
  body: html`<h1>Know where your vessels call next, without leaving Slack</h1>
<p class="lead">Landfall is for people who plan around ships: forwarders, port agents, carriers and shippers. Ask about a vessel, a port or a trade lane, and be notified in a thread when an answer you rely on changes.</p>
${addToSlack()}
<section class="card" aria-label="An example answer">
<p><span class="who">You</span> &nbsp;<code>/${commands[0]?.name} DS CYPRESS</code></p>
<p><span class="who">Landfall</span></p>
<p>DS CYPRESS: probably <strong>Rotterdam (NLRTM)</strong>, 82%, ETA Tue 24 Nov 06:00 (port time)</p>
<table>
<caption>Where it may call next (an example with invented data)</caption>
<thead><tr><th scope="col">Port</th><th scope="col">ETA, port time</th><th scope="col" class="number">Probability</th></tr></thead>
<tbody>
<tr><td>Rotterdam (NLRTM)</td><td>Tue 24 Nov 06:00</td><td class="number">82%</td></tr>
<tr><td>Antwerp (BEANR)</td><td>Wed 25 Nov 14:00</td><td class="number">13%</td></tr>
<tr><td>Hamburg (DEHAM)</td><td>Fri 27 Nov 02:00</td><td class="number">5%</td></tr>
</tbody>
</table>
</section>
<h2>What you can do with it</h2>
<ul>
${commands.flatMap(({ name, summary, wish }) =>
  wish
    ? html`<li><code>/${name}</code>: ${uncapitalised(summary)}.</li>
`
    : [],
)}</ul>
<h2>What you need</h2>
<p>${whatYouNeed(offer)}</p>
<p>Landfall shows predictions as they are, with their age. It uses no generative AI.</p>
${addToSlack()}`,
});

function whatYouNeed({ isAccountIncluded, isInvented }: Offer): string {
  const admin = 'An admin of your Slack workspace, who installs Landfall.';
  if (isInvented) {
    const account = isAccountIncluded
      ? 'You need no account.'
      : 'After the install, the admin connects one of its two accounts, which the form names.';
    return `${admin} This Landfall runs a sandbox: all vessels and figures are invented. ${account}`;
  }
  return isAccountIncluded
    ? `${admin} The predictions come from the Vessel Schedule Analytics Service. You need no account there, but the admin can connect yours.`
    : `${admin} You also need an account at the Vessel Schedule Analytics Service, where the predictions come from: the admin connects it after the install.`;
}

export interface InstalledFacts {
  /** Of the workspace, or of the organisation. */
  name: string;
  isOrgWide: boolean;
  scopes: readonly string[];
  /** The scopes of the installation before; undefined for the first. */
  scopesBefore: readonly string[] | undefined;
  /** Slack's link to the app. */
  openUrl: string;
  /** The page was shown before. */
  isReload: boolean;
}

/** The app is installed. */
export function installedPage(facts: InstalledFacts, app: { isAgent: boolean }): Page {
  const { name, isOrgWide, scopes, scopesBefore, openUrl, isReload } = facts;
  const place = isOrgWide ? `the organisation ${name}` : name;
  const added = scopes.filter((scope) => scopesBefore && !scopesBefore.includes(scope));
  const state = isReload || !scopesBefore ? 'is installed in' : 'is up to date in';
  return {
    status: 200,
    title: `Landfall ${state} ${place}`,
    body: html`<h1>Landfall ${state} ${place}</h1>
${isReload ? html`<p>You have seen this page before: there is nothing more to install.</p>` : ''}
${added.length > 0 ? html`<p>It may now also use: ${scopeList(added)}.</p>` : ''}
${
  isOrgWide
    ? html`<p>An admin of the organisation chooses the workspaces that have it. Each workspace is set up when somebody first uses Landfall there.</p>`
    : ''
}
<p>Next: open Landfall in Slack. Its Home tab shows the first steps, and <code>/${ownLines.help}</code> lists all commands.</p>
<p><a class="button" href="${openUrl}">Open Slack</a></p>
${missingPart(whatIsMissing(scopes, { isHttp: true, ...app }))}`,
  };
}

function missingPart(missing: ReturnType<typeof whatIsMissing>): Html | string {
  if (missing.length === 0) return '';
  const rows = missing.map(({ scope, consequence }) => html`<li><code>${scope}</code>: ${consequence}.</li>`);
  return html`<h2>What you left out</h2>
<ul>${rows}</ul>
<p>Everything else works. You can <a href="${installPath}">allow it later</a>.</p>`;
}

function scopeList(scopes: readonly string[]): Html {
  return html`${scopes.map((scope, index) => html`${index > 0 ? ', ' : ''}<code>${scope}</code>`)}`;
}

const failure = (options: { status: number; title: string; text: string; button?: string }): Page => ({
  status: options.status,
  title: options.title,
  body: html`<h1>${options.title}</h1><p>${options.text}</p>${addToSlack(options.button)}`,
});

export const cancelledPage = failure({
  status: 200,
  title: 'Nothing was installed',
  text: "You cancelled on Slack's page. You can start again whenever you like.",
});

/** Slack's admin pages start an install without our state, so somebody could be led to install. */
export const missingStatePage = failure({
  status: 400,
  title: 'Please start the install here',
  text: "This install was started somewhere else, such as on Slack's admin pages, so Landfall can't tell that it was you. Nothing was stored. Press the button: it takes one more click.",
});

export const invalidStatePage = failure({
  status: 400,
  title: 'This install has expired',
  text: 'It was started more than ten minutes ago or in another browser, or cookies are blocked. Nothing was stored. If Landfall is in Slack already, there is nothing more to do.',
  button: 'Start again',
});

export const usedCodePage = failure({
  status: 400,
  title: 'This link was used already',
  text: "Slack's permission works once and for ten minutes. If Landfall is in Slack already, there is nothing more to do.",
  button: 'Start again',
});

export const busyPage: Page = {
  status: 503,
  title: 'Too many installs at once',
  body: html`<h1>Too many installs at once</h1><p>Nothing was stored yet. Please reload this page in a minute: Slack's permission works for ten.</p>`,
};

export const unreachablePage = failure({
  status: 502,
  title: 'Slack did not answer',
  text: 'So nothing was installed. Please try again in a minute.',
  button: 'Try again',
});

/** `code` is Slack's error code. */
export const refusedPage = (code: string): Page =>
  failure({
    status: 400,
    title: 'Slack refused the install',
    text: `Slack's reason: ${code}. Nothing was stored. If it happens again, ask an admin of your workspace, or whoever runs this site.`,
    button: 'Try again',
  });

/** `ref` is in the log. */
export const brokenPage = (ref: string): Page =>
  failure({
    status: 500,
    title: 'Something broke on our side',
    text: `The install was not finished. Please try again in a minute. If it happens again, tell whoever runs this site, with this reference: ${ref}.`,
    button: 'Try again',
  });
