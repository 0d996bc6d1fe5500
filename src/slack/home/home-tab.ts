import type { App } from '@slack/bolt';
import { actionIds, goToPattern, pressedOptionPattern } from '../../messages/action-ids.ts';
import { workingNotice } from '../../messages/frame/notices.ts';
import type { Message } from '../../messages/message.ts';
import { actionOf, type ButtonClick } from '../buttons/action-of.ts';
import type { EdgeParts } from '../edge-parts.ts';
import { listenToViewClicks, type ViewClick } from '../forms/view-click.ts';
import { createDrawHome, type DrawHomeOptions } from './draw-home.ts';
import { readPlace } from './home-view.ts';

/** The Home tab: drawn when it is opened, and after each action there. */
export function listenToHomeTab(app: App, options: EdgeParts & DrawHomeOptions) {
  const { runOnce, dispatch, runDue, features } = options;
  const tab = createDrawHome(options);
  const sections = features.flatMap(({ home }) => home ?? []);
  const placeFrom = (text: string) => readPlace(text, sections);

  app.event('app_home_opened', async ({ event, body }) => {
    if (event.tab !== 'home') return;
    const { user: userId, view } = event;
    const draw = () => tab.draw({ userId, place: placeFrom(view?.private_metadata ?? '') });
    await runOnce(`home ${body.event_id}`, draw);
  });

  listenToViewClicks(app, 'home', (click) => runOnce(click.key, () => press(click)));

  async function press(click: ViewClick): Promise<void> {
    const { id, value, user, view } = click;
    const userId = user.id;
    if (goToPattern.test(id)) return tab.draw({ userId, place: placeFrom(value) });
    const place = placeFrom(view.private_metadata);
    let notice: Message | undefined;
    const setNotice = async (message: Message) => {
      notice = message;
    };
    let showsWorking = false;
    const working = () => {
      showsWorking = true;
      return tab.draw({ userId, place, notice: workingNotice });
    };
    const clicked = buttonClickOf(click);
    const surface = id === actionIds.refresh ? 'refresh' : 'home';
    const line = actionOf(clicked, options) ?? clicked.value;
    const replies = { working, answer: setNotice, failure: setNotice };
    await dispatch({ surface, line, user, channelId: userId }, replies);
    // Opening a form gives no answer: the tab stays as it is.
    if (notice || showsWorking) await tab.draw({ userId, place, ...(notice && { notice }) });
    await runDue();
  }

  return tab;
}

function buttonClickOf({ id, value: chosen, triggerId, user }: ViewClick): ButtonClick {
  const [, actionId = id, value = chosen] = pressedOptionPattern.exec(chosen) ?? [];
  return { actionId, value, triggerId, channelId: user.id };
}
