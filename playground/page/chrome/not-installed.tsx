import { usePage } from '../model/page-context.ts';
import { Icon } from './icons.tsx';

/** Says that the workspace hasn't got the app, with the way to add it. */
export function NotInstalled() {
  const { world } = usePage();
  const { app } = world;
  if (!app || app.install) return null;
  return (
    <aside className="not-installed" aria-label={`${app.name} isn't installed`}>
      <p>
        <strong>
          {app.name} isn't installed in {world.teamName}.
        </strong>{' '}
        Slack knows none of its commands here.
      </p>
      <AddApp className="block-button primary" />
    </aside>
  );
}

/** The link to the app's landing page. */
export function AddApp({ className }: { className: string }) {
  const { app } = usePage().world;
  if (!app?.installUrl) return null;
  return (
    <a className={className} href={app.installUrl} target="_blank" rel="noreferrer">
      <Icon name="plus" />
      <span>Add {app.name}</span>
    </a>
  );
}
