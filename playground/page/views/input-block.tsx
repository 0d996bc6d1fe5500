import type { KnownBlock } from '@slack/types';
import { useId } from 'react';
import { Field } from '../fields/field.tsx';
import { isField } from '../fields/field-element.ts';
import { plainText } from '../message/plain-text.ts';
import { useSurface } from '../model/surface.ts';

/** A labelled field with its hint and its error. */
export function InputBlock({ block }: { block: Extract<KnownBlock, { type: 'input' }> }) {
  const surface = useSurface();
  const id = useId();
  const { element, block_id: blockId = '' } = block;
  const error = surface.errorOf(blockId);
  const actionId = element.action_id ?? '';
  const descriptions = [block.hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className={`input-block${error ? ' invalid' : ''}`} data-block={blockId}>
      <span className="input-label" id={`${id}-label`}>
        {plainText(block.label)}
        {block.optional && <span className="input-optional"> (optional)</span>}
      </span>
      {isField(element) ? (
        <Field
          element={element}
          blockId={blockId}
          labelledBy={`${id}-label`}
          describedBy={descriptions || undefined}
          invalid={error !== undefined}
          clearable={block.optional ?? false}
          onChange={(value) => surface.set(blockId, actionId, value)}
          {...(block.dispatch_action && {
            onDispatch: (value) => void surface.act({ blockId, actionId, value }),
          })}
        />
      ) : (
        <span className="unsupported">The playground doesn't support “{element.type}” elements yet</span>
      )}
      {error && (
        <p className="input-error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
      {block.hint && (
        <p className="input-hint" id={`${id}-hint`}>
          {plainText(block.hint)}
        </p>
      )}
    </div>
  );
}
