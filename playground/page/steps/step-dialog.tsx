import { type FormEvent, useState } from 'react';
import type { PageStep, StepReply } from '../../src/page-api/step-api.ts';
import { Dialog, DialogBody } from '../chrome/dialog.tsx';
import { Icon } from '../chrome/icons.tsx';
import { usePage } from '../model/page-context.ts';
import { StepInput } from './step-input.tsx';
import { StepResult } from './step-result.tsx';

/** Runs a custom step with the reader's inputs, as a workflow does, and shows what comes out of it. */
export function StepDialog({ step, onClose }: { step: PageStep; onClose: () => void }) {
  const { world, runStep } = usePage();
  const [inputs, setInputs] = useState(() => firstInputs(step, world.me.id));
  const [reply, setReply] = useState<StepReply>();
  const [isRunning, setIsRunning] = useState(false);
  const run = async (event: FormEvent) => {
    event.preventDefault();
    if (isRunning) return;
    setIsRunning(true);
    setReply(undefined);
    setReply(await runStep({ callbackId: step.callbackId, inputs: filledIn(inputs) }));
    setIsRunning(false);
  };
  return (
    <Dialog className="step" title={step.title} onClose={onClose} onSubmit={run}>
      {(close) => (
        <>
          <DialogBody label={step.title}>
            <p className="step-about">{step.description}</p>
            {step.inputs.map((field) => (
              <StepInput
                key={field.name}
                field={field}
                value={inputs[field.name] ?? ''}
                onChange={(value) => setInputs((before) => ({ ...before, [field.name]: value }))}
              />
            ))}
            <output className="step-result">
              {isRunning && <p className="step-state">Still running …</p>}
              {reply && <StepResult step={step} reply={reply} />}
            </output>
          </DialogBody>
          <footer className="modal-footer">
            <span className="modal-app">
              <Icon name="bolt" /> Workflow step
            </span>
            <button type="button" className="block-button" onClick={close}>
              Close
            </button>
            {/* Not disabled while it runs, since it would lose the focus. */}
            <button type="submit" className="block-button primary" aria-busy={isRunning}>
              Run step
            </button>
          </footer>
        </>
      )}
    </Dialog>
  );
}

/** In a workflow, a person is by default the one who uses it. */
const firstInputs = ({ inputs }: PageStep, userId: string): Record<string, string> =>
  Object.fromEntries(inputs.map(({ name, type }) => [name, type === 'slack#/types/user_id' ? userId : '']));

/** A workflow leaves out what it can't fill in. */
const filledIn = (inputs: Record<string, string>) =>
  Object.fromEntries(Object.entries(inputs).filter(([, value]) => value.trim() !== ''));
