import type { ConsentScope } from '../../src/page-api/consent-api.ts';
import { Icon } from '../chrome/icons.tsx';

interface Props {
  appName: string;
  scopes: ConsentScope[];
  declined: string[];
  onDeclined: (declined: string[]) => void;
}

/** What the app will be able to do. The installer can decline what is optional. */
export function ScopeList({ appName, scopes, declined, onDeclined }: Props) {
  const required = scopes.filter(({ isOptional }) => !isOptional);
  const optional = scopes.filter(({ isOptional }) => isOptional);
  return (
    <>
      <h2>What will {appName} be able to do?</h2>
      <ScopeItems scopes={required} />
      {optional.length > 0 && (
        <fieldset className="scope-choices">
          <legend>You can decline these</legend>
          {optional.map(({ scope, text }) => (
            <label key={scope} className="choice">
              <input
                type="checkbox"
                checked={!declined.includes(scope)}
                onChange={({ target }) => {
                  const others = declined.filter((other) => other !== scope);
                  onDeclined(target.checked ? others : [...others, scope]);
                }}
              />
              <span>
                {text} <code>{scope}</code>
              </span>
            </label>
          ))}
        </fieldset>
      )}
    </>
  );
}

export function ScopeItems({ scopes }: { scopes: readonly { scope: string; text: string }[] }) {
  return (
    <ul className="scope-list">
      {scopes.map(({ scope, text }) => (
        <li key={scope}>
          <Icon name="check" />
          <span>
            {text} <code>{scope}</code>
          </span>
        </li>
      ))}
    </ul>
  );
}
