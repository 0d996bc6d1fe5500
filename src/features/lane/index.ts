import { laneCommand } from './command.ts';

/** How the carriers of a trade lane perform. */
export const lane = {
  commands: [laneCommand],
  prompts: [
    { title: 'Which carriers are late from Rotterdam to Singapore?', line: 'lane Rotterdam Singapore' },
  ],
};
