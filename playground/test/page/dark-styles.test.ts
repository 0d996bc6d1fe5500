import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const stylesheets = globSync(`${import.meta.dirname}/../../page/styles/*.css`).map((path) =>
  readFileSync(path, 'utf8'),
);
const media = '@media (prefers-color-scheme: dark) {';

test('dark differs from light in colours only, since axe checks only these in dark', () => {
  const darkParts = stylesheets.flatMap((css) => css.split(media).slice(1));
  const declarations = darkParts.flatMap((part) => part.slice(0, part.indexOf('\n}')).match(/^.*;$/gm) ?? []);
  expect(declarations.length).toBeGreaterThan(20);
  for (const declaration of declarations) expect(declaration).toMatch(/^ *--[\w-]+: .*(?:#|rgb\()[^;]*;$/);
  expect(stylesheets.join('').split('prefers-color-scheme')).toHaveLength(darkParts.length + 1);
});
