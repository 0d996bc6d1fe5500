export type { CheckedBlock } from './blocks/block-checks.ts';
export type { ElementValue } from './blocks/element-values.ts';
export type { DeliveryMark } from './delivery/deliver.ts';
export type { ServiceCall } from './delivery/service-calls.ts';
export type { FaultSwitch } from './fault-switches.ts';
export type { Playground, PlaygroundOptions } from './options.ts';
export type { FaultRequest, WireEntry } from './page-api/inspector-api.ts';
export type {
  FieldValues,
  PageMessage,
  PageShortcut,
  PageState,
  PageTexts,
  PageUnfurl,
  PageView,
  ViewReply,
} from './page-api/page-api.ts';
export type { StepOutcome } from './page-api/step-api.ts';
export { createPlayground } from './playground.ts';
export { createWorld, type WorldPlan } from './world/create-world.ts';
export type { Channel, User, World } from './world/world.ts';
export { defaultWorld, twoWorkspaces } from './world/worlds.ts';
