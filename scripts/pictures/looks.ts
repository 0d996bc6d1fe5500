/** How a page is shown when its picture is taken. */
export interface Look {
  scheme: 'light' | 'dark';
  widthPx: number;
}

export type ImageType = 'png' | 'webp';

/** The first one is that of the docs. */
export const looks = [
  { scheme: 'light', widthPx: 1120 },
  { scheme: 'dark', widthPx: 1120 },
  { scheme: 'light', widthPx: 390 },
  { scheme: 'dark', widthPx: 390 },
] as const satisfies readonly Look[];

/** With these refused, messages have only the blocks that every Slack client has known for years. */
export const plainBlocks = ['table', 'data_table', 'data_visualization', 'card', 'container'];
