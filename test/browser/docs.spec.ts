import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { diagnostic } from '#test/support/diagnostic.js';
import { startTestService, type TestService } from '#test/support/service.js';

const chromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((file) =>
  existsSync(file),
);
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-dev-shm-usage',
  '--enable-logging=stderr',
  '--dump-dom',
];

if (chromium === undefined) diagnostic('no chromium here: the pages are not looked at in a browser');
(chromium === undefined ? describe.skip : describe)('the pages of the service in a browser', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  for (const [path, heading] of [
    ['/docs', 'Workspace Signal Detection API'],
    ['/errors/conflict', 'Conflict'],
  ] as const) {
    it(`${path} is shown as it is meant: nothing in it is refused by its own policy`, async () => {
      const { dom, log } = await shown(`${service.url}${path}`);
      expect(dom).toContain(`<h1>${heading}`);
      expect(dom).toMatch(/<style>[^]*--accent/);
      expect(log.filter((line) => /Content Security Policy|Refused to|CONSOLE/.test(line))).toEqual([]);
    });
  }
});

async function shown(url: string): Promise<{ readonly dom: string; readonly log: readonly string[] }> {
  const browser = spawn(chromium ?? '', [...FLAGS, url]);
  let dom = '';
  let log = '';
  browser.stdout.setEncoding('utf8').on('data', (chunk: string) => (dom += chunk));
  browser.stderr.setEncoding('utf8').on('data', (chunk: string) => (log += chunk));
  await new Promise((resolve, reject) => browser.on('close', resolve).on('error', reject));
  return { dom, log: log.split('\n') };
}
