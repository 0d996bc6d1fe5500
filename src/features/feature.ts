import type { z } from 'zod';
import type { Fulfils, HomePart, Row, Verdict } from '../answers/answer.ts';
import type { FormView } from '../answers/fields.ts';
import type { Message, Reader } from '../answers/message.ts';
import type { Press } from '../answers/slack/notices.ts';
import type { Text } from '../answers/text.ts';
import type { VesselDirectory } from '../grammar/vessel-directory.ts';
import type { OutgoingMessage } from '../outbox/outgoing-message.ts';
import type { Imo } from '../reference/codes.ts';
import type { Command, LineAnswer } from './command.ts';
import type { AskCtx, FollowFleets, WorkCtx } from './ctx.ts';
import type { Pausable } from './services.ts';

/** All that a feature offers. The edge, the terminal, Home, digests and the job runner use nothing else of it. */
export interface Feature {
  commands: readonly Command[];
  /** Lines for the intents of other features. */
  fulfils?: Fulfils;
  forms?: readonly Form[];
  actions?: readonly Action[];
  /** The same as in manifest.yml. */
  shortcuts?: readonly Shortcut[];
  outgoing?: readonly OutgoingMessage<WorkCtx>[];
  pausable?: Pausable<WorkCtx, AskCtx>;
  /** Called in the transaction that changes fleets: their watches follow. */
  onFleetsChanged?: FollowFleets;
  /** The same for groups of ports. */
  onPortGroupsChanged?: FollowFleets;
  /** Called when Slack reports that nothing can be posted in a channel any more; `code` says why. */
  onChannelGone?(channel: { channelId: string; code: string }, ctx: WorkCtx): Promise<void>;
  jobs?: readonly Job<WorkCtx>[];
  home?: HomeSection;
  /** The beginning of the Home tab. */
  homeTop?(context: AskCtx): Promise<readonly HomePart[]>;
  /** True while no question can be answered, which `homeTop` says. */
  questionsWait?(ctx: WorkCtx): Promise<boolean>;
  /** Small print near the end of the Home tab. */
  homeBottom?(context: AskCtx): Promise<readonly Text[]>;
  /** What anybody may ask. In the manifest too, so it must make sense in every workspace. */
  prompts?: readonly Prompt[];
  /** What this person may ask, from what they have here, the most useful first. It comes before `prompts`. */
  ownPrompts?(context: AskCtx): Promise<readonly Prompt[]>;
  /** Small print at the end of the Home tab. It must not use the store, which may be unavailable. */
  homeFooter?(reader: Reader, ctx: WorkCtx): readonly Text[];
  /** The vessels that a thread of this feature is about; empty for any other thread. */
  vesselsOfThread?(thread: { channelId: string; threadTs: string }, ctx: WorkCtx): Promise<readonly Imo[]>;
  /** Handles a file that somebody shares with the bot in a direct message. */
  takeFile?(file: SharedFile, context: AskCtx): Promise<Pick<LineAnswer, 'view'>>;
  /** Handles a text that a person typed or pasted before it is read as a line, for that person alone. Undefined for any other text. */
  takeText?(text: string): BoundAction | undefined;
  /** Undefined for a link that says nothing to this feature. */
  readLink?(url: string): LinkQuestion | undefined;
}

interface ActionFlags {
  /** The action changes nothing. */
  repeatable?: boolean;
  /** Guests who may only ask can do it. If left out, the same as `repeatable`. */
  onlyAsks?: boolean;
}

/** A button, or an option of a menu, whose value is not a command line. */
export interface Action extends ActionFlags {
  /** Such as `watch:stop`; messages already posted in Slack hold it. */
  id: string;
  /** The answer replaces the message with the button; otherwise only the person who clicked sees the answer. */
  replacesMessage: boolean;
  /** The action asks the service again, at most once a minute (`context.fresh`). */
  isRefresh?: boolean;
  /** Resolves to undefined if there is nothing to say. Throws UserError. */
  run(value: string, context: ActionContext): Promise<Message | undefined>;
}

/** What an action gets: the context of every line, and more. */
export interface ActionContext extends AskCtx {
  /** Works within 3 s of the click. Throws UserError if it fails. */
  openForm(name: string, target: unknown): Promise<void>;
  /** Opens a window with a message, such as a question; `instead`: a line to type if the window can't open. */
  openMessage(message: Message, instead: string): Promise<void>;
  /** Runs the jobs of all features that are due. */
  runDue(): Promise<void>;
}

/** Something that a person does without a command line, ready to run: a click, a form, a shared file. */
export interface BoundAction extends ActionFlags {
  name: string;
  /** The button that was pressed, if it was one. */
  pressed?: Press;
  /** Resolves to undefined if there is nothing to say. */
  run(context: AskCtx): Promise<Pick<LineAnswer, 'view'> | undefined>;
}

/** What a link in a message asks for everybody who reads the message. Its answer is short. */
export interface LinkQuestion {
  /** The same for links to the same thing. */
  key: string;
  /** For the message, or for a click on Refresh under the link. */
  ask(surface: 'link' | 'refresh', ctx: WorkCtx): BoundAction;
}

/** A suggestion in a direct message with the bot, where it is an agent. A click sends the line as the person's message. */
export interface Prompt {
  /** A short question, plain text. */
  title: string;
  /** Changes nothing. */
  line: string;
}

export interface SharedFile {
  name: string | undefined;
  /** Throws UserError if the file is too large or Slack does not give it to the bot. */
  read(): Promise<Uint8Array>;
}

