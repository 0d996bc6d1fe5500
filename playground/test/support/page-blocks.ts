import type { KnownBlock } from '@slack/types';
import type { CheckedBlock } from '../../src/blocks/block-checks.ts';

const text = (words: string) => ({ type: 'plain_text' as const, text: words });
const cell = (words: string) => ({ type: 'raw_text' as const, text: words });

/** A port call list as the bot posts it: 46 vessels, 20 a page; the third vessel has a long name. */
export const calls: KnownBlock = {
  type: 'data_table',
  caption: 'Expected at Rotterdam',
  page_size: 20,
  rows: [
    ['ETA', 'Vessel', '%', 'In'].map(cell),
    ...Array.from({ length: 46 }, (_, index) => [
      {
        type: 'raw_number' as const,
        value: index,
        text: `Sat 21 Nov ${String(index).padStart(2, '0')}:05 LT`,
      },
      cell(index === 2 ? 'CMA CGM ANTOINE DE SAINT EXUPERY' : `VESSEL ${String(index).padStart(2, '0')}`),
      { type: 'raw_number' as const, value: (index * 37) % 100, text: `${(index * 37) % 100}%` },
      cell(`${index} h`),
    ]),
  ],
};

export const chart: CheckedBlock = {
  type: 'data_visualization',
  title: 'Likely calls per day',
  chart: {
    type: 'bar',
    series: [
      {
        name: 'Calls',
        data: [
          { label: 'Sat 21', value: 3.2 },
          { label: 'Sun 22', value: 6.4 },
        ],
      },
    ],
    axis_config: { categories: ['Sat 21', 'Sun 22'] },
  },
};

const button = (action_id: string) => ({ type: 'button' as const, action_id, text: text(action_id) });

export const box: KnownBlock = {
  type: 'container',
  title: text('9 carriers with too few journeys'),
  is_collapsible: true,
  default_collapsed: true,
  child_blocks: [
    { type: 'section', text: { type: 'mrkdwn', text: 'Maersk, 3 journeys' } },
    { type: 'actions', elements: [button('refresh')] },
  ],
};

export const card = (imageUrl: string): KnownBlock => ({
  type: 'card',
  icon: { type: 'image', image_url: imageUrl, alt_text: 'Act' },
  title: { type: 'mrkdwn', text: 'EVER GIVEN → Le Havre 74%' },
  subtitle: { type: 'mrkdwn', text: 'Sat 19 Dec 01:43 LT' },
  body: { type: 'mrkdwn', text: 'was *Rotterdam 61%*' },
  actions: [button('acknowledge')],
});

/** One pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export const picture = (imageUrl: string): KnownBlock => ({
  type: 'image',
  title: text('Candidate ports'),
  image_url: imageUrl,
  alt_text: 'Map: Rotterdam 82%, Hamburg 9%',
});
