import { unreadCampaign, type UnreadReport } from '#test/support/unread-campaign.js';

describe('clients that do not read', () => {
  it('OP-75 take at most 500 MiB of the process, and a normal customer is answered beside them', async () => {
    const reports: UnreadReport[] = [];
    const short = { requestsOfEach: 100, requestsOfBoth: 200, everyMs: 0, slowReaders: 60 };
    await unreadCampaign(short, (report) => reports.push(report));
    expect(reports.map(({ phase, requests }) => [phase, requests])).toEqual([
      ['alone', 100],
      ['attack', 100],
      ['slow readers', 100],
      ['both', 200],
    ]);
    // A pause of the machine loses a lease or two. Clients that take all time of the process would lose one at most of
    // the 29 checks.
    expect(reports.at(-1)?.lapses).toBeLessThanOrEqual(3);
  });
});
