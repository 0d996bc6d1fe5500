import type { App } from '@slack/bolt';
import { actionIds, goToPattern, pressedOptionPattern } from '../../messages/action-ids.ts';
import { workingNotice } from '../../messages/frame/notices.ts';
import type { Message } from '../../messages/message.ts';
import { actionOf, type ButtonClick, readAllowed } from '../buttons/action-of.ts';
import { type EdgeParts, partsOf } from '../edge-parts.ts';
import { listenToViewClicks, type ViewClick } from '../forms/view-click.ts';
import { readPlace } from './home-view.ts';

/** The Home tab, drawn when it is opened and after each action there; and the prompts of the Messages tab. */
export function listenToHomeTab(app: App): void {
  app.event('app_home_opened', async ({ event, body, context }) => {
    const parts = partsOf(context);
    const { user: userId, channel: channelId, tab, view } = event;
    if (tab === 'messages' && parts.isAgent)
      await parts.runOnce(`prompts ${body.event_id}`, () => parts.suggestPrompts({ userId, channelId }));
    if (tab !== 'home') return;
    const place = placeFrom(view?.private_metadata ?? '', parts);
    await parts.runOnce(`home ${body.event_id}`, () => parts.home.draw({ userId, place }));
  });
  listenToViewClicks(app, 'home', (click, parts) => parts.runOnce(click.key, () => press(click, parts)));
}

const placeFrom = (text: string, { features }: EdgeParts) =>
  readPlace(
    text,
    features.flatMap(({ home }) => home ?? []),
  );

async function press(click: ViewClick, parts: EdgeParts): Promise<void> {
  const { id, value, user, view } = click;
  const { home, dispatch, runDue } = parts;
  const userId = user.id;
  if (goToPattern.test(id)) return home.draw({ userId, place: placeFrom(value, parts) });
  const place = placeFrom(view.private_metadata, parts);
  let notice: Message | undefined;
  const setNotice = async (message: Message) => {
    notice = message;
  };
  let showsWorking = false;
  const working = () => {
    showsWorking = true;
    return home.draw({ userId, place, notice: workingNotice });
  };
  const clicked = buttonClickOf(click);
  const surface = id === actionIds.refresh ? 'refresh' : 'home';
  const line = actionOf(clicked, parts) ?? clicked.value;
  const replies = { working, answer: setNotice, failure: setNotice };
  const { allowsOutsidersIn } = clicked;
  await dispatch({ surface, line, user, channelId: userId, allowsOutsidersIn }, replies);
  // Opening a form gives no answer: the tab stays as it is.
  if (notice || showsWorking) await home.draw({ userId, place, ...(notice && { notice }) });
  await runDue();
}

function buttonClickOf({ id, value: chosen, triggerId, user }: ViewClick): ButtonClick {
  const [, actionId = id, value = chosen] = pressedOptionPattern.exec(chosen) ?? [];
  return { ...readAllowed(actionId), value, triggerId, channelId: user.id };
}
