import { useState } from 'react';
import type { FieldValues, PageView } from '../../src/page-api/page-api.ts';
import { BlockList } from '../message/block-list.tsx';
import { ViewSurface } from './view-surface.tsx';

/** The app's Home tab, as published for this reader. */
export function HomeView({ view, appName }: { view: PageView | undefined; appName: string }) {
  const [values, setValues] = useState<FieldValues>({});
  const [error, setError] = useState<string>();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard.
    <section className="home" aria-label={`Home of ${appName}`} tabIndex={0}>
      {error && (
        <p className="view-error" role="alert">
          {error}
        </p>
      )}
      {view ? (
        <div className="home-blocks">
          <ViewSurface view={view} values={values} onValues={setValues} onError={setError}>
            <BlockList blocks={view.blocks} />
          </ViewSurface>
        </div>
      ) : (
        <p className="home-empty">{appName} hasn't published anything here yet.</p>
      )}
    </section>
  );
}
