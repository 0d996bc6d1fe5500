import { channel } from './channel.ts';
import type { Form } from './define-form.ts';
import { digest } from './digest.ts';
import { name } from './name.ts';
import { snooze } from './snooze.ts';
import { watch } from './watch.ts';

/** THE registry: what a user can fill in. A new form is one file and one line here. */
export const forms: readonly Form[] = [channel, digest, name, snooze, watch];
