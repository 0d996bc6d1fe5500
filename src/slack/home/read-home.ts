import type { HomeSection } from '../../features/feature.ts';
import type { RunContext } from '../../features/run-context.ts';
import { type HomeAnswer, type HomePlace, homeRowsPerPage } from './home-view.ts';

/** Reads the Home tab from the store alone, without a call to the service. */
export async function readHome(
  place: HomePlace,
  sections: readonly HomeSection[],
  context: RunContext,
): Promise<HomeAnswer> {
  const { scope } = place;
  const read = await Promise.all(
    sections.map(async (section) => {
      const isShown = section.name === place.section;
      const rows = isShown
        ? { limit: homeRowsPerPage, offset: (place.page - 1) * homeRowsPerPage }
        : { limit: 1, offset: 0 };
      return { section, page: await section.read({ scope, ...rows }, context) };
    }),
  );
  const shown = read.find(({ section }) => section.name === place.section);
  const last = Math.max(1, Math.ceil((shown?.page.total ?? 0) / homeRowsPerPage));
  // Rows may have gone since the button was drawn: then the last page is shown.
  if (place.page > last) return await readHome({ ...place, page: last }, sections, context);
  return { place, sections: read };
}
