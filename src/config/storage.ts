import { z } from 'zod';
import { encryptionKeys, type Reading, type Settings } from './setting.ts';

export const storageSettings = {
  LANDFALL_DATA_DIR: {
    schema: z.string().min(1).default('./data'),
    description:
      'Directory for the SQLite file, its key, and the state of the playground and the sandbox; `:memory:` stores nothing.',
  },
  DATABASE_URL: {
    schema: z
      .string()
      .refine((value) => /^postgres(?:ql)?:$/.test(URL.parse(value)?.protocol ?? ''), {
        error: 'the address of a PostgreSQL database: it starts with postgres://',
      })
      .optional(),
    secret: true,
    description:
      'PostgreSQL database for watches, names and history. Without it, Landfall stores them in a SQLite file under LANDFALL_DATA_DIR.',
  },
  LANDFALL_ENCRYPTION_KEY: {
    schema: encryptionKeys.optional(),
    secret: true,
    description:
      'Seals secrets in the database: 32 bytes, made with `openssl rand -base64 32`. To change it, set the new key, a comma and the old key. Needed with DATABASE_URL; without it, Landfall creates a key file beside the SQLite file.',
  },
} satisfies Settings;

export function checkStorage({ has, problems }: Reading<typeof storageSettings>): void {
  if (has('DATABASE_URL') && !has('LANDFALL_ENCRYPTION_KEY'))
    problems.push(
      'LANDFALL_ENCRYPTION_KEY is missing: with DATABASE_URL it is needed (make one with openssl rand -base64 32)',
    );
}
