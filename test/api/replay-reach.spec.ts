import { keywordAgent, observedCompany, observedPerson } from '#test/support/observed-network.js';
import { refusal } from '#test/support/expected-answers.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';

const ENDPOINTS = '/api/v3/webhook-endpoints';

describe('the reach of a replay', () => {
  const service = scene({
    at: '2026-12-04T10:00:00.000Z',
    network: [observedCompany('acme'), observedPerson('ana')],
  });
  let endpointId: number;
  let event: string;
  const workspace = sharedWorkspace(service, {}, async (own) => {
    await own.persona({ job_title: ['VP Sales'], location: ['France'] });
    await own.run(await keywordAgent(own, 'crm'));
    const made = await own.call(`POST ${ENDPOINTS}`, { url: 'https://hooks.example.com/in' });
    endpointId = made.body.data.id;
    const [first] = await own.data('GET /api/v3/events');
    event = first.id;
  });

  const ways = [
    ['the API', (body: object) => workspace.call(`POST ${ENDPOINTS}/${endpointId}/replay`, body), 202],
    [
      'endpoint.replay',
      (body: object) =>
        service.ops('endpoint.replay', { workspace_id: workspace.id, endpoint_id: endpointId, ...body }),
      200,
    ],
  ] as const;

  it.each(ways)(
    'DLV-03 is 30 days for one event, as for all events since a time: %s',
    async (_, replay, done) => {
      await service.setClock('2027-01-03T09:00:00.000Z');
      for (const body of [{ event }, { since: '2026-12-04T10:00:00.000Z' }])
        expect([body, (await replay(body)).status]).toEqual([body, done]);
      await service.setClock('2027-01-05T10:00:00.000Z');
      await service.expectSettledEvents([], async () => {
        await refusal(422, replay({ event }), 'event');
        await refusal(422, replay({ since: '2026-12-04T10:00:00.000Z' }), 'since');
      });
      await service.setClock('2026-12-04T10:00:00.000Z');
    },
  );

  it.each(ways)('DLV-03 refuses a time in the future: %s', async (_, replay) => {
    await service.expectSettledEvents([], () =>
      refusal(422, replay({ since: '2027-02-01T00:00:00.000Z' }), 'since'),
    );
  });
});
