import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

interface MenuItem {
  key: string;
  content: ReactNode;
  /** Marks the current choice. */
  checked?: boolean;
}

interface Props {
  label: string;
  button: ReactNode;
  /** True if the button's content names it; otherwise `label` does. */
  isNamed?: boolean;
  items: MenuItem[];
  onChoose: (key: string) => void;
  className?: string;
  disabled?: boolean;
}

/** A button with a menu, with the keyboard support of ARIA's menu button pattern. */
export function Menu(props: Props) {
  const { label, button, isNamed = false, items, onChoose, className = '', disabled = false } = props;
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const id = useId();
  const close = (focus: boolean) => {
    setOpen(false);
    if (focus) root.current?.querySelector('button')?.focus();
  };
  useLayoutEffect(() => {
    if (open) positionItems(root.current);
  }, [open]);
  useEffect(() => {
    if (!open) return;
    itemsOf(root.current)[0]?.focus({ preventScroll: true });
    const closeOutside = (event: PointerEvent) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false);
    };
    // Only what moves the button: a list elsewhere scrolls when a message arrives.
    const closeOnScroll = (event: Event) => {
      if (event.target instanceof Node && event.target.contains(root.current)) setOpen(false);
    };
    document.addEventListener('pointerdown', closeOutside);
    document.addEventListener('scroll', closeOnScroll, true);
    return () => {
      document.removeEventListener('pointerdown', closeOutside);
      document.removeEventListener('scroll', closeOnScroll, true);
    };
  }, [open]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!open) return;
    if (event.key === 'Tab') return setOpen(false);
    if (event.key === 'Escape') close(true);
    else if (!moveFocus(root.current, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of the button and the items inside.
    <div className={`menu ${className}`} ref={root} onKeyDown={onKeyDown}>
      <button
        type="button"
        className="menu-button"
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-label={isNamed ? undefined : label}
        disabled={disabled}
        onClick={() => setOpen(!open)}
      >
        {button}
      </button>
      {open && (
        <div className="menu-items" role="menu" id={id} aria-label={label}>
          {items.map((item) => (
            // biome-ignore lint/a11y/useAriaPropsSupportedByRole: only a menuitemradio has `checked`.
            <button
              type="button"
              key={item.key}
              role={item.checked === undefined ? 'menuitem' : 'menuitemradio'}
              aria-checked={item.checked}
              tabIndex={-1}
              onClick={() => {
                close(true);
                onChoose(item.key);
              }}
            >
              {item.content}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

const GAP_PX = 4;

/** Puts the menu next to the button, inside the window. Its position is fixed, so nothing clips it. */
function positionItems(root: HTMLElement | null): void {
  const items = root?.querySelector<HTMLElement>('[role=menu]');
  const button = root?.querySelector('button')?.getBoundingClientRect();
  if (!items || !button) return;
  const { offsetWidth: width, offsetHeight: height } = items;
  const below = button.bottom + GAP_PX + height <= innerHeight;
  items.style.top = `${below ? button.bottom + GAP_PX : Math.max(GAP_PX, button.top - GAP_PX - height)}px`;
  items.style.left = `${Math.max(GAP_PX, Math.min(button.left, innerWidth - width - GAP_PX))}px`;
}

const itemsOf = (root: HTMLElement | null): HTMLElement[] => [
  ...(root?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? []),
];

function moveFocus(root: HTMLElement | null, key: string): boolean {
  const items = itemsOf(root);
  const at = items.findIndex((item) => item.matches(':focus'));
  const last = items.length - 1;
  const to = { ArrowDown: at >= last ? 0 : at + 1, ArrowUp: at <= 0 ? last : at - 1, Home: 0, End: last }[
    key
  ];
  if (to === undefined) return false;
  items[to]?.focus();
  return true;
}