/** Opens a form from anywhere in Slack, or from the menu of a message; then `words` is that message's text. */
export interface Shortcut {
  id: string;
  kind: 'global' | 'message';
  form: string;
  targetOf(words: string, context: { vessels: VesselDirectory }): unknown;
}

/** Work that is due at certain times. */
export interface Job<Ctx = void> {
  /** In the plural, for the health page and the log: `polls`. */
  name: string;
  /** Does what is due at `now`, a time of the domain clock, as long as it `mayClaim` more. */
  runDue(now: Date, mayClaim: () => boolean, ctx: Ctx): Promise<unknown>;
  /** Resolves when all that was begun is finished. For a job whose work may outlive its round. */
  finish?(ctx: Ctx): Promise<void>;
}

/** A list on the Home tab. */
export interface HomeSection {
  /** Such as `watches`; the values of buttons hold it. */
  name: string;
  label: string;
  /** The button that opens the form to add one. */
  opener: { form: string; label: string };
  /** Advice for somebody who has nothing on any list yet. */
  firstStep: Pick<Verdict, 'strong' | 'rest'>;
  /** Shown instead of an empty list. */
  empty: Text;
  /** Entries have owners, so the list has a button “Only mine”. */
  hasOwners: boolean;
  read(page: HomePageRequest, context: AskCtx): Promise<HomePage>;
}

export interface HomePageRequest {
  /** `mine`: everything that the person owns; `all`: everything in the person's channels. */
  scope: 'all' | 'mine';
  limit: number;
  offset: number;
}

export interface HomePage {
  /** The number of entries on all pages. */
  total: number;
  rows: readonly Row[];
  /** Small print. */
  notes?: readonly Text[];
}

/** The values in an open form, by the id of the field's block. */
export interface FieldValues {
  /** What was typed or chosen; '' for nothing. */
  text(field: string): string;
  ticked(field: string): readonly string[];
}

/** A click in an open form. */
export interface FormAction {
  id: string;
  value: string;
}

/** What a click in a form leads to: the form with another state, a form on top of it, or a message on top of it. */
export type FormStep<State> =
  | { kind: 'state'; state: State }
  | { kind: 'form'; name: string; target: unknown }
  /** Slack lets a window open only within 3 s, so it opens first, and `run` fills it with the message. */
  | { kind: 'slow'; title: string; run(): Promise<{ view(reader: Reader): Message }> };

/** Undefined if the form only closes. */
type FormAnswer =
  | {
      view(reader: Reader): Message;
      /** The answer's buttons run their lines in this channel. */
      channelId?: string;
      /** Sent if no window can show the answer any more, and the answer must not be in Slack's history: it holds a secret. */
      withoutWindow?: Message;
    }
  | undefined;

/** A form is one declaration: its subject, its state, its view, and what it does. */
interface FormDefinition<Target, State> {
  name: string;
  /** It changes nothing, so guests who may only ask can open it. Default: false. */
  onlyAsks?: boolean;
  /** The subject of the form, as JSON in the button that opens it. */
  target: z.ZodType<Target>;
  /** Throws UserError if there is nothing to fill in, or the person has no permission. */
  open(target: Target, context: AskCtx): Promise<State>;
  /** The command line, without the slash, that the person can type if the form does not open. */
  instead(target: Target): string;
  /** Pure. Slack keeps what was typed into a field for as long as the field stays. */
  view(state: State, reader: Reader): FormView;
  /** The part of the state that no field shows. The form's metadata holds it: JSON of at most 2,000 characters. */
  memo?(state: State): unknown;
  /** The inverse of `view` and `memo`. */
  read(values: FieldValues, form: { target: Target; memo: unknown }): State;
  /** Handles a click on an element of the form. Throws UserError, or FieldErrors. */
  act?(action: FormAction, state: State, context: AskCtx): Promise<FormStep<State>>;
  /** Throws FieldErrors if fields are wrong, UserError for anything else. */
  submit(state: State, context: AskCtx): Promise<FormAnswer>;
}

/** What slack/ needs to show a form, and the part of it that goes into the form's metadata. */
export interface OpenedForm {
  view: FormView;
  reader: Reader;
  target: unknown;
  memo: unknown;
}

interface FilledForm extends Pick<OpenedForm, 'target' | 'memo'> {
  values: FieldValues;
}

/** A definition with its types closed over, so that the registry can hold all of them. */
export type Form = ReturnType<typeof form>;

/** A form is a constant; its context carries the services. */
export function form<Target, State>(definition: FormDefinition<Target, State>) {
  const { name, onlyAsks = false } = definition;
  const toOpenedForm = (target: Target, state: State, reader: Reader): OpenedForm => ({
    view: definition.view(state, reader),
    reader,
    target,
    memo: definition.memo?.(state),
  });
  const stateOf = ({ values, target, memo }: FilledForm) =>
    definition.read(values, { target: definition.target.parse(target), memo });
  return {
    ...{ name, onlyAsks },
    async open(targetJson: unknown, context: AskCtx, reader: Reader) {
      const target = definition.target.parse(targetJson);
      return toOpenedForm(target, await definition.open(target, context), reader);
    },
    instead: (targetJson: unknown) => definition.instead(definition.target.parse(targetJson)),
    async act(action: FormAction, form: FilledForm, context: AskCtx, reader: Reader) {
      const step = await definition.act?.(action, stateOf(form), context);
      if (step?.kind !== 'state') return step;
      const target = definition.target.parse(form.target);
      return { kind: step.kind, state: toOpenedForm(target, step.state, reader) };
    },
    submit: async (filled: FilledForm, context: AskCtx) => definition.submit(stateOf(filled), context),
  };
}
