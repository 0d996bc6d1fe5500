import { useEffect, useState } from 'react';
import type { AdminAction, PageApp, PageInstall, PageInstallSettings } from '../../src/page-api/page-api.ts';
import { ScopeItems } from '../consent/scope-list.tsx';
import { ConfirmDialog } from '../message/confirm-dialog.tsx';
import { usePage } from '../model/page-context.ts';
import { fullTime } from '../model/time.ts';
import { Dialog, DialogBody } from './dialog.tsx';
import { Icon } from './icons.tsx';
import { AddApp } from './not-installed.tsx';

const SETTINGS: { name: keyof PageInstallSettings; label: string; detail: string }[] = [
  {
    name: 'rotation',
    label: 'Token rotation',
    detail: 'New installations get a token that expires after 12 hours, and a refresh token.',
  },
  {
    name: 'organisation',
    label: 'Enterprise organisation',
    detail: 'All workspaces belong to one organisation, for which the app can be installed at once.',
  },
  {
    name: 'revokedFirst',
    label: 'Tokens are revoked first',
    detail: 'Uninstalling sends tokens_revoked before app_uninstalled. Slack promises no order.',
  },
];

/** The app's installation in this workspace: what it may do, how to end it, and how the playground installs apps. */
export function InstallsDialog({ app, onClose }: { app: PageApp; onClose: () => void }) {
  const { world, administer } = usePage();
  const [error, setError] = useState<string>();
  const act = async (action: AdminAction) => {
    const failure = await administer(action);
    setError(failure);
    return failure === undefined;
  };
  return (
    <Dialog className="installs" title={`${app.name} in ${world.teamName}`} onClose={onClose}>
      {() => (
        <DialogBody label="Installation">
          {error && (
            <p className="view-error" role="alert">
              <Icon name="warn" />
              {error}
            </p>
          )}
          {app.install ? (
            <Installed app={app} install={app.install} act={act} />
          ) : (
            <>
              <p>{app.name} isn't installed in this workspace.</p>
              <AddApp className="block-button primary" />
            </>
          )}
          <Settings settings={app.settings} act={act} />
        </DialogBody>
      )}
    </Dialog>
  );
}

/** Resolves with whether it was done. */
type Act = (action: AdminAction) => Promise<boolean>;

interface InstalledProps {
  app: PageApp;
  install: PageInstall;
  act: Act;
}

function Installed({ app, install, act }: InstalledProps) {
  const { world } = usePage();
  const { zone, isAdmin } = world.me;
  const [confirming, setConfirming] = useState(false);
  const place = install.organisation ?? world.teamName;
  return (
    <>
      <dl className="installs-facts">
        <dt>Installed by</dt>
        <dd>
          {install.installerName}
          {install.organisation && `, for all of ${install.organisation}`}
        </dd>
        <dt>Installed at</dt>
        <dd>
          <time dateTime={install.installedAt}>{fullTime(Date.parse(install.installedAt), zone)}</time>
        </dd>
        <dt>Token</dt>
        <dd>
          {install.tokenExpiresAt ? <Expiry at={install.tokenExpiresAt} zone={zone} /> : 'Never expires'}
        </dd>
      </dl>
      <details>
        <summary>{install.scopes.length} permissions</summary>
        <ScopeItems scopes={install.scopes} />
      </details>
      <div className="installs-buttons">
        {install.tokenExpiresAt && (
          <button type="button" className="block-button" onClick={() => void act({ action: 'expire' })}>
            Expire tokens now
          </button>
        )}
        <button
          type="button"
          className="block-button"
          disabled={!isAdmin}
          onClick={() => void act({ action: 'revoke' })}
        >
          Revoke token
        </button>
        <button
          type="button"
          className="block-button danger"
          disabled={!isAdmin}
          onClick={() => setConfirming(true)}
        >
          Uninstall {app.name}
        </button>
      </div>
      {!isAdmin && (
        <p className="installs-note">Only an admin of {world.teamName} can end the installation.</p>
      )}
      {confirming && (
        <ConfirmDialog
          confirm={{
            title: { type: 'plain_text', text: `Uninstall ${app.name}?` },
            text: {
              type: 'plain_text',
              text: `${app.name} loses its access to ${place}. Its messages stay.`,
            },
            confirm: { type: 'plain_text', text: 'Uninstall' },
            deny: { type: 'plain_text', text: 'Cancel' },
            style: 'danger',
          }}
          onConfirm={() => {
            setConfirming(false);
            void act({ action: 'uninstall' });
          }}
          onDeny={() => setConfirming(false)}
        />
      )}
    </>
  );
}

function Expiry({ at, zone }: { at: string; zone: string }) {
  const ms = Date.parse(at);
  return (
    <>
      {ms > Date.now() ? 'Expires' : 'Expired'} <time dateTime={at}>{fullTime(ms, zone)}</time>
    </>
  );
}

/** What the playground does with all installations. A box shows the reader's choice until the server has confirmed it. */
function Settings({ settings, act }: { settings: PageInstallSettings; act: Act }) {
  const [wanted, setWanted] = useState<Partial<PageInstallSettings>>({});
  // biome-ignore lint/correctness/useExhaustiveDependencies: new settings are the server's answer.
  useEffect(() => setWanted({}), [settings]);
  const change = async (name: keyof PageInstallSettings, isOn: boolean) => {
    setWanted({ ...wanted, [name]: isOn });
    if (!(await act({ action: 'change', settings: { [name]: isOn } }))) setWanted({});
  };
  return (
    <>
      <h3>Playground settings</h3>
      <p className="installs-note">They apply to all workspaces.</p>
      {SETTINGS.map(({ name, label, detail }) => (
        <label key={name} className="choice">
          <input
            type="checkbox"
            checked={wanted[name] ?? settings[name]}
            onChange={({ target }) => void change(name, target.checked)}
          />
          <span>
            {label}
            <small>{detail}</small>
          </span>
        </label>
      ))}
    </>
  );
}
