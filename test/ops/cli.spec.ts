import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '#kernel/values/durations.js';
import { operatorCommands, streamCommands } from '#runtime/operator-commands.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { endedCli, jsonOf, onData, type EndedCli } from '#test/support/cli.js';
import { scene } from '#test/support/scene.js';

/** The words of a command line without quotes. */
const words = (line: string): readonly string[] => line.split(' ');

const ESCAPES = /\u001b/;
const STACK = /^\s+at .*:\d+/m;

describe('the command line', () => {
  const folder = temporaryFolder('signal-ledger-cli');

  /** Runs the CLI on this data directory, with other settings before it when a test needs them. */
  async function cli(args: readonly string[], dataDirectory: string, settings = ''): Promise<EndedCli> {
    const ended = await endedCli(args, `${onData(dataDirectory)} ${settings}`);
    // all output to a pipe is plain text, and no stack trace is shown
    expect(ended.lines.join('\n')).not.toMatch(ESCAPES);
    expect(ended.errors).not.toMatch(ESCAPES);
    expect(ended.errors).not.toMatch(STACK);
    return ended;
  }

  describe('with the service down', () => {
    const dataDirectory = join(folder, 'down');
    const down = (...args: readonly string[]): Promise<EndedCli> => cli(args, dataDirectory);
    let workspaceId: string;

    beforeAll(async () => {
      const created = await down('workspace', 'create', '--name', 'Acme', '--credits', '12.5', '--json');
      workspaceId = String(jsonOf(created).workspace_id);
    });

    it('exits 0 and prints one line of JSON with --json', async () => {
      const granted = `credits grant --workspace-id ${workspaceId} --credits 0.5 --reason bonus --json`;
      expect(jsonOf(await down(...words(granted)))).toMatchObject({
        replayed: false,
        balance: { balance: 13 },
      });
    });

    it('OPS-44 does due work only in a command that waits for it', async () => {
      const alone = (...args: readonly string[]): Promise<EndedCli> => cli(args, join(folder, 'due'));
      const created = await alone('workspace', 'create', '--name', 'Patient', '--credits', '1', '--json');
      const id = String(jsonOf(created).workspace_id);
      const from = new Date(Date.now() - DAY_MS).toISOString();
      const terms = `--credits 2 --reason trial --every month --from ${from} --until ${new Date().toISOString()}`;
      const added = await alone(...words(`credits recurring add --workspace-id ${id} ${terms} --json`));
      expect(jsonOf(added)).toMatchObject({ next_due: from });
      const granted = async (): Promise<number> =>
        jsonOf(await alone('ledger', 'as-of', '--workspace-id', id, '--json')).balance.granted;
      const due = async (): Promise<number> => {
        const { processes } = jsonOf(await alone('work', 'due', '--json'));
        return processes.find((row: { readonly process: string }) => row.process === 'give-recurring-grants')
          .items;
      };
      expect([await due(), await granted()]).toEqual([1, 1]);
      // It lasts long enough for due work, if that were done beside it.
      expect((await alone('projections', 'rebuild', '--json')).code).toBe(0);
      expect([await due(), await granted()]).toEqual([1, 1]);
      expect(jsonOf(await alone('work', 'drain', '--json')).processed).toBeGreaterThan(0);
      expect([await due(), await granted()]).toEqual([0, 3]);
    });

    it('refuses a number in another notation, naming its option', async () => {
      for (const given of ['0x1', '1e0', ' ', '0b1']) {
        const shown = await down('workspace', 'show', '--workspace-id', given);
        expect([given, shown.code, shown.errors]).toEqual([
          given,
          2,
          expect.stringContaining(`--workspace-id takes a number, not "${given}"`),
        ]);
      }
    });

    it('prints for people without --json', async () => {
      const { code, lines } = await down(
        ...words(`apikey issue --workspace-id ${workspaceId} --label robot`),
      );
      expect(code).toBe(0);
      expect(lines).toEqual([
        expect.stringMatching(/^key_id +\d+$/),
        expect.stringMatching(/^api_key +wsk_live_[0-9A-Za-z]{43}$/),
      ]);
    });

    it('OPS-27 OPS-28 lists in tables for people, and as JSON for programs', async () => {
      expect(jsonOf(await down('workspace', 'list', '--page-size', '1', '--json'))).toMatchObject({
        page_size: 1,
        total: 1,
        workspaces: [{ workspace_id: Number(workspaceId), name: 'Acme', billing: 'self' }],
      });
      const { code, lines } = await down('apikey', 'list', '--workspace-id', workspaceId);
      expect(code).toBe(0);
      expect(lines).toEqual(
        expect.arrayContaining([expect.stringMatching(/^key_id +label +prefix +revoked/)]),
      );
      expect(lines).toEqual(expect.arrayContaining([expect.stringMatching(/^ *\d+ +first key +wsk_live_/)]));
      expect((await down('run', 'list')).code).toBe(2);
    });

    it('takes the whole input from a file, options laid over it', async () => {
      const file = join(folder, 'grant.json');
      const input = { workspace_id: Number(workspaceId), credits: '1', reason: 'file', grant_key: 'file' };
      writeFileSync(file, JSON.stringify(input));
      const granted = await down('credits', 'grant', '--input', file, '--credits', '2', '--json');
      expect(jsonOf(granted).balance.granted).toBe(15);
    });

    it('OPS-10 ingests a file, without a progress bar when the output is no terminal', async () => {
      const file = join(folder, 'network.ndjson');
      writeFileSync(file, '{"kind":"company","ref":"c:acme","handle":"acme"}\nnot JSON\n');
      const ingested = await down('network', 'ingest', file, '--json');
      expect(jsonOf(ingested)).toMatchObject({ accepted: 1, rejected: [{ line: 2 }] });
    });

    it('exits 1 when it can ingest no line, and says which and why', async () => {
      const file = join(folder, 'bad.ndjson');
      writeFileSync(file, 'not JSON\n{"kind":"unheard of","ref":"x"}\n');
      expect(jsonOf(await down('network', 'ingest', file, '--json'), 1)).toMatchObject({
        accepted: 0,
        unchanged: 0,
        rejected: [
          { line: 1, message: expect.any(String) },
          { line: 2, message: expect.any(String) },
        ],
      });
    });

    it('exits 1 when it is refused, and says why', async () => {
      const wanted = ['--workspace-id', workspaceId, '--credits', '100', '--reason', 'x'];
      const { code, lines, errors } = await down('credits', 'withdraw', ...wanted);
      expect([code, lines]).toEqual([1, []]);
      expect(errors).toMatch(/^ {2}credits_required: 100$/m);
      const unknown = await down('workspace', 'block', '--workspace-id', '999', '--reason', 'x');
      expect([unknown.code, unknown.lines]).toEqual([1, []]);
      expect(unknown.errors).toMatch(/workspace/i);
    });

    it('exits 2 for wrong usage, naming the fault', async () => {
      const wrong = [
        [['workspace', 'destroy'], /destroy/],
        [['nothing'], /nothing/],
        [['workspace', 'create'], /^ {2}--name: is required$/m],
        [words('ledger statement --from 2026-01-01'), /^ {2}--workspace-id: is required$/m],
        [words('credits release --workspace-id 1'), /^ {2}--movement-id: name either --movement-id or key$/m],
        [words('source test'), /^ {2}--url: is required where there is no --source-id$/m],
        [
          words(`ledger close-month --workspace-id ${workspaceId} --month 2026-5`),
          /^ {2}--month: must be a month/m,
        ],
        [['workspace', 'create', '--nmae', 'x'], /--nmae/],
        [words('credits grant --workspace-id x --credits 1 --reason r'), /--workspace-id/],
        [
          words(`credits grant --workspace-id ${workspaceId} --credits much --reason r`),
          /^ {2}--credits: must be/m,
        ],
        [['credits', 'grant', '--input', join(folder, 'none.json')], /none\.json/],
        [
          ['network', 'ingest', join(folder, 'none.ndjson')],
          /none\.ndjson cannot be read: no such file or directory/,
        ],
        [['network', 'ingest'], /file/],
        [['network', 'ingest', folder], /is a directory/],
      ] as const;
      const ended = wrong.map(async ([args, named]) => {
        const { code, lines, errors } = await down(...args);
        expect([args, code, lines, errors]).toEqual([args, 2, [], expect.stringMatching(named)]);
      });
      await Promise.all(ended);
    });

    it('LED-10 OPS-22 corrects a movement by more than it charged only with --beyond', async () => {
      const money = (verb: string, ...words: readonly string[]) =>
        down('credits', verb, '--workspace-id', workspaceId, ...words, '--json');
      const hold = await money('hold', '--key', 'k', '--credits', '2', '--product', 'p');
      const movementId = String(jsonOf(hold).movement_id);
      expect((await money('capture', '--key', 'k')).code).toBe(0);
      const adjust = ['--corrects', movementId, '--credits', '3', '--reason', 'wrong match'];
      const refused = await money('adjust', ...adjust);
      expect([refused.code, refused.lines]).toEqual([1, []]);
      expect(refused.errors).toMatch(/credits_left: 2$/m);
      const beyond = await money('adjust', ...adjust, '--beyond', 'goodwill');
      expect(jsonOf(beyond)).toMatchObject({ credits: 3, replayed: false });
    });

    it('LED-11 OPS-03 grants the same a second time only with --again, which takes no value', async () => {
      const words = ['--workspace-id', workspaceId, '--credits', '0.25', '--reason', 'invoice 17', '--json'];
      const grant = (...more: readonly string[]) => down('credits', 'grant', ...words, ...more);
      expect((await grant()).code).toBe(0);
      const refused = await grant();
      expect([refused.code, refused.lines]).toEqual([1, []]);
      expect(refused.errors).toMatch(/movement_id: \d+/);
      expect(jsonOf(await grant('--again'))).toMatchObject({ credits: 0.25, replayed: false });
    });

    it('OPS-17 exits 1 when the clock is not manual', async () => {
      const { code, errors } = await down('clock', 'advance', '--ms', '1');
      expect(code).toBe(1);
      expect(errors).toMatch(/CLOCK=manual/);
    });
  });

  it('exits 0 for --help, which lists every command and every option of each', async () => {
    const nowhere = join(folder, 'nowhere');
    const { code, lines } = await cli(['--help'], nowhere);
    expect(code).toBe(0);
    const commands = [...operatorCommands, ...streamCommands].map(({ name }) => name.split('.'));
    for (const [noun = ''] of commands) expect(lines.join('\n')).toMatch(new RegExp(`^ +${noun} `, 'm'));
    for (const { name, input, summary } of operatorCommands.slice(0, 3)) {
      const help = await cli([...name.split('.'), '--help'], nowhere);
      const text = help.lines.join('\n');
      expect([name, help.code]).toEqual([name, 0]);
      expect(text).toContain(summary);
      for (const option of [...Object.keys(input.properties), 'json', 'input']) {
        expect([name, text]).toEqual([name, expect.stringContaining(`--${option.replaceAll('_', '-')}`)]);
      }
    }
  });

  it('exits 3 when a store cannot be used, in one line that names the file', async () => {
    const foreign = join(folder, 'foreign.db');
    writeFileSync(foreign, 'this is no database, and it is nobody’s but its owner’s');
    const { code, lines, errors } = await cli(
      ['projections', 'list'],
      join(folder, 'third'),
      `EVENT_STORE_URL='sqlite:${foreign}'`,
    );
    expect([code, lines]).toEqual([3, []]);
    expect(errors.trim().split('\n')).toEqual([expect.stringContaining(foreign)]);
  });

  it('exits 2 for an invalid setting, naming the variable', async () => {
    const { code, errors } = await cli(['projections', 'list'], join(folder, 'fourth'), 'LOG_LEVEL=loud');
    expect([code, errors.trim()]).toEqual([2, expect.stringMatching(/^LOG_LEVEL takes /)]);
  });

  describe('with the service up', () => {
    const service = scene();

    it('works on the same stores: the service shows its changes at once, and the other way round', async () => {
      const workspace = await service.workspace({ credits: 10 });
      const grant = words(`credits grant --workspace-id ${workspace.id} --credits 5 --reason x --json`);
      expect(jsonOf(await cli(grant, service.dataDirectory))).toMatchObject({ balance: { granted: 15 } });
      expect((await workspace.call('GET /api/v3/credits/balance')).body.data.granted).toBe(15);

      const created = await cli(['workspace', 'create', '--name', 'Second', '--json'], service.dataDirectory);
      const { api_key } = jsonOf(created);
      const asked = await service.call('GET /api/v2/agents', undefined, {
        authorization: `Bearer ${api_key}`,
      });
      expect(asked.status).toBe(200);
    });
  });
});
