import type { ReactNode } from 'react';

/** Line icons on a 20 × 20 grid. Decorative: buttons have labels. */
const shapes = {
  lock: <path d="M6 9V6.5a4 4 0 0 1 8 0V9M5 9h10v8H5z" />,
  hash: <path d="M8 3.5 6.5 16.5M13.5 3.5 12 16.5M4 7.5h13M3 12.5h13" />,
  plus: <path d="M10 4v12M4 10h12" />,
  key: (
    <>
      <circle cx="6.5" cy="13.5" r="3.5" />
      <path d="m9 11 7.5-7.5M13.5 6.5 16 9" />
    </>
  ),
  close: <path d="m5 5 10 10M15 5 5 15" />,
  menu: <path d="M3 5.5h14M3 10h14M3 14.5h14" />,
  eye: (
    <>
      <path d="M2 10s3-5 8-5 8 5 8 5-3 5-8 5-8-5-8-5z" />
      <circle cx="10" cy="10" r="2.2" />
    </>
  ),
  reply: <path d="M4 4h12v9H9l-4 3.5V13H4z" />,
  send: <path d="M3.5 3.5 17 10 3.5 16.5 5 10zM5 10h6" />,
  slash: <path d="m12.5 4-5 12M3 3h14v14H3z" />,
  more: <path d="M5 10h.01M10 10h.01M15 10h.01" strokeWidth="2.6" />,
  caret: <path d="m5.5 8 4.5 4.5L14.5 8" />,
  people: (
    <path d="M7 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2 16.5c0-3 2-5 5-5s5 2 5 5M13 9.5a2.5 2.5 0 0 0 0-5M14 11.8c2.3.4 4 2.2 4 4.7" />
  ),
  wire: <path d="M3 7h12l-3-3M17 13H5l3 3" />,
  clip: (
    <path d="m15.5 9.5-5.8 5.8a3.6 3.6 0 0 1-5.1-5.1l6.4-6.4a2.4 2.4 0 0 1 3.4 3.4l-6.4 6.4a1.2 1.2 0 0 1-1.7-1.7l5.8-5.8" />
  ),
  file: <path d="M5 2.5h6.5L15.5 6.5v11H5zM11 2.5V7h4.5M7.5 11h5M7.5 14h5" />,
  clock: (
    <>
      <circle cx="10" cy="10" r="7" />
      <path d="M10 6v4.2l2.8 1.8" />
    </>
  ),
  bolt: <path d="M11 2.5 4.5 11.5H9l-1 6 6.5-9H10z" />,
  back: <path d="M12 4.5 6.5 10l5.5 5.5" />,
  warn: <path d="M10 3 18 16.5H2zM10 8v4M10 14.3h.01" />,
  check: <path d="m4 10.5 4 4 8-9" />,
  table: <path d="M3 4.5h14v11H3zM3 8.5h14M8 8.5v7" />,
  down: <path d="M10 3.5v12M5 11l5 5 5-5" />,
} satisfies Record<string, ReactNode>;

export function Icon({ name }: { name: keyof typeof shapes }) {
  return (
    <svg className="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      {shapes[name]}
    </svg>
  );
}
