import { digest } from './digests/form/digest-form.ts';
import type { Form } from './form.ts';
import { channel } from './settings/form.ts';
import { name } from './vessels/form.ts';
import { snooze } from './watches/form/snooze-form.ts';
import { watch } from './watches/form/watch-form.ts';

/** THE registry: what a user can fill in. A new form is one file and one line here. */
export const forms: readonly Form[] = [channel, digest, name, snooze, watch];
