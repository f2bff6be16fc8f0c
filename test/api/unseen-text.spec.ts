import { refusal } from '#test/support/expected-answers.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';

const UNSEEN = '\u200b\u202e\u2060';
/** Kept as it was sent, because some languages need such characters. */
const SEEN = 'می\u200cخواهم\u200f';

describe('text with invisible characters', () => {
  const service = scene();
  const workspace = sharedWorkspace(service, { credits: 10 });

  const newList = (name: string) => workspace.call('POST /api/v2/lists', { type: 'prospect', name });

  it('CONV-12 is blank if it has no others: names, titles and keywords are refused, and no event is added', async () => {
    const calls: readonly (readonly [route: string, body: object, field: string])[] = [
      ['POST /api/v2/lists', { type: 'prospect', name: UNSEEN }, 'name'],
      ['POST /api/v2/personas', { job_title: [UNSEEN] }, 'job_title'],
      ['POST /api/v2/personas', { tag: UNSEEN }, 'tag'],
      [
        'POST /api/v3/signal-setups',
        { signal_template_id: 1, parameters: { tracking_keywords: [UNSEEN] } },
        'tracking_keywords',
      ],
      [
        'POST /api/v2/agents',
        { name: 'a', type: 'keyword_post_search', parameters: { tracking_keywords: [UNSEEN] } },
        'parameters.tracking_keywords',
      ],
    ];
    await service.expectSettledEvents([], async () => {
      for (const [route, body, field] of calls) await refusal(422, workspace.call(route, body), field);
    });
  });

  it('CONV-12 is kept if it has visible ones, and a tag is equal without them', async () => {
    const list = await newList(SEEN);
    expect([list.status, list.body.data.name]).toEqual([201, SEEN]);
    const first = await workspace.call('POST /api/v2/personas', { job_title: [SEEN], tag: 'DA\u200bCH' });
    expect([first.status, first.body.data.job_title, first.body.data.tag]).toEqual([
      201,
      [SEEN],
      'DA\u200bCH',
    ]);
    await refusal(422, workspace.call('POST /api/v2/personas', { tag: 'dach' }), 'tag');
  });

  it('OP-10 makes a handle invalid_identifier', async () => {
    const { kind, id } = (await newList(SEEN)).body.data;
    const { status, body } = await workspace.call(`POST /api/v2/lists/${kind}/${id}/members`, {
      members: [{ network_handle: 'acme\u200binc' }, { network_handle: 'acme-inc' }],
    });
    expect([status, body.errors]).toEqual([200, [expect.objectContaining({ code: 'invalid_identifier' })]]);
  });
});
