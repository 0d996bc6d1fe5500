import { useState } from 'react';
import type { FieldValues, PageView } from '../../page-api/page-api.ts';
import { BlockList } from '../message/block-list.tsx';
import { ViewSurface } from './view-surface.tsx';

/** The app's Home tab, as it has published it for this reader. */
export function HomeView({ view, appName }: { view: PageView | undefined; appName: string }) {
  const [values, setValues] = useState<FieldValues>({});
  const [trouble, setTrouble] = useState<string>();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area is reached by the keyboard.
    <section className="home" aria-label={`Home of ${appName}`} tabIndex={0}>
      {trouble && (
        <p className="modal-trouble" role="alert">
          {trouble}
        </p>
      )}
      {view ? (
        <div className="home-blocks">
          <ViewSurface view={view} values={values} onValues={setValues} onTrouble={setTrouble}>
            <BlockList blocks={view.blocks} />
          </ViewSurface>
        </div>
      ) : (
        <p className="home-empty">{appName} has not shown anything here yet.</p>
      )}
    </section>
  );
}
