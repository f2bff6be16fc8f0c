import { asSpelt } from './spelling.js';

const spelt = (call: string): string => asSpelt(call.split(' ')).join(' ');

describe('the words of a call', () => {
  it('mean the same with underscores as with dashes', () => {
    expect(spelt('ledger close_month --workspace_id 1 --month=2026-01')).toBe(
      'ledger close-month --workspace-id 1 --month=2026-01',
    );
    expect(spelt('store show --json')).toBe('store show --json');
  });

  it('are unchanged if they are values', () => {
    expect(spelt('credits grant --grant_key order_17 --reason=a_b --')).toBe(
      'credits grant --grant-key order_17 --reason=a_b --',
    );
    expect(spelt('network ingest my_file.ndjson')).toBe('network ingest my_file.ndjson');
    expect(spelt('network ingest -- --my_file')).toBe('network ingest -- --my_file');
  });
});
