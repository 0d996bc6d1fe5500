import type { Button, KnownBlock, Overflow } from '@slack/types';
import { useState } from 'react';
import type { ElementValue } from '../../src/blocks/element-values.ts';
import { Icon } from '../chrome/icons.tsx';
import { Field } from '../fields/field.tsx';
import { type FieldElement, isField } from '../fields/field-element.ts';
import { usePage } from '../model/page-context.ts';
import { useSurface } from '../model/surface.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { Menu } from './menu.tsx';
import { plainText } from './plain-text.ts';

type BlockElement =
  | Extract<KnownBlock, { type: 'actions' | 'context_actions' }>['elements'][number]
  | NonNullable<Extract<KnownBlock, { type: 'section' }>['accessory']>;
type Actionable = Extract<BlockElement, Button | Overflow | FieldElement>;

export const isActionable = (element: BlockElement): element is Actionable =>
  element.type === 'button' || element.type === 'overflow' || isField(element);

interface Props {
  element: BlockElement;
  blockId: string | undefined;
}

interface Choice {
  value?: ElementValue;
  url?: string | undefined;
}

/** A button, menu or picker. Asks for confirmation if required, shows progress and opens its link. */
export function ActionElement({ element, blockId = '' }: Props) {
  const surface = useSurface();
  const { openLink } = usePage();
  const [busy, setBusy] = useState(false);
  const [unconfirmed, setUnconfirmed] = useState<Choice>();
  if (!isActionable(element)) {
    return <span className="unsupported">The playground doesn't support “{element.type}” elements yet</span>;
  }
  const actionId = element.action_id ?? '';
  const send = async ({ value, url }: Choice) => {
    if (url && !openLink(url)) window.open(url, '_blank', 'noopener,noreferrer');
    if (value !== undefined) surface.set(blockId, actionId, value);
    setBusy(true);
    await surface.act({ blockId, actionId, ...(value !== undefined && { value }) });
    setBusy(false);
  };
  const confirm = 'confirm' in element ? element.confirm : undefined;
  const choose = (choice: Choice) => (confirm ? setUnconfirmed(choice) : void send(choice));
  return (
    <>
      {element.type === 'button' ? (
        <ButtonElement element={element} busy={busy} onPress={() => choose({ url: element.url })} />
      ) : element.type === 'overflow' ? (
        <OverflowMenu element={element} busy={busy} onChoose={choose} />
      ) : (
        <Field element={element} blockId={blockId} onChange={(value) => choose({ value })} />
      )}
      {unconfirmed && confirm && (
        <ConfirmDialog
          confirm={confirm}
          onDeny={() => setUnconfirmed(undefined)}
          onConfirm={() => {
            setUnconfirmed(undefined);
            void send(unconfirmed);
          }}
        />
      )}
    </>
  );
}

interface ButtonProps {
  element: Button;
  busy: boolean;
  onPress: () => void;
}

function ButtonElement({ element, busy, onPress }: ButtonProps) {
  return (
    <button
      type="button"
      className={`block-button ${element.style ?? ''}`}
      aria-label={element.accessibility_label}
      aria-busy={busy}
      disabled={busy}
      onClick={onPress}
    >
      {plainText(element.text)}
    </button>
  );
}

interface OverflowProps {
  element: Overflow;
  busy: boolean;
  onChoose: (choice: Choice) => void;
}

function OverflowMenu({ element: { options }, busy, onChoose }: OverflowProps) {
  return (
    <Menu
      className="block-overflow"
      label="More actions"
      disabled={busy}
      button={<Icon name="more" />}
      items={options.map((option, index) => ({
        key: String(index),
        content: (
          <span className="menu-text">
            {plainText(option.text)}
            {option.description && <small>{plainText(option.description)}</small>}
          </span>
        ),
      }))}
      onChoose={(key) => {
        const option = options[Number(key)];
        if (option) onChoose({ value: option.value ?? '', url: 'url' in option ? option.url : undefined });
      }}
    />
  );
}
