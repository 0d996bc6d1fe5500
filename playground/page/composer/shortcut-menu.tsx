import { useState } from 'react';
import { Icon } from '../chrome/icons.tsx';
import { Menu } from '../message/menu.tsx';
import { usePage } from '../model/page-context.ts';
import { StepDialog } from '../steps/step-dialog.tsx';

interface Props {
  channelId: string;
  /** For the shortcuts of this message; without it, the global ones and the steps for workflows. */
  messageTs?: string;
  threadTs?: string | undefined;
}

/** The app's shortcuts and its steps for workflows. */
export function ShortcutMenu({ channelId, messageTs, threadTs }: Props) {
  const { world, shortcut } = usePage();
  const [openStep, setOpenStep] = useState<string>();
  const type = messageTs ? 'message' : 'global';
  const shortcuts = world.shortcuts.filter((known) => known.type === type);
  const steps = messageTs ? [] : world.steps;
  const step = steps.find(({ callbackId }) => callbackId === openStep);
  if (shortcuts.length + steps.length === 0) return null;
  const items = [
    ...shortcuts.map(({ callbackId, name, description }) => ({ callbackId, name, description })),
    ...steps.map(({ callbackId, title }) => ({
      callbackId,
      name: `Run the step “${title}”`,
      description: 'As a workflow does, with inputs and outputs',
    })),
  ];
  const choose = (callbackId: string) => {
    if (steps.some((one) => one.callbackId === callbackId)) return setOpenStep(callbackId);
    void shortcut({ channelId, callbackId, ...(messageTs && { messageTs }) }, threadTs);
  };
  return (
    <>
      <Menu
        className="tool-menu"
        label={messageTs ? 'More message actions' : 'Shortcuts'}
        button={<Icon name={messageTs ? 'more' : 'bolt'} />}
        items={items.map(({ callbackId, name, description }) => ({
          key: callbackId,
          content: (
            <span className="menu-text">
              {name}
              <small>{description}</small>
            </span>
          ),
        }))}
        onChoose={choose}
      />
      {step && <StepDialog step={step} onClose={() => setOpenStep(undefined)} />}
    </>
  );
}
