import type { LinkMode } from '../../workspaces/settings.ts';

/** What a workspace can choose. */
export const linkChoices: Readonly<Record<LinkMode, { label: string; says: string }>> = {
  off: {
    label: 'Links to vessels are left alone',
    says: 'Slack shows them as it shows any link.',
  },
  on: {
    label: 'Links to vessels show the next ports',
    says: 'In the channels that Landfall is in, except where people of another organisation can read.',
  },
  composer: {
    label: 'Links to vessels show the next ports, while you write too',
    says: "Slack doesn't say where the message will go, so a preview may reach people of another organisation.",
  },
};
