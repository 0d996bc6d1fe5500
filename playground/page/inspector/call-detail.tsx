import type { WireEntry } from '../../src/page-api/inspector-api.ts';
import { directionLabels } from './call-filter.ts';
import { outcomeOf, timeOf, tookOf } from './call-list.tsx';

/** One call in full: its request and its answer. */
export function CallDetail({ call }: { call: WireEntry }) {
  const facts = [directionLabels[call.direction], statusOf(call), tookOf(call), timeOf(call)];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard.
    <section className="call-detail" aria-label={`Details of ${call.label}`} tabIndex={0}>
      <h3 className="call-title">{call.label}</h3>
      <p className="call-facts">{facts.filter(Boolean).join(' · ')}</p>
      <h4>Request</h4>
      <Body value={call.request} />
      <h4>{call.direction === 'to-app' ? 'Acknowledgement' : 'Response'}</h4>
      <Body value={call.response} />
      {call.headers && (
        <details key={call.id}>
          <summary>Headers</summary>
          <Body value={call.headers} />
        </details>
      )}
    </section>
  );
}

/** `200`, `429 ratelimited`, `no answer` */
function statusOf(call: WireEntry): string {
  const outcome = outcomeOf(call);
  return call.status !== undefined && call.error !== undefined ? `${call.status} ${call.error}` : outcome;
}

function Body({ value }: { value: unknown }) {
  if (value === undefined) return <p className="call-none">Empty</p>;
  return <pre>{typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)}</pre>;
}
