import { overStdio } from '#test/support/mcp-program.js';
import { answerOf, crmScene, crmSetup, ERAS, mcpClient, problemOf } from '#test/support/mcp.js';
import { sharedWorkspace } from '#test/support/scene.js';
import { runCli } from '#test/support/cli.js';

describe('MCP-06 the tools over standard input and output', () => {
  const service = crmScene();
  const workspace = sharedWorkspace(service);

  it.each(ERAS)('carries the official client of revision %s to the service and back', async (era) => {
    const own = await service.workspace();
    const setupId = await crmSetup(own);
    const asked: string[] = [];
    const transport = overStdio({ SIGNAL_LEDGER_URL: service.url, SIGNAL_LEDGER_KEY: own.apiKey });
    let complaints = '';
    transport.stderr?.on('data', (text: Buffer) => (complaints += String(text)));
    const client = await mcpClient(transport, {
      era,
      ask: (message) => {
        asked.push(message);
        return { action: 'accept', content: { launch: true } };
      },
    });
    try {
      expect((await client.listTools()).tools).toHaveLength(11);
      expect(await answerOf(client, 'get_balance')).toMatchObject({ data: { balance: 1000 } });
      expect(await problemOf(client, 'get_run', { signal_run_id: 'x' })).toMatchObject({
        errors: { signal_run_id: ['must be an integer of at least 1'] },
      });
      const launch = { signal_setup_id: setupId, max_credits: 20, idempotency_key: era };
      expect(await answerOf(client, 'launch_run', launch)).toMatchObject({ runs: [{ max_credits: 20 }] });
      // Without a session, clients of 2025 cannot be asked.
      expect(asked).toHaveLength(era === '2026-07-28' ? 1 : 0);
      await expect(client.callTool({ name: 'naïve', arguments: {} })).rejects.toMatchObject({ code: -32602 });
      await service.drain();
      const answers = await Promise.all(Array.from({ length: 10 }, () => answerOf(client, 'get_balance')));
      expect(answers.map(({ data }) => data.balance)).toEqual(Array.from({ length: 10 }, () => 980));
    } finally {
      await client.close();
    }
    expect(complaints).toBe('');
  });

  it('answers each request when the key is refused or the service is away', async () => {
    const revoked = overStdio({ SIGNAL_LEDGER_URL: service.url, SIGNAL_LEDGER_KEY: 'wsk_live_unknown' });
    const era = '2025-11-25';
    await expect(mcpClient(revoked, { era })).rejects.toThrow(
      /Unauthorized \(401\): A valid API key is needed/,
    );
    await revoked.close();
    const away = overStdio({ SIGNAL_LEDGER_KEY: workspace.apiKey }, '--url', 'http://127.0.0.1:9');
    await expect(mcpClient(away, { era })).rejects.toThrow(/cannot be reached/);
    await away.close();
  });

  it('takes the address with its path or without, and the key from an argument', async () => {
    for (const url of [`${service.url}/`, `${service.url}/mcp`, `${service.url}/mcp/`]) {
      const client = await mcpClient(overStdio({}, '--url', url, '--key', workspace.apiKey));
      expect(await answerOf(client, 'get_balance')).toMatchObject({ data: { balance: 1000 } });
      await client.close();
    }
  });

  it('ends with its input, and with 2 if it lacks a key or an address', async () => {
    const run = async (
      args: readonly string[],
      environment: string,
    ): Promise<readonly [number | null, string]> => {
      const child = runCli(['mcp', ...args], environment);
      const code = await child.ended;
      return [code, child.errors()];
    };
    expect(await run([], 'unset SIGNAL_LEDGER_KEY')).toEqual([2, expect.stringMatching(/SIGNAL_LEDGER_KEY/)]);
    expect(await run(['--key', 'a b'], 'true')).toEqual([2, expect.stringMatching(/no API key/)]);
    for (const url of ['nonsense', 'ftp://example.com', 'file:///etc/passwd'])
      expect(await run(['--url', url, '--key', 'x'], 'true')).toEqual([
        2,
        expect.stringMatching(/--url takes/),
      ]);
    expect(await run(['--key', 'x'], 'exec < /dev/null')).toEqual([0, '']);
  });
});
