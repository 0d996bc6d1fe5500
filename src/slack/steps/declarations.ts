/** A value that a workflow hands to a step, or gets from it. */
type StepParameter = {
  /** Slack's. */
  type: 'string' | 'number' | 'slack#/types/user_id' | 'slack#/types/timestamp';
  title: string;
  description: string;
  is_required: boolean;
};

/** A step as the manifest declares it. */
type StepDeclaration = {
  title: string;
  description: string;
  input_parameters: Record<string, StepParameter>;
  output_parameters: Record<string, StepParameter>;
};

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
    line: {
      type: 'string',
      title: 'Line or question',
      description:
        'As you would type it in Slack: nextport 9461477, portcalls Rotterdam next 3 days, Where is EVER GIVEN?',
      is_required: true,
    },
    person: {
      type: 'slack#/types/user_id',
      title: 'For whom',
      description: 'The person who runs the workflow, or somebody of your workspace if it runs on a schedule',
      is_required: true,
    },
  },
  output_parameters: {
    text: {
      type: 'string',
      title: 'Answer',
      description: 'The whole answer in words',
      is_required: true,
    },
    port: {
      type: 'string',
      title: 'Next port',
      description: 'Name of the likeliest next port; empty unless the line is about one vessel',
      is_required: false,
    },
    locode: {
      type: 'string',
      title: 'UN/LOCODE',
      description: 'Code of that port',
      is_required: false,
    },
    eta: {
      type: 'slack#/types/timestamp',
      title: 'ETA',
      description: 'When the vessel is predicted there; empty if no ETA is given',
      is_required: false,
    },
    probability: {
      type: 'number',
      title: 'Probability',
      description: 'How probable that port is, from 0 to 1',
      is_required: false,
    },
  } satisfies Record<keyof StepOutputs, StepParameter>,
} satisfies StepDeclaration;

/** The custom steps of the Slack app, by callback id; manifest.yml declares them. */
export const steps: Readonly<Record<string, StepDeclaration>> = { ask_landfall: askLandfall };
