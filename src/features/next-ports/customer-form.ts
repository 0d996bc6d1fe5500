import { type CustomerCopy, customerCopy, lines } from '../../answers/answer.ts';
import type { FormView } from '../../answers/fields.ts';
import { joinClipped } from '../../answers/message.ts';
import { referenceKey } from '../../grammar/vessel-directory.ts';
import { rankProspects } from '../../predictions/next-port.ts';
import type { Due } from '../../predictions/promises.ts';
import { samePort } from '../../reference/ports.ts';

import { commandCause } from '../ctx.ts';
import { form } from '../feature.ts';
import { promisesHere } from '../promises/index.ts';
import { customerText } from './customer-text.ts';
import { askNextPorts } from './predictions.ts';
import { formatVessel } from './words.ts';

interface State {
  text: string;
  /** Set if the vessel has several and none was typed: they may belong to several customers. */
  references: readonly string[];
}

/** “Copy for the customer …”: a text to copy. Nothing is sent, and closing the window changes nothing. */
export const customerForm = form<CustomerCopy, State>({
  name: 'customer',
  onlyAsks: true,
  target: customerCopy,
  async open({ imo, at, reference, was }, ctx) {
    const found = await askNextPorts(imo, { ...ctx, cause: commandCause('nextport', ctx.place) });
    const all = ctx.vessels.referencesOf(imo);
    const typed = all.filter((each) => each === reference);
    const references = typed.length > 0 ? typed : all;
    const promises = await promisesHere({ imo, ranked: rankProspects(found.predictions) }, ctx);
    const [due, ...otherDues] = promises
      .map((each) => each.due)
      .filter((each) => isOf(each, references) && (at === undefined || samePort(each.port, at)));
    const former = was && { port: was.port, eta: was.eta === null ? null : new Date(was.eta) };
    const about = { found, references, at, due: otherDues.length > 0 ? undefined : due, was: former };
    const text = customerText(about, { now: ctx.now(), source: ctx.source });
    return { text: text.join('\n'), references: references.length > 1 ? references : [] };
  },
  instead: ({ imo, at }) => formatVessel({ imo, page: 1, ...(at !== undefined && { at }) }),
  view: customerView,
  read: (values) => ({ text: values.text('text'), references: [] }),
  submit: async () => undefined,
});

/** Another reference may be another customer's. */
const isOf = ({ reference }: Due, [only, ...others]: readonly string[]): boolean =>
  only !== undefined &&
  others.length === 0 &&
  reference !== undefined &&
  referenceKey(reference) === referenceKey(only);

function customerView({ text, references }: State): FormView {
  const all = joinClipped(references, { each: 40, all: 300 });
  const note = `The vessel has several references: ${all}. The text names none: add this customer's.`;
  return {
    title: 'Copy for the customer',
    submit: 'Done',
    parts: [
      // The field is a small box, at worst of a phone: the text is read here.
      ...lines(text.split('\n')),
      ...lines(references.length > 1 ? [note] : []),
      {
        kind: 'input',
        id: 'text',
        label: 'To change and copy',
        value: text,
        isMultiline: true,
        hint: 'Select all of it and copy. Nothing is sent.',
      },
    ],
  };
}
