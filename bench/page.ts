// How long the playground's page blocks its main thread while a long channel is opened and scrolled.
import { existsSync } from 'node:fs';
import { createPlayground, type Playground } from 'bolt-playground';
import { type Browser, chromium, type Page } from 'playwright-core';
import { oneWorkspace } from '../src/app/playground-world.ts';
import { pageMessages } from './page-messages.ts';
import { show, table } from './table.ts';

const OPS = 'C0OPS00001';
const ADA = 'U0ADA0001';
const BOT_LINES = 5;

const steps = {
  'the page opens': async (page: Page, url: string) => {
    await page.goto(`${url}/#/${ADA}/C0CHARTER1`);
    await page.getByRole('combobox', { name: /^Message / }).waitFor();
    await settled(page);
  },
  'the channel opens': async (page: Page) => {
    await page.locator('.sidebar-item').first().click();
    await settled(page);
  },
  'scrolling up through 60 screens': async (page: Page) => {
    await page.locator('.list').hover();
    for (let screen = 0; screen < 60; screen += 1) {
      await page.mouse.wheel(0, -700);
      await page.evaluate(nextFrame);
    }
    await settled(page);
  },
  'a jump to the oldest message': async (page: Page) => {
    await page.locator('.list').focus();
    await page.keyboard.press('Home');
    await settled(page);
  },
  'a jump to the newest message': async (page: Page) => {
    await page.locator('.to-end').click();
    await settled(page);
  },
} satisfies Record<string, (page: Page, url: string) => Promise<void>>;

/** What is in sight after a step. */
const shows: Readonly<Record<string, string>> = {
  'the channel opens': 'the newest message',
  'a jump to the oldest message': 'the oldest message',
  'a jump to the newest message': 'the newest message',
};

/** Returns Markdown: the longest task of each step, in the best of the runs. */
export async function measurePage({ quick }: { quick: boolean }): Promise<string> {
  const [count, runs] = quick ? [60, 1] : [2000, 5];
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
  if (!existsSync(executablePath)) return `There is no Chromium at ${executablePath}; set CHROMIUM_PATH.\n`;
  const slack = await createPlayground({
    mode: 'http',
    rateLimit: false,
    world: oneWorkspace(),
    limits: { messages: count + 10 },
  });
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    await fill(slack, count);
    const rows: string[][] = [];
    for (const width of [1280, 390]) {
      const best = new Map<string, Longest>();
      for (let run = 0; run < runs; run += 1) {
        process.stderr.write(`page at ${width} px, run ${run + 1}\n`);
        for (const [step, { ms, processorMs }] of await measure(browser, { url: slack.url, width })) {
          const before = best.get(step) ?? { ms, processorMs };
          best.set(step, {
            ms: Math.min(ms, before.ms),
            processorMs: Math.min(processorMs, before.processorMs),
          });
        }
      }
      for (const [step, { ms, processorMs }] of best)
        rows.push([`${width} px`, step, show(ms, 'ms'), show(processorMs, 'ms')]);
    }
    const head = ['width', 'step', 'longest task', 'most CPU time of a task'];
    return `${count} messages, best of ${runs} runs.\n\n${table(head, rows, { left: 2 })}`;
  } finally {
    await browser.close();
    await slack.close();
  }
}

async function fill(slack: Playground, count: number): Promise<void> {
  const { answers, card, alert } = await pageMessages();
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${slack.botToken}` };
  const say = (text: string) => slack.say({ userId: ADA, channelId: OPS, text });
  await say('the oldest message');
  for (let n = 0; n < count - 2; n += 1) {
    const message = [undefined, answers[n % answers.length], alert, card, answers[(n + 1) % answers.length]][
      n % BOT_LINES
    ];
    if (!message) {
      await say(`What about line ${n}?`);
      continue;
    }
    const body = JSON.stringify({ channel: OPS, text: message.text, blocks: message.blocks });
    const answer = await fetch(`${slack.apiUrl}chat.postMessage`, { method: 'POST', headers, body });
    // The Web API's own envelope.
    const { ok, error } = (await answer.json()) as { ok: boolean; error?: string };
    if (!ok) throw new Error(`a message was refused: ${error}`);
  }
  await say('the newest message');
}

interface Longest {
  ms: number;
  /** Of the task that takes most of it; doesn't grow while other processes use the machine. */
  processorMs: number;
}

async function measure(
  browser: Browser,
  { url, width }: { url: string; width: number },
): Promise<Map<string, Longest>> {
  const height = width < 700 ? 844 : 860;
  const page = await browser.newPage({ viewport: { width, height } });
  page.setDefaultTimeout(120_000);
  const longest = new Map<string, Longest>();
  try {
    for (const [name, step] of Object.entries(steps)) {
      if (name === 'the channel opens' && width < 760)
        await page.getByRole('button', { name: 'Show channels' }).click();
      await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] });
      await step(page, url);
      longest.set(name, longestTask(await browser.stopTracing()));
      // Not while it is traced: Playwright's search of the page is a long task itself.
      if (shows[name]) await page.getByText(shows[name], { exact: true }).waitFor();
    }
    return longest;
  } finally {
    await page.close();
  }
}

/** Runs in the page. */
const nextFrame = 'new Promise((resolve) => requestAnimationFrame(() => resolve()))';

/** Resolves after half a second in which the list did not change. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    let timer = setTimeout(resolve, 500);
    new MutationObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(resolve, 500);
    }).observe(document.querySelector('.list'), { childList: true, subtree: true });
  })`);
}

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Microseconds. */
  dur?: number;
  tdur?: number;
  args: { name?: string };
}

/** The longest task of the page's main thread in a trace of Chromium. */
function longestTask(trace: Buffer): Longest {
  // Chromium's trace format.
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid}:${tid}`),
  );
  const longest: Longest = { ms: 0, processorMs: 0 };
  for (const { name, pid, tid, dur = 0, tdur = 0 } of traceEvents) {
    const isTask = name === 'RunTask' || name === 'ThreadControllerImpl::RunTask';
    if (!isTask || !mains.has(`${pid}:${tid}`)) continue;
    longest.ms = Math.max(longest.ms, dur / 1000);
    longest.processorMs = Math.max(longest.processorMs, tdur / 1000);
  }
  return longest;
}
