import type { Browser, Page } from 'playwright-core';
import { browserPath, launchBrowser } from '#test/support/browser.js';
import { diagnostic } from '#test/support/diagnostic.js';
import { startTestService, type TestService, type TestWorkspace } from '#test/support/service.js';

const WIDE = 1280;
const NARROW = 390;
/** A browser beside other tests is slow. */
const PATIENCE = 150_000;
const VIEWER = 'rapi-doc >> ';

type Opened = { readonly page: Page; readonly asked: readonly string[]; readonly said: readonly string[] };

if (browserPath === undefined) diagnostic('no chromium here: the pages are not looked at in a browser');
(browserPath === undefined ? describe.skip : describe)('the pages of the service in a browser', () => {
  let service: TestService;
  let workspace: TestWorkspace;
  let browser: Browser;
  /** The documentation by the width of its window. */
  const viewers = new Map<number, Opened>();
  beforeAll(async () => {
    service = await startTestService();
    workspace = await service.workspace();
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  for (const [path, heading] of [
    ['/docs/plain', 'Workspace Signal Detection API'],
    ['/errors/conflict', 'Conflict'],
  ] as const) {
    it(`${path} is shown in full: its own policy refuses no part of it`, async () => {
      const { page, asked, said } = await opened(path, WIDE);
      expect(await page.locator('h1').innerText()).toContain(heading);
      expect(await page.evaluate(`getComputedStyle(document.body).maxWidth`)).toBe('960px');
      expect([asked.filter((url) => !url.startsWith(service.url)), said]).toEqual([[], []]);
    });
  }

  it('/docs finds an operation, and calls it with a pasted key', async () => {
    const { page, asked, said } = await docs('#overview', WIDE);
    await page.locator(`${VIEWER}#overview`).waitFor();
    await page.goto(`${service.url}/docs#auth`);
    await page.locator(`${VIEWER}#auth input`).fill(workspace.apiKey);
    await page.locator(`${VIEWER}#auth button`).click();

    const search = page.locator(`${VIEWER}input#nav-bar-search`);
    await search.fill('credit balance');
    await search.press('Enter');
    const shown = page.locator(`${VIEWER}.nav-bar-path:visible`);
    await shown.getByText('List the agents').waitFor({ state: 'hidden' });
    expect(await shown.count()).toBe(1);
    await shown.click();
    const samples = page.locator(`${VIEWER}.tab-btn:visible`);
    await samples.getByText('TypeScript', { exact: true }).waitFor();
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/api/v3/credits/balance')),
      page.locator(`${VIEWER}button:visible`, { hasText: /^TRY$/ }).click(),
    ]);
    expect([answer.status(), (await answer.json()).data.balance]).toEqual([200, 1000]);
    expect([asked.filter((url) => !url.startsWith(service.url)), said]).toEqual([[], []]);
  });

  it('/ leads to /docs, which begins with the first steps and has both vocabularies', async () => {
    const viewer = await opened('/', NARROW);
    viewers.set(NARROW, viewer);
    const { page, asked, said } = viewer;
    expect(page.url()).toBe(`${service.url}/docs`);
    await page.locator(`${VIEWER}#overview`).waitFor();
    expect(await page.locator(`${VIEWER}#overview pre`).first().innerText()).toContain('signal_template_key');
    expect(await page.locator(`${VIEWER}#overview table`).first().innerText()).toContain('entity_count');
    expect([asked.filter((url) => !url.startsWith(service.url)), said]).toEqual([[], []]);
  });

  for (const width of [WIDE, NARROW]) {
    it(`/docs shows the description of a field, and dates as one type, at ${width} px`, async () => {
      const { page, asked, said } = await docs('#post-/api/v3/signals/query', width);
      const fields = page.locator(`${VIEWER}schema-table >> .tr.primitive`);
      const day = fields.filter({ hasText: 'signal_start_date' }).first();
      await day.waitFor();
      expect(await day.locator('.key-type').innerText()).toBe('date or date-time');
      const meaning = day.locator('.key-descr');
      expect([await meaning.isVisible(), await meaning.innerText()]).toEqual([
        true,
        expect.stringContaining('Only signals with this date or later'),
      ]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      await page.goto(`${service.url}/docs#get-/api/v3/usage`);
      await page.getByText('date or date-time').first().waitFor();
      expect(await page.getByText('missing-type-info').count()).toBe(0);
      expect([asked.filter((url) => !url.startsWith(service.url)), said]).toEqual([[], []]);
    });
  }

  it(`/docs has no content wider than a window of ${NARROW} px`, async () => {
    const { page, asked, said } = await docs('#overview', NARROW);
    const wider = () =>
      page
        .locator(`${VIEWER}#the-main-body, ${VIEWER}.main-content, ${VIEWER}#api-info`)
        .evaluateAll((parts) =>
          parts.flatMap(({ id, className, scrollWidth, clientWidth }) =>
            scrollWidth > clientWidth ? [`${id} ${className}: ${scrollWidth}`] : [],
          ),
        );
    const license = page.locator(`${VIEWER}#api-info span`).first();
    await license.waitFor();
    expect(Number((await license.boundingBox())?.x)).toBeGreaterThanOrEqual(0);
    expect(await wider()).toEqual([]);
    for (const operation of [
      'post-/api/v3/signals/query',
      'post-/api/v2/workspace/signals/query',
      'patch-/api/v2/watchlists/-kind-/-list_id-/entities/-member_id-/tracking-status',
    ]) {
      await page.goto(`${service.url}/docs#${operation}`);
      await page.locator(`${VIEWER}button:visible`, { hasText: /^TRY$/ }).waitFor();
      expect([operation, await wider()]).toEqual([operation, []]);
    }
    expect([asked.filter((url) => !url.startsWith(service.url)), said]).toEqual([[], []]);
    const plain = await opened('/docs/plain', NARROW);
    expect(await plain.page.evaluate('document.documentElement.scrollWidth')).toBe(NARROW);
    expect([plain.asked.filter((url) => !url.startsWith(service.url)), plain.said]).toEqual([[], []]);
  });

  it('/docs says in words which fields of a body exclude each other', async () => {
    const { page, asked, said } = await docs('#post-/api/v2/workspace/signal-runs', WIDE);
    const choice = page.getByText('Exactly one of: agent_id, signal_setup_id.');
    await choice.first().waitFor({ state: 'attached' });
    expect(await page.getByText('missing-type-info').count()).toBe(0);
    expect([asked.filter((url) => !url.startsWith(service.url)), said]).toEqual([[], []]);
  });

  it('/docs leads to an operation, and searches for one, when there is no room for its contents beside it', async () => {
    const { page, asked, said } = await docs('#overview', NARROW);
    const contents = page.getByRole('button', { name: 'Contents' });
    const entries = page.locator(`${VIEWER}.nav-bar-path:visible`);
    const title = page.locator(`${VIEWER}h2:visible`);
    await page.locator(`${VIEWER}#overview`).waitFor();
    expect(await entries.count()).toBe(0);

    await contents.click();
    await entries.filter({ hasText: 'List the agents' }).click();
    await title.getByText('List the agents', { exact: true }).waitFor();
    expect(await contents.getAttribute('aria-expanded')).toBe('false');

    await contents.click();
    const search = page.locator(`${VIEWER}input#nav-bar-search`);
    await search.fill('credit balance');
    await search.press('Enter');
    await entries.filter({ hasText: 'List the agents' }).waitFor({ state: 'hidden' });
    expect(await entries.count()).toBe(1);
    await entries.click();
    await title.getByText('Get the credit balance of the workspace', { exact: true }).waitFor();

    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(NARROW);
    expect([asked.filter((url) => !url.startsWith(service.url)), said]).toEqual([[], []]);
  });

  /**
   * The documentation in a window of this width, at one of its places. It is loaded once for each width, which takes several
   * seconds: the address of another place does not load it again.
   */
  async function docs(place: string, width: number): Promise<Opened> {
    const known = viewers.get(width);
    if (known === undefined) {
      const viewer = await opened(`/docs${place}`, width);
      viewers.set(width, viewer);
      return viewer;
    }
    await known.page.goto(`${service.url}/docs${place}`);
    return known;
  }

  /** A page with every request that it makes and everything that it writes to the console. */
  async function opened(path: string, width: number): Promise<Opened> {
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    page.setDefaultTimeout(PATIENCE);
    const asked: string[] = [];
    const said: string[] = [];
    page.on('request', (request) => {
      // embedded data causes no request
      if (!request.url().startsWith('data:')) asked.push(request.url());
    });
    page.on('console', (message) => said.push(message.text()));
    page.on('pageerror', (error) => said.push(error.message));
    await page.goto(`${service.url}${path}`);
    return { page, asked, said };
  }
});
