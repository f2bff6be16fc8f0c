import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { diagnostic } from '#test/support/diagnostic.js';
import { browserPath, launchBrowser } from '#test/support/browser.js';
import {
  employed,
  keywordAgent,
  observedCompany,
  observedPerson,
  observedPost,
} from '#test/support/observed-network.js';
import { startTestService, type TestService } from '#test/support/service.js';
import { seeRunThrough } from '#test/support/signal-runs.js';

/** Folder for pictures of every page; without it none are made. */
const PICTURES = process.env['CONSOLE_PICTURES'];
/** A running console, with the token of an operator, to test instead of a service of this test. */
const RUNNING = process.env['CONSOLE_URL'];
const PATIENCE = 150_000;
const MOST_PAGES = 80;
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Clickable elements that the keyboard order of the page does not contain. */
const OUT_OF_REACH = `
  [...document.querySelectorAll('a, button, input:not([type=hidden]), select, textarea, summary, [onclick], [role=button]')]
    .filter((each) => each.checkVisibility() && (each.tabIndex < 0 || (each.tagName === 'A' && !each.hasAttribute('href'))))
    .map((each) => each.outerHTML)`;
const VIEWS = [
  { width: 1280, scheme: 'light' },
  { width: 390, scheme: 'dark' },
] as const;
/** An A4 sheet without its margins, at 96 dots an inch. */
const PAPER = { width: 688, height: 1_000 };

/** The kind of page of an address: without ids and filters. */
const kindOf = (path: string): string => path.replace(/\?.*$/, '').replace(/\/\d+/g, '/n');

