import { AGENT_TYPES, agentTypes, type AgentTypeRow } from '#signals/domain/agents/agent-types.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';
import { smallestSample } from '#test/support/schema-sample.js';

/** Templates that this version detects anywhere on the network. */
const DETECTABLE = [
  'mentioned-keywords-on-network',
  'keywords-in-job-postings',
  'new-job-posting',
  'job-posting-insight',
  'hiring-manager-identified',
  'new-hire-in-target-role',
  'promotion-in-target-role',
  'new-executive',
  'headcount-growth',
  'new-location-opened',
  'funding-announced',
  'custom-research-question',
];
/** Templates that it detects only for people on a list or monitored accounts, of which there are none here. */
const WITHOUT_TARGETS = [
  'prospect-list-keyword-mentions',
  'competitor-content-engagement',
  'competitor-team-activity',
  'partner-interactions',
  'customer-interactions',
  'influencer-engagement',
  'champion-interactions',
  'champion-job-change',
  'own-content-engagement',
  'customer-contact-departure',
  'headcount-decline',
  'customer-renewal-window',
];

describe('all signal templates', () => {
  const service = scene();
  const workspace = sharedWorkspace(service, {}, ({ persona }) => persona());

  const listOf = async (type: string): Promise<number> =>
    type === 'employee' ? workspace.employeeListId : (await workspace.list(type)).id;

  it('OP-71 SETUP-01 every live template can be set up and launched, or names what is missing', async () => {
    const launched: string[] = [];
    const refused: string[] = [];
    const withoutTargets: string[] = [];
    for (const { id, key, setup } of await workspace.data('GET /api/v3/signal-templates?page_size=100')) {
      const parameters = await smallestSample(setup.fields, listOf);
      const created = await workspace.call('POST /api/v3/signal-setups', {
        signal_template_id: id,
        parameters,
      });
      if (created.status === 422) {
        // OP-21: it watches top accounts, and there are none
        expect([key, created.body.title]).toEqual([key, 'Insufficient top accounts']);
        continue;
      }
      expect([key, created.status, created.body]).toMatchObject([key, 201, { data: { parameters } }]);
      // The launch before may still be running.
      await service.drain();
      const added = await service.eventsOf(async () => {
        const { status, body: answer } = await workspace.launch(created.body.data.id);
        if (status === 202) launched.push(key);
        else {
          expect([key, answer]).toMatchObject([key, { status: 400, title: 'Bad Request' }]);
          expect([key, answer.detail]).toEqual([key, expect.any(String)]);
          if (answer.detail.startsWith('This kind of signal cannot be run yet')) refused.push(key);
          // RUN-12: a signal about people on an empty list, or about accounts that are not monitored
          else {
            expect([key, answer.detail]).toEqual([
              key,
              expect.stringMatching(
                /^There are no target accounts configured\. (List \d+ has no followed members|No account is monitored|It has no list)/,
              ),
            ]);
            withoutTargets.push(key);
          }
        }
      });
      if (!DETECTABLE.includes(key)) expect([key, added]).toEqual([key, []]);
    }
    expect(launched).toEqual(DETECTABLE);
    expect(withoutTargets).toEqual(WITHOUT_TARGETS);
    // 26 live, 12 launched, 12 without targets, 2 about top accounts
    expect(refused).toEqual([]);
  });

  it('OP-71 AG-02 creates an agent of every type, because each of them is detected', async () => {
    for (const type of AGENT_TYPES) {
      const row: AgentTypeRow = agentTypes[type];
      const parameters = row.required.length === 0 ? undefined : { tracking_keywords: ['crm'] };
      const { status, body } = await workspace.call('POST /api/v2/agents', { type, parameters });
      expect([type, status, body.data?.type]).toEqual([
        type,
        201,
        row.list?.givesType === true ? expect.anything() : type,
      ]);
    }
  });
});
