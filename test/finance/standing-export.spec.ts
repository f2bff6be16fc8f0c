import { createHash } from 'node:crypto';
import { canonicalJson, type JsonObject } from '#kernel/values/json.js';
import { creditsCapture } from '#ledger/commands/credits-capture.js';
import { creditsGrant } from '#ledger/commands/credits-grant.js';
import { creditsHold } from '#ledger/commands/credits-hold.js';
import { ledgerExport } from '#ledger/commands/ledger-export.js';
import { ledgerVerify } from '#ledger/commands/ledger-verify.js';
import { runExport } from '#ops/support/run-command.js';
import { testCall } from '#test/support/test-call.js';
import { runDeclaredOn, sharedLedgerHost } from '../ops/ledger-host.js';

const host = sharedLedgerHost();
const run = runDeclaredOn(host);
const OPENED = { workspace_id: 1 };

async function exported(period: object): Promise<string> {
  const input = { ...OPENED, format: 'jsonl', ...period };
  let text = '';
  for await (const piece of await runExport(host, ledgerExport, input, testCall.operator).text) text += piece;
  return text;
}

/** What `ledger verify --file` answers for a file with this text. */
async function verified(text: string, given: object): Promise<unknown> {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text);
  }
  return ledgerVerify.onFile?.(
    chunks(),
    given,
    () => undefined,
    (work) => work(host),
  );
}

/** The export with other sums before its first entry, and a footer that fits its bytes. */
function restated(text: string, change: (before: JsonObject) => JsonObject): string {
  const [first = '', ...others] = text.trim().split('\n');
  const header = JSON.parse(first);
  const lines = [canonicalJson({ ...header, before: change(header.before) }), ...others.slice(0, -1)];
  const body = `${lines.join('\n')}\n`;
  const sha256 = createHash('sha256').update(body).digest('hex');
  return `${body}${canonicalJson({ ...JSON.parse(others.at(-1) ?? ''), sha256 })}\n`;
}

describe('ledger verify --file of an export that begins after the first entry, with the ledger', () => {
  beforeAll(async () => {
    await host.openWorkspace(1);
    await run(creditsGrant, { ...OPENED, credits: 100, reason: 'contract' });
    await run(creditsGrant, { ...OPENED, credits: 5, reason: 'welcome', expires_at: '2026-04-01' });
    for (const key of ['a', 'b'])
      await run(creditsHold, { ...OPENED, key, credits: 12.5, product: 'export' });
    await run(creditsCapture, { ...OPENED, key: 'a' });
    host.setNow('2026-02-20T10:00:00.000Z');
    await run(creditsCapture, { ...OPENED, key: 'b' });
  });

  it('accepts every period as it was exported, also one without entries', async () => {
    for (const period of [
      { from: '2026-02-01' },
      { from: '2026-02-01', to: '2026-02-10' },
      { from: '2026-02-01', at: 6 },
      {},
    ])
      expect(await verified(await exported(period), OPENED)).toMatchObject({ ok: true, differences: [] });
  });

  it('names sums before its first entry that the ledger does not have, although the file is consistent', async () => {
    const forged = restated(await exported({ from: '2026-02-01' }), (before) => ({
      ...before,
      withdrawals: '7000000',
      adjustments: '7000000',
    }));
    expect(await verified(forged, {})).toMatchObject({ ok: true });
    expect(await verified(forged, OPENED)).toMatchObject({
      ok: false,
      differences: [
        { revision: 5, what: 'withdrawals before the first entry', expected: '"0"', found: '"7000000"' },
        { revision: 5, what: 'adjustments before the first entry', expected: '"0"', found: '"7000000"' },
      ],
    });
  });
});
