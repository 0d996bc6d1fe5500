import { type CustomerCopy, customerCopy, lines } from '../../answers/answer.ts';
import type { FormPart, FormView } from '../../answers/fields.ts';
import { referenceKey } from '../../grammar/vessel-directory.ts';
import { rankProspects } from '../../predictions/next-port.ts';
import type { Due } from '../../predictions/promises.ts';
import { samePort } from '../../reference/ports.ts';

import { type AskCtx, commandCause } from '../ctx.ts';
import { form } from '../feature.ts';
import { promisesHere } from '../promises/index.ts';
import { customerText } from './customer-text.ts';
import { askNextPorts } from './predictions.ts';
import { formatVessel } from './words.ts';

interface State {
  target: CustomerCopy;
  text: string;
  /** Set if the vessel has several and none was typed: they may belong to several customers. */
  references: readonly string[];
  /** The option that is chosen: which of these references the text names. */
  naming: string;
}

const [nothing, everything] = ['none', 'all'];

/** A reference may be called “all”. */
const optionOf = (reference: string): string => `reference ${reference}`;

const namedBy = ({ references, naming }: Pick<State, 'references' | 'naming'>): readonly string[] =>
  references.filter((each) => naming === everything || naming === optionOf(each));

/** “Copy for the customer …”: a text to copy. Nothing is sent, and closing the window changes nothing. */
export const customerForm = form<CustomerCopy, State>({
  name: 'customer',
  onlyAsks: true,
  target: customerCopy,
  open: (target, ctx) => stateOf({ target, naming: nothing }, ctx),
  instead: ({ imo, at }) => formatVessel({ imo, page: 1, ...(at !== undefined && { at }) }),
  view: customerView,
  read: (values, { target }) => ({
    ...{ target, text: '', references: [] },
    naming: values.text('naming') || nothing,
  }),
  act: async (_, state, ctx) => ({ kind: 'state', state: await stateOf(state, ctx) }),
  submit: async () => undefined,
});

async function stateOf({ target, naming }: Pick<State, 'target' | 'naming'>, ctx: AskCtx): Promise<State> {
  const { imo, at, reference, was } = target;
  const found = await askNextPorts(imo, { ...ctx, cause: commandCause('nextport', ctx.place) });
  const all = ctx.vessels.referencesOf(imo);
  const only = all.length === 1 ? all : all.filter((each) => each === reference);
  const references = only.length === 0 ? all : [];
  const named = only.length === 0 ? namedBy({ references, naming }) : only;
  const promises = await promisesHere({ imo, ranked: rankProspects(found.predictions) }, ctx);
  const [due, ...otherDues] = promises
    .map((each) => each.due)
    .filter((each) => isOf(each, named) && (at === undefined || samePort(each.port, at)));
  const former = was && { port: was.port, eta: was.eta === null ? null : new Date(was.eta) };
  const about = {
    ...{ found, at, references: named, was: former },
    due: otherDues.length > 0 ? undefined : due,
  };
  const text = customerText(about, { now: ctx.now(), source: ctx.source });
  return { target, text: text.join('\n'), references, naming };
}

/** Another reference may be another customer's. */
const isOf = ({ reference }: Due, [only, ...others]: readonly string[]): boolean =>
  only !== undefined &&
  others.length === 0 &&
  reference !== undefined &&
  referenceKey(reference) === referenceKey(only);

function customerView(state: State): FormView {
  const { text, references, naming } = state;
  const note = `The vessel has ${references.length} references, perhaps of several customers: choose what the text names.`;
  return {
    title: 'Copy for the customer',
    submit: 'Done',
    parts: [
      // The field is a small box, at worst of a phone: the text is read here.
      ...lines(text.split('\n')),
      ...(references.length > 0 ? [...lines([note]), namingField(state)] : []),
      {
        kind: 'input',
        // Slack keeps what is in a field while its id stays the same.
        id: namedBy({ references, naming }).length === 0 ? 'text' : `text ${naming}`,
        label: 'To change and copy',
        value: text,
        isMultiline: true,
        hint: 'Select all of it and copy. Nothing is sent.',
      },
    ],
  };
}

const namingField = ({ references, naming }: State): FormPart => ({
  kind: 'menu',
  id: 'naming',
  label: 'Reference',
  value: naming,
  isLive: true,
  options: [
    { value: nothing, label: 'None' },
    ...references.map((each) => ({ value: optionOf(each), label: each })),
    { value: everything, label: 'All of them' },
  ],
});
