import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename, join } from 'node:path';
import { openKeptSecrets } from '#runtime/copy-views.js';
import { ofPrograms } from '#test/support/child-process.js';
import { observedCompany } from '#test/support/observed-network.js';
import { houseRoot } from '#test/house/house.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { CLI } from '#test/support/cli.js';

const RUNBOOK = join(houseRoot, 'docs', 'runbooks', 'restored-from-a-backup.md');
const COMMAND = /^(?<program>bin\/signal-ledger|mv) (?<words>.*?)(?: # exits (?<code>\d+))?$/;

describe('the runbook of a restore', () => {
  const folder = temporaryFolder('runbook');
  /** The same installation without its read store. */
  const withoutReads = temporaryFolder('runbook-without-reads');

  /** The command line of an operator, in its own folder. */
  async function cli(words: readonly string[], inFolder = folder) {
    const child = spawn(process.execPath, [...ofPrograms, CLI, ...words], {
      cwd: inFolder,
      env: { ...process.env, DATA_DIR: join(inFolder, 'data'), LOG_LEVEL: 'silent' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    const [code] = await once(child, 'close');
    return { code, output, errors };
  }
  const must = async (...words: readonly string[]): Promise<string> => {
    const { code, output, errors } = await cli(words);
    expect([words.join(' '), code, errors]).toEqual([words.join(' '), 0, '']);
    return output;
  };
  const hold = (key: string) =>
    must('credits', 'hold', '--workspace-id', '1', '--key', key, '--credits', '5', '--product', 'match');
  /** The signing secrets in a file of the installation. */
  const secretsIn = (file: string) => openKeptSecrets({ kind: 'sqlite', path: join(folder, file) });
  const SECRETS = new Map([['webhook:1:1:a-secret', 'open:whsec_secret-of-an-endpoint']]);

  it('names commands that have the described effect, one after the other', async () => {
    await must('workspace', 'create', '--name', 'Books', '--credits', '100');
    await hold('kept');
    writeFileSync(join(folder, 'observed.ndjson'), `${JSON.stringify(observedCompany('acme'))}\n`);
    await must('network', 'ingest', './observed.ndjson');
    const kept = await secretsIn('data/secrets.db');
    await kept.add(SECRETS);
    await kept.close();
    mkdirSync(join(folder, 'backups'));
    const commands = readFileSync(RUNBOOK, 'utf8')
      .split('\n')
      .flatMap((line) => {
        const groups = COMMAND.exec(line)?.groups;
        return groups === undefined ? [] : [groups];
      });
    expect(commands.length).toBeGreaterThan(8);
    const answers = new Map<string, { readonly output: string; readonly errors: string }>();
    for (const { program, words = '', code = '0' } of commands) {
      if (program === 'mv') {
        const [from = '', to = ''] = words.split(' ');
        renameSync(join(folder, from), join(folder, to));
        continue;
      }
      const isWithoutReads = words.includes('--skip-ids');
      // The first confirmed restore; the other one runs instead of it, in the second folder.
      if (words.endsWith(' --yes'))
        cpSync(folder, withoutReads, {
          recursive: true,
          filter: (path) => !basename(path).startsWith('views.db'),
        });
      const answer = await cli(words.split(' '), isWithoutReads ? withoutReads : folder);
      expect([words, answer.code, answer.errors.includes('    at ')]).toEqual([words, Number(code), false]);
      answers.set(words, answer);
      if (words.startsWith('store check')) {
        // An event that is lost afterwards, after an export for finance.
        await hold('lost');
        await must('credits', 'capture', '--workspace-id', '1', '--key', 'lost');
        await must(
          'ledger',
          'export',
          '--workspace-id',
          '1',
          '--format',
          'jsonl',
          '--file',
          './before.jsonl',
        );
        writeFileSync(
          join(folder, 'before.json'),
          await must('ledger', 'statement', '--workspace-id', '1', '--json'),
        );
      }
    }
    const said = (words: string): string => {
      const answer = answers.get(words);
      if (answer === undefined) throw new Error(`the runbook does not say ${words}`);
      return answer.output + answer.errors;
    };
    expect(
      JSON.parse(
        said(
          'store backup --to ./backups/monday.db --network-to ./backups/monday-network.db --secrets-to ./backups/monday-secrets.db --ledgers --json',
        ),
      ),
    ).toMatchObject({
      log: expect.any(String),
      faults: [],
      ledgers: [{ workspace_id: 1, revision: 2, hash: expect.any(String) }],
    });
    expect(said('store restore --from ./backups/monday.db --to sqlite:./data/events.db')).toMatch(
      /ledger of workspace 1: 2 entries after revision 2, with 5 credits captured/,
    );
    expect(existsSync(join(folder, 'data', 'events.db.before-restore-1'))).toBe(true);
    // The lost hold has an id that only the read store knew: without that store ids are skipped.
    const again = 'credits hold --workspace-id 1 --key again --credits 5 --product match --json';
    const { movement_id: movementId } = JSON.parse((await cli(again.split(' '), withoutReads)).output);
    expect(movementId).toBeGreaterThan(1_000_000);
    expect(
      said('store copy --from sqlite:./backups/monday-network.db --to sqlite:./data/network.db'),
    ).toMatch(/^observations +1$/m);
    const restored = await secretsIn('data/secrets.db');
    expect(await restored.all()).toEqual(SECRETS);
    await restored.close();
    for (const file of [
      'ledger verify --workspace-id 1 --file ./before.jsonl',
      'ledger verify --file ./before.json',
    ]) {
      // Revisions 3 and 4 were the hold and its capture.
      expect([file, said(file)]).toEqual([
        file,
        expect.stringMatching(/3 +entry of the ledger as it is now/),
      ]);
    }
    expect(await must('ledger', 'verify', '--file', './before.jsonl', '--json')).toMatch(/"ok":true/);
  });
});
