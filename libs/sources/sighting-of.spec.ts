import { sightingOf } from './sighting-of.js';

const line = {
  kind: 'job_posting',
  ref: 'greenhouse:acme:1',
  rev: 'auto',
  company_ref: 'c:acme',
  title: 'Engineer',
  description: 'Build CRM',
  posted_at: null,
};

describe('a line that a source showed', () => {
  it('is taken without what no store can keep: a text that is cut within an emoji is one all the same', () => {
    const cut = {
      ...line,
      title: 'Engi\u0000neer',
      description: 'Build CRM \ud83d',
      salary: { currency: 'EU\u0000R', min: 1, max: 2, interval: null },
    };
    expect(sightingOf(cut, 5, null)).toMatchObject({
      observation: {
        ref: line.ref,
        rev: 5,
        title: 'Engineer',
        description: 'Build CRM ',
        salary: { currency: 'EUR', min: 1 },
      },
      isAutomatic: true,
      source: null,
    });
    const whole = { ...line, description: 'Build CRM 😀' };
    expect(sightingOf(whole, 5, null)?.observation).toMatchObject({ description: 'Build CRM 😀' });
  });

  it('is none where it says something else', () => {
    expect(sightingOf({ ...line, posted_at: 'soon' }, 5, null)).toBeNull();
    expect(sightingOf({ ...line, ref: '' }, 5, null)).toBeNull();
  });
});
