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

describe('a line of a source', () => {
  it('is accepted without characters that no store can keep, such as half an emoji at a cut', () => {
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

  it('is no sighting if it has another form', () => {
    expect(sightingOf({ ...line, posted_at: 'soon' }, 5, null)).toBeNull();
    expect(sightingOf({ ...line, ref: '' }, 5, null)).toBeNull();
  });
});
