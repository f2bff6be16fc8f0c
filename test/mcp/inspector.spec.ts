import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLI } from '#test/support/cli.js';
import { NO_STORE } from '#test/support/mcp-program.js';
import { crmScene, crmSetup } from '#test/support/mcp.js';
import { sharedWorkspace } from '#test/support/scene.js';

/** The program of the inspector; undefined if it is not installed. docs/mcp.md explains the installation. */
const program = process.env.MCP_INSPECTOR;

type Ended = { readonly code: number; readonly output: string; readonly errors: string };

(program === undefined ? describe.skip : describe)(
  'MCP-01 MCP-03 MCP-06 the official inspector, which is no dependency',
  () => {
    const service = crmScene();
    const workspace = sharedWorkspace(service);
    let setupId: number;
    let folder: string;
    beforeAll(async () => {
      setupId = await crmSetup(workspace);
      folder = await mkdtemp(join(tmpdir(), 'inspector-'));
    });
    afterAll(() => rm(folder, { recursive: true }));

    /** Its catalogue and its settings are in a folder of the test. */
    const inspect = (era: string, target: readonly string[], ...options: readonly string[]): Promise<Ended> =>
      new Promise((resolve) => {
        const args = [program ?? '', '--cli', '--protocol-era', era, ...options, ...target];
        const env = { PATH: process.env.PATH, HOME: folder };
        execFile(process.execPath, args, { env, cwd: folder }, (error, output, errors) =>
          resolve({ code: error === null ? 0 : Number(error.code), output, errors }),
        );
      });

    const targets = {
      HTTP: () => [
        '--header',
        `Authorization: Bearer ${workspace.apiKey}`,
        '--server-url',
        `${service.url}/mcp`,
      ],
      stdio: () => [
        ...Object.entries({
          ...NO_STORE,
          SIGNAL_LEDGER_URL: service.url,
          SIGNAL_LEDGER_KEY: workspace.apiKey,
        }).flatMap(([name, value]) => ['-e', `${name}=${value}`]),
        '--',
        process.execPath,
        CLI,
        'mcp',
      ],
    };

    describe.each(Object.entries(targets))('over %s', (_, target) => {
      it.each(['modern', 'legacy', 'auto'])('finds no fault in the schemas, %s', async (era) => {
        const { code, output, errors } = await inspect(era, target(), '--method', 'tools/list', '--strict');
        expect([code, errors]).toEqual([0, '']);
        expect(JSON.parse(output).tools).toHaveLength(11);
      });

      it.each(['modern', 'legacy'])('calls a tool, and passes on refusals, %s', async (era) => {
        const call = ['--method', 'tools/call', '--tool-name'];
        const read = await inspect(era, target(), ...call, 'get_balance');
        expect([read.code, read.errors]).toEqual([0, '']);
        expect(JSON.parse(read.output).structuredContent.data.balance).toBe(1000);
        const quote = ['--tool-args-json', JSON.stringify({ signal_setup_id: setupId })];
        const quoted = await inspect(era, target(), ...call, 'quote_run', ...quote);
        expect([quoted.code, quoted.errors]).toEqual([0, '']);
        expect(JSON.parse(quoted.output).structuredContent).toMatchObject({ credits_at_most: 50 });
        const wrong = await inspect(
          era,
          target(),
          ...call,
          'get_run',
          '--tool-args-json',
          '{"signal_run_id":0}',
        );
        expect(wrong.code).not.toBe(0);
        expect(JSON.parse(wrong.output).structuredContent).toMatchObject({ status: 400 });
      });
    });
  },
);
