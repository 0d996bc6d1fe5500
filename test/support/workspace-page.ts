import type { Locator, Page } from 'playwright-core';

/** What a person does on the playground's page with several workspaces. */
export function createWorkspacePage(page: Page) {
  const composer = () => page.getByRole('combobox', { name: /^Message / });
  const choose = async (menu: string | RegExp, item: string | RegExp, role: 'menuitem' | 'menuitemradio') => {
    await page.getByRole('button', { name: menu }).click();
    await page.getByRole(role, { name: item }).click();
  };
  // The browser seldom draws a page in the background, and a click waits until the page is drawn.
  const show = () => page.bringToFront();
  const openConversation = async (name: string) => {
    await show();
    const sidebar = page.getByRole('navigation', { name: 'Workspace' });
    await sidebar.getByRole('button', { name, exact: true }).click();
  };
  return {
    page,
    notInstalled: () => page.getByRole('complementary', { name: "Landfall isn't installed" }),
    async openWorkspace(name: string): Promise<void> {
      await show();
      await page.getByRole('list', { name: 'Workspaces' }).getByRole('button', { name }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
    },
    async openChannel(name: string): Promise<void> {
      await openConversation(name);
      await page.getByRole('main', { name: `#${name}` }).waitFor();
    },
    /** Landfall's Home tab. */
    async openHome(): Promise<Locator> {
      await openConversation('Landfall');
      await page.getByRole('navigation', { name: 'App' }).getByRole('button', { name: 'Home' }).click();
      return page.getByRole('main', { name: 'Landfall' });
    },
    async become(name: string): Promise<void> {
      await choose(/Switch user/, new RegExp(name), 'menuitemradio');
      await page.getByRole('button', { name: new RegExp(`You are ${name}`) }).waitFor();
    },
    addApp: () => choose('Channel actions', 'Add Landfall to this channel', 'menuitem'),
    async type(line: string): Promise<void> {
      await composer().fill(line);
      await composer().press('Enter');
    },
    /** The messages of the open conversation that contain a text. */
    messages: (text: string | RegExp) =>
      page
        .getByRole('log', { name: /^Messages in #/ })
        .getByRole('article')
        .filter({ hasText: text }),
    /** Moves the world's clock with the page's control, and waits until the due work is done. */
    async forward(label: 'Forward 1 h' | 'Forward 6 h'): Promise<void> {
      await show();
      const clock = page.getByRole('button', { name: /^World clock/ });
      await clock.click();
      const panel = page.getByRole('dialog', { name: 'World clock' });
      const button = panel.getByRole('button', { name: label });
      const moved = page.waitForResponse((response) => response.url().endsWith('/playground/clock'));
      await button.click();
      await moved;
      await button.and(page.locator(':enabled')).waitFor();
      await page.keyboard.press('Escape');
      await panel.waitFor({ state: 'hidden' });
    },
    async uninstall(): Promise<void> {
      await show();
      await page.getByRole('button', { name: 'Installation' }).click();
      const dialog = page.getByRole('dialog', { name: /^Landfall in / });
      await dialog.getByRole('button', { name: 'Uninstall Landfall' }).click();
      const question = page.getByRole('dialog', { name: 'Uninstall Landfall?' });
      await question.getByRole('button', { name: 'Uninstall' }).click();
      await dialog.getByText("Landfall isn't installed in this workspace.").waitFor();
      await dialog.getByRole('button', { name: 'Close' }).click();
    },
    thread: () => page.getByRole('complementary', { name: 'Thread' }),
  };
}
