import { analyticsSettings } from './analytics.ts';
import { scheduleSettings } from './schedules.ts';
import { serverSettings } from './server.ts';
import { slackSettings } from './slack.ts';
import { storageSettings } from './storage.ts';

/** Every setting, in the order of `.env.example` and docs/settings.md (test/drift.test.ts compares them). */
export const settings = {
  ...slackSettings,
  ...analyticsSettings,
  ...storageSettings,
  ...scheduleSettings,
  ...serverSettings,
};
