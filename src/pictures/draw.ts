import { createRequire } from 'node:module';
import { Resvg } from '@resvg/resvg-js';
import { createLand } from './drawing/land.ts';
import { mapSvg } from './drawing/map-svg.ts';
import { fontFamily } from './drawing/text.ts';
import type { MapPicture } from './map-picture.ts';

/** Returns a function that draws maps as PNG. It blocks the process for some 100 ms, and needs 150 MB. */
export function createDraw(): (map: MapPicture) => Uint8Array {
  const land = createLand();
  const render = createPngRenderer();
  return (map) => render(mapSvg(map, land));
}

/** Sharp on a phone, whose screen has three pixels where the page has one. */
const zoom = 1.4;

/** Blocks this process for some 30 ms. */
function createPngRenderer(): (svg: string) => Uint8Array {
  const { resolve } = createRequire(import.meta.url);
  const weights = ['400Regular/Inter_400Regular', '700Bold/Inter_700Bold'];
  const fontFiles = weights.map((path) => resolve(`@expo-google-fonts/inter/${path}.ttf`));
  const font = { fontFiles, loadSystemFonts: false, defaultFontFamily: fontFamily };
  return (svg) => new Resvg(svg, { font, fitTo: { mode: 'zoom', value: zoom } }).render().asPng();
}
