import { startTransition, useId, useOptimistic, useState } from 'react';
import type { FaultRequest, PageFault } from '../../src/page-api/inspector-api.ts';
import { api } from '../model/api.ts';
import { Icon } from './icons.tsx';

export const FAULTS_PANEL = 'faults';

/** A quiet line while faults are on. */
export function FaultLine({ faults }: { faults: readonly PageFault[] }) {
  const on = faults.filter(({ isOn }) => isOn);
  const { send } = useSetFaults();
  return (
    <div className="fault-line">
      {/* Always present, so that screen readers announce its changes. */}
      <output>
        {on.length > 0 && (
          <>
            {on.length === 1 ? '1 fault is on' : `${on.length} faults are on`}
            <span className="fault-names">: {on.map(({ label }) => label).join(' · ')}</span>
          </>
        )}
      </output>
      {on.length > 0 && (
        <>
          <button type="button" popoverTarget={FAULTS_PANEL}>
            Show
          </button>
          <button type="button" onClick={() => void send({ allOff: true })}>
            Turn off
          </button>
        </>
      )}
    </div>
  );
}

const groups = { slack: 'Slack', service: 'The service' };

/** The switches for faults of Slack and of the service. */
export function FaultsPanel({ faults }: { faults: readonly PageFault[] }) {
  const { send, error } = useSetFaults();
  const titleId = useId();
  return (
    <section
      id={FAULTS_PANEL}
      popover="auto"
      className="faults-panel"
      role="dialog"
      aria-labelledby={titleId}
    >
      <header>
        <h2 id={titleId}>Faults</h2>
        <button
          type="button"
          className="icon-button"
          aria-label="Close the faults"
          popoverTarget={FAULTS_PANEL}
          popoverTargetAction="hide"
        >
          <Icon name="close" />
        </button>
      </header>
      <p>See how the bot behaves when something fails. All faults end when the playground restarts.</p>
      {Object.entries(groups).map(([of, title]) => {
        const group = faults.filter((fault) => fault.of === of);
        if (group.length === 0) return null;
        return (
          <fieldset key={of}>
            <legend>{title}</legend>
            {group.map((fault) => (
              <Switch key={fault.id} fault={fault} onSet={(isOn) => send({ id: fault.id, isOn })} />
            ))}
          </fieldset>
        );
      })}
      {error && <p role="alert">{error}</p>}
      <p>To archive a channel, or to remove the bot from one, use the menu beside the channel's name.</p>
    </section>
  );
}

function Switch({ fault, onSet }: { fault: PageFault; onSet: (isOn: boolean) => Promise<void> }) {
  // Until the server has answered.
  const [isOn, setIsOn] = useOptimistic(fault.isOn);
  const change = (checked: boolean) =>
    startTransition(async () => {
      setIsOn(checked);
      await onSet(checked);
    });
  return (
    <label className="fault">
      <input type="checkbox" checked={isOn} onChange={({ target }) => change(target.checked)} />
      <span>
        {fault.label}
        {fault.note && <small>{fault.note}</small>}
      </span>
    </label>
  );
}

/** The server answers with the new state on the live connection. */
function useSetFaults() {
  const [error, setError] = useState<string>();
  const send = async (request: FaultRequest) => {
    const reply = await api
      .faults(request)
      .catch((reason: Error) => ({ ok: false as const, error: reason.message }));
    setError(reply.ok ? undefined : reply.error);
  };
  return { send, error };
}
