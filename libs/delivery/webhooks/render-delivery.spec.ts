import { deliveryBody } from './render-delivery.js';

const LINK = { link: '/api/v3/events?event=evt_1_0' };

/** An event whose standard body has exactly this many bytes. */
function eventOf(bytes: number) {
  const head = {
    id: 'evt_1_0',
    type: 'run.ended',
    occurred_at: '2026-03-01T12:00:00.000Z',
    workspace_id: 1,
    previous_id: null,
  };
  const empty = Buffer.byteLength(JSON.stringify({ ...head, data: { note: 'é' } }));
  return { ...head, data: { note: `é${'x'.repeat(bytes - empty)}` } };
}

describe('the body of a delivery', () => {
  it('DLV-04 contains the data below 20,000 bytes', () => {
    const event = eventOf(19_999);
    const body = deliveryBody(event, 'standard');
    expect(Buffer.byteLength(body)).toBe(19_999);
    expect(JSON.parse(body)).toEqual(event);
  });

  it('DLV-04 contains a link instead of the data from 20,000 bytes on', () => {
    const { data: _, ...head } = eventOf(20_000);
    expect(JSON.parse(deliveryBody(eventOf(20_000), 'standard'))).toEqual({ ...head, data: LINK });
    expect(JSON.parse(deliveryBody(eventOf(1_000_000), 'standard')).data).toEqual(LINK);
  });
});
