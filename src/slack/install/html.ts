import { createHash } from 'node:crypto';

/** Markup whose values are escaped. */
export interface Html {
  readonly markup: string;
}

type Part = string | Html | readonly Html[];

/** A template of markup: strings are escaped, markup and lists of it are not. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  markup: texts.map((text, index) => text + markupOf(parts[index] ?? '')).join(''),
});

function markupOf(part: Part): string {
  if (typeof part === 'string') return escaped(part);
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('');
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (letter) => entities[letter] ?? '');

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

export interface FooterLink {
  label: string;
  href: string;
}

/** A whole document, without scripts or files of its own. */
export function renderPage({ title, body }: Page, links: readonly FooterLink[]): string {
  const footer = links.map(({ label, href }) => html`<li><a href="${href}">${label}</a></li>`);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${{ markup: styles }}</style>
</head>
<body>
<main>
<a class="brand" href="/">${logo}Landfall</a>
${body}
</main>
<footer>${footer.length > 0 ? html`<nav aria-label="About Landfall"><ul>${footer}</ul></nav>` : ''}</footer>
</body>
</html>
`.markup;
}

const logo = html`<svg aria-hidden="true" width="30" height="30" viewBox="0 0 30 30"><rect width="30" height="30" rx="7" fill="#12304f"/><path d="M6 18h18l-3 5H9z" fill="#fff"/><path d="M10 17v-4h6v4zM17 17V9h3v8z" fill="#8ec5f5"/></svg>`;
