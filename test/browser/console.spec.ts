import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { diagnostic } from '#test/support/diagnostic.js';
import { browserPath, launchBrowser } from '#test/support/browser.js';
import { startTestService, type TestService, type TestWorkspace } from '#test/support/service.js';

/** Folder for pictures of the pages; without it none are made. */
const PICTURES = process.env['CONSOLE_PICTURES'];
const PATIENCE = 150_000;
const VIEWS = [
  { width: 1280, scheme: 'light' },
  { width: 1280, scheme: 'dark' },
  { width: 390, scheme: 'light' },
  { width: 390, scheme: 'dark' },
] as const;

if (browserPath === undefined) diagnostic('no chromium here: the console is not looked at in a browser');
(browserPath === undefined ? describe.skip : describe)('the console in a browser without scripts', () => {
  let service: TestService;
  let workspace: TestWorkspace;
  let browser: Browser;
  beforeAll(async () => {
    service = await startTestService({ CLOCK: 'manual' });
    await service.ops('clock.set', { now: '2026-05-14T10:00:00.000Z' });
    workspace = await service.workspace({ name: 'A name of somebody & <b>others</b>', credits: 1_000 });
    for (let index = 0; index < 12; index += 1) {
      const key = `job:${index}:of-a-long-name-that-says-what-it-is-about`;
      const held = { workspace_id: workspace.id, credits: 2.5, product: 'work', key };
      await service.ops('credits.hold', held);
      if (index < 9) await service.ops('credits.capture', { workspace_id: workspace.id, key });
    }
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  for (const { width, scheme } of VIEWS) {
    it(`is used with a keyboard alone, and fits, at ${width} px in the ${scheme} scheme`, async () => {
      const origin = service.service.opsUrl ?? '';
      const page = await browser.newPage({
        viewport: { width, height: 900 },
        colorScheme: scheme,
        javaScriptEnabled: false,
      });
      page.setDefaultTimeout(PATIENCE);
      const asked: string[] = [];
      const said: string[] = [];
      page.on('request', (request) => {
        if (!request.url().startsWith('data:')) asked.push(request.url());
      });
      page.on('console', (message) => said.push(message.text()));
      await page.goto(`${origin}/console`);
      expect(page.url()).toBe(`${origin}/console/sign-in`);
      await picture(page, 'sign-in', width, scheme);
      // The field has the focus.
      await page.keyboard.type(service.token);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Workspaces' }).waitFor();
      await picture(page, 'workspaces', width, scheme);

      await follow(page, 'A name of somebody & <b>others</b>');
      await page.getByRole('heading', { name: 'Statement of 2026-05' }).waitFor();
      expect(await page.getByRole('row').count()).toBeGreaterThan(20);
      await picture(page, 'ledger', width, scheme);
      for (const [link, heading] of [
        ['Holds', 'Holds of'],
        ['Month close', 'Month close of'],
        ['Access', 'Access to'],
        ['Read models', 'Read models'],
      ] as const) {
        await follow(page, link);
        await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
        await picture(page, heading.toLowerCase().replaceAll(' ', '-'), width, scheme);
      }
      await page.goto(`${origin}/console/workspaces/${workspace.id}/movements/2`);
      await picture(page, 'movement', width, scheme);

      await page.goto(`${origin}/console/workspaces/${workspace.id}/ledger`);
      await page.keyboard.press('Tab');
      expect(await page.locator(':focus').innerText()).toBe('To the content');
      await page.keyboard.press('Enter');
      await follow(page, 'Grant credits');
      await tabTo(page, page.getByLabel('Credits'));
      await page.keyboard.type('12.5');
      await tabTo(page, page.getByLabel('Reason'));
      await page.keyboard.type(`With a keyboard, ${width} px, ${scheme}`);
      await tabTo(page, page.getByRole('button', { name: 'Show what will change' }));
      await page.keyboard.press('Enter');
      await page.getByText('1 workspace, 12.5 credits').waitFor();
      await picture(page, 'action', width, scheme);
      await tabTo(page, page.getByRole('button', { name: 'Grant 12.5 credits' }));
      await page.keyboard.press('Enter');
      await page.getByText('Granted as movement').waitFor();
      expect([asked.filter((url) => !url.startsWith(origin)), said]).toEqual([[], []]);
      await page.close();
    });
  }

  /** Opens a link by keyboard: moves to its place in the order of the page, then Enter. */
  async function follow(page: Page, name: string): Promise<void> {
    await tabTo(page, page.getByRole('link', { name, exact: true }));
    await page.keyboard.press('Enter');
  }

  async function tabTo(page: Page, wanted: Locator): Promise<void> {
    for (let steps = 0; steps < 60; steps += 1) {
      await page.keyboard.press('Tab');
      if ((await wanted.and(page.locator(':focus')).count()) === 1) return;
    }
    throw new Error(`${String(wanted)} is not reached with a keyboard`);
  }

  /** No page is wider than its window; tables scroll on their own. */
  async function picture(page: Page, name: string, width: number, scheme: string): Promise<void> {
    expect([name, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([name, width]);
    if (PICTURES === undefined) return;
    mkdirSync(PICTURES, { recursive: true });
    await page.screenshot({ path: join(PICTURES, `${name}-${width}-${scheme}.png`) });
  }
});
