import type { App, BlockAction, BlockElementAction } from '@slack/bolt';
import { actionIds, goToPattern, pressedOptionPattern } from '../../messages/action-ids.ts';
import { workingNotice } from '../../messages/frame/notices.ts';
import type { Message } from '../../messages/message.ts';
import { bindAction } from '../buttons/bind-action.ts';
import type { Pressed } from '../buttons/click.ts';
import { homeOf } from '../connection/installation.ts';
import type { EdgeParts } from '../edge-parts.ts';
import { formAction } from '../forms/open-form.ts';
import { readViewClick, type ViewClick } from '../forms/view-click.ts';
import { createDrawHome, type DrawHomeOptions } from './draw-home.ts';
import { readPlace } from './home-view.ts';

interface HomeTab {
  /** Redraws it for a person who has opened it within the hour. */
  refresh(userId: string): Promise<void>;
}

type HomeTabOptions = EdgeParts & DrawHomeOptions;

/** The Home tab: drawn when it is opened, and after each action there. */
export function listenToHomeTab(app: App, options: HomeTabOptions): HomeTab {
  const { deduplicate, inFlight, dispatch, installation, runDue, features } = options;
  const tab = createDrawHome(options);
  const sections = features.flatMap(({ home }) => home ?? []);
  const placeIn = (text: string) => readPlace(text, sections);

  app.event('app_home_opened', async ({ event, body }) => {
    if (event.tab !== 'home') return;
    const { user: userId, view } = event;
    const draw = () => tab.draw({ userId, place: placeIn(view?.private_metadata ?? '') });
    await inFlight.track(deduplicate(`home ${body.event_id}`, draw));
  });

  app.action(/.*/, async ({ ack, body, action }) => {
    if (body.type !== 'block_actions' || body.view?.type !== 'home') return;
    await ack();
    // The actions of a `block_actions` body are these.
    const click = readViewClick(body as BlockAction, action as BlockElementAction);
    if (!click) return;
    const key = `click ${click.triggerId} ${click.actionTs} ${click.id}`;
    await inFlight.track(deduplicate(key, () => press(click)));
  });

  async function press(click: ViewClick): Promise<void> {
    const { id, value, user, view } = click;
    if (goToPattern.test(id)) return tab.draw({ userId: user.id, place: placeIn(value) });
    let notice: Message | undefined;
    const note = async (message: Message) => {
      notice = message;
    };
    const place = placeIn(view.private_metadata);
    let isWaiting = false;
    const working = () => {
      isWaiting = true;
      return tab.draw({ userId: user.id, place, notice: workingNotice });
    };
    const pressed = pressedOn(click);
    const bound = bindAction(pressed, options);
    const ask = {
      surface: id === actionIds.refresh ? ('refresh' as const) : ('home' as const),
      line: bound ?? formAction(pressed, options) ?? pressed.line,
      userId: user.id,
      channelId: user.id,
      destination: 'response' as const,
      home: homeOf(user, installation),
      visibility: 'private' as const,
    };
    await dispatch(ask, { working, answer: note, failure: note, decline: note });
    // Opening a form gives no answer: the tab stays as it is.
    if (notice || isWaiting) await tab.draw({ userId: user.id, place, ...(notice && { notice }) });
    await runDue();
  }

  return { refresh: tab.refresh };
}

/** The Home tab has no channel, so the person's own id is used. */
function pressedOn({ id, value, triggerId, user }: ViewClick): Pressed {
  const [, actionId = id, line = value] = pressedOptionPattern.exec(value) ?? [];
  return { actionId, line, triggerId, userId: user.id, channelId: user.id };
}
