import type { PageStep, StepField, StepReply } from '../../src/page-api/step-api.ts';
import { Icon } from '../chrome/icons.tsx';
import { usePage } from '../model/page-context.ts';
import { format } from '../model/time.ts';

/** What a workflow would go on with, or the error that Slack would show. */
export function StepResult({ step, reply }: { step: PageStep; reply: StepReply }) {
  const { world } = usePage();
  const error = reply.ok ? (reply.outcome.kind === 'failed' ? reply.outcome.error : undefined) : reply.error;
  if (error !== undefined) {
    return (
      <div className="block-alert error step-end">
        <p className="step-state">
          <Icon name="warn" /> The step failed
        </p>
        <p>{error}</p>
      </div>
    );
  }
  const outputs = reply.ok && reply.outcome.kind === 'completed' ? reply.outcome.outputs : {};
  return (
    <div className="block-alert success step-end">
      <p className="step-state">
        <Icon name="check" /> The step completed
      </p>
      <dl>
        {step.outputs.map((field) => (
          <div key={field.name}>
            <dt>{field.title}</dt>
            <dd>{shown(field, outputs[field.name], world.me.zone)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

const minutes: Intl.DateTimeFormatOptions = {
  ...{ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  ...{ hour: '2-digit', minute: '2-digit', timeZoneName: 'short' },
};

/** Slack shows a timestamp in the reader's time zone. */
function shown({ type }: StepField, value: unknown, zone: string) {
  if (value === undefined || value === null) return <span className="step-empty">(empty)</span>;
  if (type === 'slack#/types/timestamp' && typeof value === 'number') {
    const at = new Date(value * 1000);
    return <time dateTime={at.toISOString()}>{format(at.getTime(), zone, minutes)}</time>;
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
