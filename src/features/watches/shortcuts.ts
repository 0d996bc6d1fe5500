import { findVessels, maxVessels } from '../../grammar/vessel.ts';
import type { Shortcut } from '../feature.ts';

/** «Watch a vessel», from anywhere; «Watch vessel in message», from the menu of a message. */
export const watchShortcuts: readonly Shortcut[] = [
  { id: 'watch_vessel', kind: 'global', form: 'watch', targetOf: () => ({}) },
  {
    id: 'watch_message',
    kind: 'message',
    form: 'watch',
    // Of the message only what vessels it names is stored, in the form.
    targetOf(words, { vessels }) {
      const imos = findVessels(words, vessels);
      return { subject: imos.slice(0, maxVessels).join(', '), found: imos.length };
    },
  },
];
