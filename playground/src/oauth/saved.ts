import { z } from 'zod';
import type { Install } from './installs.ts';
import type { InstallSettings } from './settings.ts';

const install = z.object({
  id: z.string(),
  isOrgWide: z.boolean(),
  installerId: z.string(),
  scopes: z.array(z.string()),
  installedAt: z.number(),
  tokens: z.array(z.object({ value: z.string(), expiresAt: z.number().exactOptional() })),
  refreshToken: z.string().exactOptional(),
  ended: z.enum(['token_revoked', 'account_inactive']).exactOptional(),
}) satisfies z.ZodType<Install>;

const settings = z.object({
  rotation: z.boolean(),
  organisation: z.boolean(),
  apart: z.array(z.string()).default([]),
  revokedFirst: z.boolean(),
}) satisfies z.ZodType<InstallSettings>;

/** What the data file remembers of the app. */
const savedApp = z.object({
  installs: z.array(install),
  settings,
  /** The channels that the bot is in, by workspace. */
  channels: z.record(z.string(), z.array(z.string())),
});

export type SavedApp = z.infer<typeof savedApp>;

/** Undefined if nothing was saved, or something else. */
export const readSavedApp = (value: unknown): SavedApp | undefined => savedApp.safeParse(value).data;
