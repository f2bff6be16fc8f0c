import { Writable } from 'node:stream';
import { Registry } from 'prom-client';
import { createLogger } from '#http/log.js';
import { startOperatorListener } from '#runtime/operator-listener.js';
import { readiness } from '#runtime/readiness.js';
import { consolePages } from '#apps/console/src/console.module.js';
import { consoleVisitor, signedIn } from '#test/support/console-visitor.js';
import { addedMaria } from '#test/support/console-scene.js';
import { startTestService, type TestService, type TestWorkspace } from '#test/support/service.js';

describe('the log lines of the console', () => {
  const lines: string[] = [];
  let running: TestService;
  let listener: Awaited<ReturnType<typeof startOperatorListener>>;
  let workspace: TestWorkspace;
  let financeToken: string;

  beforeAll(async () => {
    running = await startTestService();
    workspace = await running.workspace({ name: 'Acme', credits: 100 });
    financeToken = await addedMaria(running);
    const sink = new Writable({
      write: (chunk, _encoding, done) => {
        lines.push(String(chunk));
        done();
      },
    });
    const { host } = running.service;
    listener = await startOperatorListener(
      {
        host,
        readiness: readiness(host),
        token: 'the-token-of-the-first-operator',
        pages: consolePages,
        docsUrl: 'https://docs.example.test',
        registry: new Registry(),
        logger: createLogger('debug', sink),
      },
      { host: '127.0.0.1', port: 0 },
    );
  });
  afterAll(async () => {
    await listener.close();
    await running.stop();
  });

  const console = () => ({ service: { opsUrl: listener.url } });
  const logged = () => lines.map((line) => JSON.parse(line));

  it('CON-03 refusals and exports are lines with the operator', async () => {
    const maria = await signedIn(console(), financeToken);
    await maria.get('/console/read-models');
    await maria.send('/console/actions/ledger.close_month', { form_token: 'wrong' });
    const adjusted = { workspace_id: String(workspace.id), credits: '1', reason: 'r', key: 'k' };
    await maria.send('/console/actions/credits.adjust', { ...adjusted, approved: 'of another state' });
    await maria.get(`/console/workspaces/${workspace.id}/export?month=2026-05&format=csv`);
    await maria.get('/console/workspaces.csv');
    expect(logged()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          msg: 'refused',
          operator: 'maria',
          status: 403,
          reason: 'maria has the role finance, which does not allow projections.status.',
        }),
        expect.objectContaining({ msg: 'refused', operator: 'maria', status: 403 }),
        expect.objectContaining({
          msg: 'refused',
          operator: 'maria',
          status: 409,
          reason: 'The state has changed since it was shown. Nothing was changed.',
        }),
        expect.objectContaining({ msg: 'export', operator: 'maria', command: 'ledger.export' }),
        expect.objectContaining({ msg: 'export', operator: 'maria', file: 'workspaces.csv' }),
      ]),
    );
  });

  it('CON-02 no line contains a token of an operator, link, session or form, or a search text', async () => {
    const { body: link } = await running.ops('link.add', { workspace_id: workspace.id, label: 'auditor' });
    const auditor = consoleVisitor(console());
    await auditor.get(link.path);
    const { status } = await auditor.get(`/console/workspaces/${workspace.id}/ledger`);
    await auditor.get(link.path);
    const maria = await signedIn(console(), financeToken);
    const page = await maria.get('/console/search?q=a-name-of-somebody');
    const formToken = /name="form_token" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    await maria.send('/console/sign-in', { token: 'a-wrong-token' });
    await maria.send('/console/sign-out', {});
    const secrets = [
      link.path.split('/').at(-1),
      auditor.cookie().replace('console_session=link.', ''),
      financeToken,
      formToken,
      'a-name-of-somebody',
      'a-wrong-token',
    ];
    expect([status, secrets.filter((each) => each.length < 8)]).toEqual([200, []]);
    expect(lines.length).toBeGreaterThan(6);
    for (const secret of secrets) expect([secret, lines.join('').includes(secret)]).toEqual([secret, false]);
  });
});
