import { z } from 'zod';
import { encryptionKeys } from './checks.ts';
import type { Reading, Settings } from './reading.ts';

export const storageSettings = {
  LANDFALL_DATA_DIR: {
    schema: z.string().min(1).default('./data'),
    description: 'Where the embedded parts keep their state; `:memory:` for nowhere.',
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
      'PostgreSQL database for watches, names and history. Without it the embedded store under LANDFALL_DATA_DIR is used.',
  },
  LANDFALL_ENCRYPTION_KEY: {
    schema: encryptionKeys.optional(),
    secret: true,
    description:
      'Seals secrets in the database: 32 bytes, made with `openssl rand -base64 32`; after a change the new key, a comma, the old one. Needed with DATABASE_URL; the embedded store makes a file of its own.',
  },
} satisfies Settings;

export function checkStorage({ has, faults }: Reading<typeof storageSettings>): void {
  if (has('DATABASE_URL') && !has('LANDFALL_ENCRYPTION_KEY'))
    faults.push(
      'LANDFALL_ENCRYPTION_KEY is missing: with DATABASE_URL it is needed (make one with openssl rand -base64 32)',
    );
}
