import { useEffect, useState } from 'react';
import type { AuthorizeQuery, ConsentPageState, ConsentReply } from '../../src/page-api/consent-api.ts';
import { Avatar } from '../chrome/avatar.tsx';
import { Icon } from '../chrome/icons.tsx';
import { WorkspaceTile } from '../chrome/workspace-tile.tsx';
import { api } from '../model/api.ts';
import { rememberedUser } from '../model/remembered-user.ts';
import { type Choice, chosen, firstChoice, withPlace } from './choice.ts';
import { ScopeList } from './scope-list.tsx';

/** The page on which an admin lets the app into a workspace. `search` is the query of `/oauth/v2/authorize`. */
export function Consent({ search }: { search: string }) {
  const [state, setState] = useState<ConsentPageState>();
  const [error, setError] = useState<string>();
  useEffect(() => {
    api
      .consent(search)
      .then((answer) => ('ok' in answer ? setError(answer.error) : setState(answer)))
      .catch((reason: Error) => setError(reason.message));
  }, [search]);
  return (
    <div className="consent-page">
      <header className="banner">
        <div className="banner-what">
          <strong>Local playground</strong>
          <span>This is not Slack. The people are invented.</span>
        </div>
      </header>
      <main className="consent">
        {error !== undefined && (
          <section className="consent-card">
            <h1>Something went wrong when authorizing this app</h1>
            <p className="view-error" role="alert">
              <Icon name="warn" />
              {error}
            </p>
          </section>
        )}
        {error === undefined && !state && <output>Opening …</output>}
        {error === undefined && state && <Request state={state} search={search} />}
      </main>
    </div>
  );
}

function Request({ state, search }: { state: ConsentPageState; search: string }) {
  const [choice, setChoice] = useState(() => firstChoice(state, rememberedUser()));
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const { place, user, refusal } = chosen(state, choice);
  const query: AuthorizeQuery = Object.fromEntries(new URLSearchParams(search));
  const decide = async (decision: Promise<ConsentReply>) => {
    setBusy(true);
    const reply = await decision.catch((error: Error) => ({ ok: false as const, error: error.message }));
    if (reply.ok) return location.assign(reply.url);
    setBusy(false);
    setFailure(reply.error);
  };
  useEffect(() => {
    document.title = `Install ${state.appName}`;
  }, [state.appName]);
  if (!place) return null;
  const message = failure ?? refusal;
  return (
    <section className="consent-card" aria-labelledby="consent-title">
      <div className="consent-logos" aria-hidden="true">
        <Avatar user={APP} size={36} />
        <Icon name="wire" />
        <WorkspaceTile {...place} />
      </div>
      <h1 id="consent-title">
        {state.appName} is requesting permission to access {place.name}
      </h1>
      {state.appDescription && <p className="consent-description">{state.appDescription}</p>}
      <Who
        state={state}
        choice={choice}
        onChoice={(next) => {
          setFailure(undefined);
          setChoice(next);
        }}
      />
      <ScopeList
        appName={state.appName}
        scopes={state.scopes}
        declined={choice.declined}
        onDeclined={(declined) => setChoice({ ...choice, declined })}
      />
      {place.isInstalled && !refusal && (
        <p className="consent-note">
          {state.appName} is already installed here. Allowing it again adds what is new.
        </p>
      )}
      {message && (
        <p className="view-error" role="alert">
          <Icon name="warn" />
          {message}
        </p>
      )}
      <div className="consent-buttons">
        <button
          type="button"
          className="block-button"
          disabled={busy}
          onClick={() => void decide(api.cancelConsent(query))}
        >
          Cancel
        </button>
        <button
          type="button"
          className="block-button primary"
          disabled={busy || refusal !== undefined || !user}
          onClick={() => void decide(api.allow({ query, ...choice }))}
        >
          Allow
        </button>
      </div>
    </section>
  );
}

/** The app's picture. */
const APP = { id: '', name: '', realName: '', zone: 'UTC', isAdmin: false, isBot: true, isOutside: false };

interface WhoProps {
  state: ConsentPageState;
  choice: Choice;
  onChoice: (choice: Choice) => void;
}

/** Where the app is installed, and by whom. */
function Who({ state, choice, onChoice }: WhoProps) {
  const { place } = chosen(state, choice);
  return (
    <div className="consent-who">
      <label>
        <span className="input-label">Workspace</span>
        <select
          className="text-field"
          value={choice.placeId}
          onChange={({ target }) => onChoice(withPlace(state, choice, target.value))}
        >
          {state.places.map(({ id, name, isOrganisation }) => (
            <option key={id} value={id}>
              {isOrganisation ? `All of ${name}` : name}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span className="input-label">You are</span>
        <select
          className="text-field"
          value={choice.userId}
          onChange={({ target }) => onChoice({ ...choice, userId: target.value })}
        >
          {place?.people.map(({ id, realName, isAdmin }) => (
            <option key={id} value={id}>
              {isAdmin ? `${realName}, admin` : realName}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
