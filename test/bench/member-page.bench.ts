import { startTestService } from '#test/support/service.js';
import { medianMs, type Bench } from './bench.js';

const MEMBERS = 10_000;
const PAGE = 25;
const CALLS = 200;

/** Pages of a list of ten thousand over HTTP: the pages are numbered, so the last one is the deepest. */
export const memberPageBench: Bench = {
  name: 'member-page',
  async run() {
    const service = await startTestService({ VERIFY_RESPONSES: 'false' });
    const workspace = await service.workspace();
    const { body: list } = await workspace.call('POST /api/v2/lists', {
      type: 'prospect',
      name: 'Everybody',
    });
    const bound = { workspace_id: workspace.id, list_id: list.data.id };
    const members = Array.from({ length: MEMBERS }, (_, index) => ({ network_handle: `company-${index}` }));
    await service.ops('list.bind_crm', { ...bound, crm: 'bench' });
    await service.ops('list.crm_sync', { ...bound, members });
    await service.ops('work.drain');

    let right = 0;
    const page = async (query: string, first: string): Promise<void> => {
      const { body } = await workspace.call(`GET /api/v2/lists/company/${list.data.id}/members?${query}`);
      if (body.data[0]?.network_handle === first) right += 1;
    };
    const last = MEMBERS / PAGE;
    const shallow = await medianMs(CALLS, () => page('page=1', 'company-0'));
    const deep = await medianMs(CALLS, () => page(`page=${last}`, `company-${MEMBERS - PAGE}`));
    const search = await medianMs(CALLS, () => page('q=company-9999', 'company-9999'));
    const shallowAgain = await medianMs(CALLS, () => page('page=1', 'company-0'));
    await service.stop();

    const beside = 'the first page';
    const besideValue = (shallow + shallowAgain) / 2;
    const proof = `${right} of ${4 * (CALLS + CALLS / 10)} pages begin with the right member`;
    const count = MEMBERS.toLocaleString('en');
    return [
      {
        what: `last page of ${PAGE} of a list of ${count}, p50 over HTTP`,
        measured: deep,
        unit: 'ms',
        beside,
        besideValue,
        goal: { atMost: 2 },
        proof,
      },
      {
        what: `search for one member of ${count}, p50 over HTTP`,
        measured: search,
        unit: 'ms',
        beside,
        besideValue,
        goal: null,
        proof,
      },
    ];
  },
};