if (browserPath === undefined) diagnostic('no chromium here: the pages of the console are not looked at');
(browserPath === undefined ? describe.skip : describe)(
  'every page of the console in a browser with scripts',
  () => {
    let service: TestService | undefined;
    let browser: Browser;
    let origin: string;
    let token: string;

    beforeAll(async () => {
      browser = await launchBrowser();
      if (RUNNING !== undefined) {
        origin = new URL(RUNNING).origin;
        token = process.env['CONSOLE_TOKEN'] ?? '';
        return;
      }
      service = await startTestService({ CLOCK: 'manual' });
      origin = service.service.opsUrl ?? '';
      token = service.token;
      await service.ops('clock.set', { now: '2026-05-14T10:00:00.000Z' });
      await service.ingest([
        observedCompany('acme', { name: 'Acme & sons' }),
        observedPerson('author', employed('acme', 'VP Sales')),
        observedPost(
          'post-1',
          'author',
          'We look for a CRM, and for somebody who runs it',
          '2026-05-02T09:00:00Z',
        ),
      ]);
      const workspace = await service.workspace({ name: 'A name of <somebody> & others', credits: 1_000 });
      const { id } = workspace;
      const agent = await keywordAgent(workspace, 'crm');
      await seeRunThrough(service, workspace, agent, { lookback_days: 60 });
      await workspace.call(`PUT /api/v2/agents/${agent}`, { schedule: { cadence: 'weekly' } });
      const endpoint = { url: 'https://hooks.example.com/in' };
      const { body } = await workspace.call('POST /api/v3/webhook-endpoints', endpoint);
      await service.ops('endpoint.pause', { workspace_id: id, endpoint_id: body.data.id });
      await service.ops('source.add', { url: 'https://boards.greenhouse.io/acme', domain: 'acme.com' });
      await service.ops('credits.recurring.add', {
        workspace_id: id,
        credits: 20,
        reason: 'plan',
        every: 'month',
        from: '2026-06-15',
        expires_after: 'P1M',
      });
      await service.ops('credits.grant', {
        workspace_id: id,
        credits: 50,
        reason: 'trial',
        expires_at: '2026-06-20',
      });
      await service.ops('caps.set', { workspace_id: id, scope: 'workspace', period: 'month', limit: 500 });
      await service.ops('link.add', { workspace_id: id, label: 'auditor' });
      await service.ops('operator.add', { name: 'maria', role: 'finance' });
      for (let day = 1; day <= 9; day += 1) {
        await service.ops('clock.set', { now: `2026-06-0${day}T10:00:00.000Z` });
        const held = { workspace_id: id, credits: 20 + day, product: 'work', key: `job ${day}` };
        await service.ops('credits.hold', held);
        if (day < 8) await service.ops('credits.capture', { workspace_id: id, key: held.key });
      }
      await service.ops('work.drain');
    });
    afterAll(async () => {
      await browser.close();
      await service?.stop();
    });

    for (const { width, scheme } of VIEWS) {
      it(`fits, is accessible in both schemes and makes no request elsewhere, at ${width} px in the ${scheme} scheme`, async () => {
        const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme });
        const page = await signedIn(context);
        const foreign: string[] = [];
        const said: string[] = [];
        page.on('request', (request) => {
          if (!request.url().startsWith(origin) && !request.url().startsWith('data:'))
            foreign.push(request.url());
        });
        page.on('console', (message) => said.push(`${page.url()}: ${message.text()}`));
        page.on('pageerror', (error) => said.push(`${page.url()}: ${error.message}`));
        const seen = new Map<string, string>();
        const waiting = ['/console', '/console/actions/credits.grant', '/console/search?q=1'];
        for (
          let path = waiting.shift();
          path !== undefined && seen.size < MOST_PAGES;
          path = waiting.shift()
        ) {
          if (seen.has(kindOf(path))) continue;
          seen.set(kindOf(path), path);
          // Not on a page with a chart, which would be loaded again.
          await page.goto('about:blank');
          await page.emulateMedia({ colorScheme: scheme });
          await page.goto(origin + path);
          // A page that shows progress is loaded again when the work has ended.
          await page.locator('[data-live]').waitFor({ state: 'detached' });
          await looked(page, path, width, scheme);
          const links = await page
            .locator('a[href^="/console"]')
            .evaluateAll((all) => all.map((each) => each.getAttribute('href') ?? ''));
          waiting.push(...links.filter((link) => !/\/export\?|\.csv|\.jsonl|\/assets\//.test(link)));
        }
        expect(seen.size).toBeGreaterThan(40);
        expect([foreign, said]).toEqual([[], []]);
        await context.close();
      });
    }

    it('draws the balance with the script of the page, over the same table', async () => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
      const page = await signedIn(context);
      await page.locator('table a[href$="/ledger"]').first().click();
      await page.locator('.uplot canvas').waitFor();
      expect(await page.locator('figure table tbody tr').count()).toBeGreaterThan(3);
      await context.close();
    });

    for (const scheme of ['light', 'dark'] as const) {
      it(`prints the ledger as a document, black on white, from the ${scheme} scheme`, async () => {
        const context = await browser.newContext({ viewport: PAPER, colorScheme: scheme });
        const page = await signedIn(context);
        await page.locator('table a[href$="/ledger"]').first().click();
        await page.locator('.uplot canvas').waitFor();
        await page.emulateMedia({ media: 'print', colorScheme: scheme });
        for (const shown of ['h1', 'svg.chart', 'text="Opening"', 'text="Closing"', 'text="Hash"'])
          expect([shown, await page.locator(shown).first().isVisible()]).toEqual([shown, true]);
        for (const hidden of [
          'header',
          'nav',
          'form',
          'button',
          'a.button',
          '.uplot',
          'details',
          '.no-print',
        ])
          expect([hidden, await page.locator(`${hidden}:visible`).count()]).toEqual([hidden, 0]);
        expect(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor')).toBe(
          'rgb(255, 255, 255)',
        );
        expect(await page.evaluate('getComputedStyle(document.querySelector("h1")).color')).toBe(
          'rgb(0, 0, 0)',
        );
        // A sheet cuts off wider content.
        const wide = `[...document.querySelectorAll('main *')].filter((each) => each.getBoundingClientRect().right > ${PAPER.width} + 1).length`;
        expect(await page.evaluate(wide)).toBe(0);
        const document = await page.pdf({ format: 'A4', printBackground: true });
        expect(document.subarray(0, 5).toString()).toBe('%PDF-');
        if (PICTURES !== undefined) {
          mkdirSync(PICTURES, { recursive: true });
          await page.screenshot({ path: join(PICTURES, `print-ledger-${scheme}.png`), fullPage: true });
          writeFileSync(join(PICTURES, `print-ledger-${scheme}.pdf`), document);
        }
        await context.close();
      });
    }

    (RUNNING === undefined ? it : it.skip)(
      'draws a ledger that began before the chart: its first day, what expires, and all digits',
      async () => {
        await service?.ops('clock.set', { now: '2026-09-20T10:00:00.000Z' });
        const workspace = await service?.workspace({ name: 'Digits', credits: '123456789.123456' });
        await service?.ops('credits.grant', {
          workspace_id: workspace?.id,
          credits: '50',
          reason: 'trial',
          expires_at: '2027-01-10',
        });
        await service?.ops('clock.set', { now: '2026-12-25T10:00:00.000Z' });
        await service?.ops('work.drain');
        const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
        // Counts what is drawn with the dashes of an upright line.
        await context.addInitScript(`
          const { stroke } = CanvasRenderingContext2D.prototype;
          CanvasRenderingContext2D.prototype.stroke = function (...given) {
            if (String(this.getLineDash()) === '2,3') globalThis.upright = (globalThis.upright ?? 0) + 1;
            return stroke.apply(this, given);
          };`);
        const page = await signedIn(context);
        await page.goto(`${origin}/console/workspaces/${workspace?.id}/ledger?range=90d`);
        await page.locator('.uplot canvas').waitFor();
        expect(await page.locator('figcaption').innerText()).toContain('Upright lines');
        expect(await page.evaluate('globalThis.upright')).toBeGreaterThan(0);
        await page.locator('.u-over').hover({ position: { x: 2, y: 20 } });
        expect((await page.locator('.u-legend').innerText()).replaceAll(/\s/g, '')).toContain(
          'Day2026-09-26Balance123456839.123456',
        );
        await context.close();
      },
    );

    async function signedIn(context: BrowserContext): Promise<Page> {
      const page = await context.newPage();
      page.setDefaultTimeout(PATIENCE);
      await page.goto(`${origin}/console/sign-in`);
      await page.getByLabel('Token of an operator').fill(token);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Workspaces' }).waitFor();
      return page;
    }

    async function looked(page: Page, path: string, width: number, scheme: string): Promise<void> {
      expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, width]);
      // Every element that a mouse can use is reached with a keyboard as well.
      expect([path, await page.evaluate(OUT_OF_REACH)]).toEqual([path, []]);
      await accessible(page, path, 'all');
      await picture(page, path, width, scheme);
      // The other scheme changes only the colours. A page with a chart is loaded again.
      const loaded = (await page.locator('.uplot').count()) > 0 ? page.waitForEvent('load') : null;
      await page.emulateMedia({ colorScheme: scheme === 'light' ? 'dark' : 'light' });
      await loaded;
      await accessible(page, path, 'colours');
    }

    async function picture(page: Page, path: string, width: number, scheme: string): Promise<void> {
      if (PICTURES === undefined) return;
      mkdirSync(PICTURES, { recursive: true });
      const name =
        kindOf(path)
          .replace(/^\/console\/?/, '')
          .replaceAll('/', '-') || 'workspaces';
      await page.screenshot({ path: join(PICTURES, `${name}-${width}-${scheme}.png`), fullPage: true });
    }

    async function accessible(page: Page, path: string, rules: 'all' | 'colours'): Promise<void> {
      if (await page.evaluate(`typeof axe === 'undefined'`)) await page.evaluate(AXE);
      const options = rules === 'all' ? '{}' : `{ runOnly: ['color-contrast'] }`;
      const found = await page.evaluate<
        readonly { readonly id: string; readonly nodes: readonly { html: string }[] }[]
      >(
        `axe.run(${options}).then(({ violations }) => violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) })))`,
      );
      const faults = found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
      expect([path, faults]).toEqual([path, []]);
    }
  },
);
