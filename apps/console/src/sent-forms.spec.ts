import { createSentForms, type SentForm } from './sent-forms.js';

describe('the forms that a console was sent', () => {
  let now = 0;
  const forms = createSentForms(() => now);
  let executed = 0;
  const made = async (): Promise<SentForm> => {
    executed += 1;
    return { page: { to: '/secret' }, again: { to: '/page' } };
  };
  beforeEach(() => (executed = 0));

  it('CON-05 are executed once, also if they arrive together, and answered without the secret after a minute', async () => {
    expect(await Promise.all([forms.once('a', made), forms.once('a', made)])).toEqual([
      { to: '/secret' },
      { to: '/secret' },
    ]);
    now += 59_999;
    expect(await forms.once('a', made)).toEqual({ to: '/secret' });
    now += 1;
    expect(await forms.once('a', made)).toEqual({ to: '/page' });
    expect(await forms.find('a')).toEqual({ to: '/page' });
    expect([executed, await forms.find('b')]).toEqual([1, null]);
  });

  it('CON-05 are executed again after a refusal', async () => {
    const refused = () => Promise.reject(new Error('refused'));
    await expect(forms.once('c', refused)).rejects.toThrow('refused');
    expect(await forms.find('c')).toBeNull();
    expect(await forms.once('c', made)).toEqual({ to: '/secret' });
  });

  it('are forgotten, the oldest first, if there are many', async () => {
    for (let form = 0; form < 1_001; form += 1) await forms.once(`many ${form}`, made);
    expect([await forms.find('many 0'), await forms.find('many 1')]).toEqual([null, { to: '/secret' }]);
  });
});
