/** A value that a workflow hands to a step, or gets from it. `type`: Slack's. */
const parameter = (
  type: 'string' | 'number' | 'slack#/types/user_id' | 'slack#/types/timestamp',
  title: string,
  description: string,
) => ({ type, title, description, is_required: false });

const required = (...of: Parameters<typeof parameter>) => ({ ...parameter(...of), is_required: true });

type StepParameter = ReturnType<typeof parameter>;

/** What the step gives to the workflow: the values of its output parameters. */
export interface StepOutputs {
  text: string;
  port?: string;
  locode?: string;
  /** Unix seconds. */
  eta?: number;
  /** From 0 to 1. */
  probability?: number;
}

const askLandfall = {
  title: 'Ask Landfall',
  description:
    'Answers a line or a question about ships: in words and, for one vessel, with its next port, ETA and probability',
  input_parameters: {
    line: required(
      'string',
      'Line or question',
      'As you would type it in Slack: nextport 9461477, portcalls Rotterdam next 3 days, Where is EVER GIVEN?',
    ),
    person: required(
      'slack#/types/user_id',
      'For whom',
      'The person who runs the workflow, or somebody of your workspace if it runs on a schedule',
    ),
  },
  output_parameters: {
    text: required('string', 'Answer', 'The whole answer in words'),
    port: parameter(
      'string',
      'Next port',
      'Name of the likeliest next port; empty unless the line is about one vessel',
    ),
    locode: parameter('string', 'UN/LOCODE', 'Code of that port'),
    eta: parameter(
      'slack#/types/timestamp',
      'ETA',
      'When the vessel is predicted there; empty if no ETA is given',
    ),
    probability: parameter('number', 'Probability', 'How probable that port is, from 0 to 1'),
  } satisfies Record<keyof StepOutputs, StepParameter>,
};

/** The custom steps of the Slack app, by callback id, as manifest.yml declares them. */
export const steps: Readonly<
  Record<
    string,
    Record<'title' | 'description', string> &
      Record<'input_parameters' | 'output_parameters', Record<string, StepParameter>>
  >
> = { ask_landfall: askLandfall };
