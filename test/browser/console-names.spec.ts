import type { Browser, Page } from 'playwright-core';
import { browserPath, launchBrowser } from '#test/support/browser.js';
import { diagnostic } from '#test/support/diagnostic.js';
import { keywordAgent, observedPerson, observedPost } from '#test/support/observed-network.js';
import { startTestService, type TestService } from '#test/support/service.js';
import { seeRunThrough } from '#test/support/signal-runs.js';

const PATIENCE = 150_000;
/** A name that turns the direction of all text after it, and one that is a single long word. */
const TURNED = 'Acme\u202Eabc 123';
/** An A4 sheet without its margins, at 96 dots an inch. */
const PAPER_WIDTH = 688;
const LONG = 'L'.repeat(200);

if (browserPath === undefined) diagnostic('no chromium here: names in the console are not looked at');
(browserPath === undefined ? describe.skip : describe)('names in the console, in a browser', () => {
  let service: TestService;
  let browser: Browser;
  let page: Page;
  let ofLongProduct: number;

  beforeAll(async () => {
    browser = await launchBrowser();
    service = await startTestService({ CLOCK: 'manual' });
    await service.ops('clock.set', { now: '2026-05-14T10:00:00.000Z' });
    await service.ingest([
      observedPerson('author'),
      observedPost('post-1', 'author', 'We look for a CRM', '2026-05-02T09:00:00Z'),
    ]);
    const workspace = await service.workspace({ name: LONG, credits: 999_999_999 });
    await seeRunThrough(service, workspace, await keywordAgent(workspace, 'crm'), { lookback_days: 60 });
    await service.workspace({ name: TURNED, credits: 12.5 });
    await service.workspace({ name: 'שלום 2026', credits: 12.5 });
    // An operator names the product of a hold.
    const hold = { workspace_id: 2, credits: 1, product: 'P'.repeat(80), key: LONG };
    ofLongProduct = (await service.ops('credits.hold', hold)).body.movement_id;
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    page.setDefaultTimeout(PATIENCE);
    await page.goto(`${service.service.opsUrl}/console/sign-in`);
    await page.getByLabel('Token of an operator').fill(service.token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Workspaces' }).waitFor();
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  it('a long name leaves the balances of the list in sight', async () => {
    await page.goto(`${service.service.opsUrl}/console`);
    const balance = await page.getByText('999999989').boundingBox();
    expect((balance?.x ?? 1280) + (balance?.width ?? 0)).toBeLessThan(1_280);
  });

  it('CON-21 the number after a name stands after it, in whichever direction the name is written', async () => {
    await page.goto(`${service.service.opsUrl}/console`);
    for (const id of ['2', '3']) {
      const row = page.locator('tbody tr').nth(Number(id) - 1);
      const [name, number] = [
        await row.locator('a').first().boundingBox(),
        await row.locator('small').boundingBox(),
      ];
      expect(await row.locator('small').textContent()).toBe(id);
      expect(number?.x ?? 0).toBeGreaterThanOrEqual((name?.x ?? 0) + (name?.width ?? 0));
    }
  });

  it('CON-21 a page with times needs no scrolling sideways, at 320 px and at twice the size', async () => {
    const [movement] = await movements();
    for (const width of [320, 640]) {
      await page.setViewportSize({ width, height: 900 });
      for (const path of [
        ...[`movements/${movement}`, 'signals/1', 'runs/1', 'ledger', 'months', 'holds'].map(
          (each) => `1/${each}`,
        ),
        ...[`movements/${ofLongProduct}`, 'ledger', 'holds'].map((each) => `2/${each}`),
      ]) {
        await page.goto(`${service.service.opsUrl}/console/workspaces/${path}`);
        expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, width]);
      }
    }
  });

  it('a printed statement with long amounts and reasons fits on its sheet, and a printed movement', async () => {
    const reason = 'A reason that is printed on the statement. '.repeat(8);
    await service.ops('credits.grant', { workspace_id: 1, credits: '0.000001', reason });
    await page.setViewportSize({ width: PAPER_WIDTH, height: 1_000 });
    await page.goto(`${service.service.opsUrl}/console/workspaces/1/ledger`);
    await page.emulateMedia({ media: 'print' });
    const wide = `[...document.querySelectorAll('main *')].filter((each) => each.getBoundingClientRect().right > ${PAPER_WIDTH} + 1).length`;
    expect([await page.getByText(reason.trim()).isVisible(), await page.evaluate(wide)]).toEqual([true, 0]);
    // A cell of one word has one line.
    const what = page.getByRole('cell', { name: 'keyword_match', exact: true }).first();
    expect((await what.boundingBox())?.height ?? 0).toBeLessThan(30);
    const [movement] = await movements();
    await page.goto(`${service.service.opsUrl}/console/workspaces/1/movements/${movement}`);
    expect(await page.evaluate(wide)).toBe(0);
    for (const path of ['ledger', `movements/${ofLongProduct}`]) {
      await page.goto(`${service.service.opsUrl}/console/workspaces/2/${path}`);
      expect([path, await page.evaluate(wide)]).toEqual([path, 0]);
    }
    await page.emulateMedia({ media: 'screen' });
  });

  const movements = async (): Promise<readonly number[]> => {
    const { body } = await service.ops('ledger.movements', { workspace_id: 1, run_id: 1 });
    return body.movements.map(({ id }: { id: number }) => id);
  };
});
