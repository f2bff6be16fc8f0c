import { FIRST_OPERATOR } from '#kernel/values/operators.js';
import { createSessions } from './sessions.js';

describe('sessions of the console', () => {
  let now = 0;
  const sessions = createSessions(() => now);
  const MINUTE = 60_000;

  it('CON-02 end after 30 minutes without use, and each use restarts the time', () => {
    const cookie = sessions.open(FIRST_OPERATOR, null);
    now += 29 * MINUTE;
    expect(sessions.find(cookie)?.operator).toEqual(FIRST_OPERATOR);
    now += 29 * MINUTE;
    expect(sessions.find(cookie)).not.toBeNull();
    now += 30 * MINUTE;
    expect(sessions.find(cookie)).toBeNull();
    expect(sessions.find(cookie)).toBeNull();
  });

  it('CON-02 have separate secrets for cookie and form, different in each session', () => {
    const cookies = [sessions.open(FIRST_OPERATOR, null), sessions.open(FIRST_OPERATOR, null)];
    const forms = cookies.map((cookie) => sessions.find(cookie)?.formToken);
    expect(new Set([...cookies, ...forms]).size).toBe(4);
    for (const each of [...cookies, ...forms]) expect(each).toMatch(/^[\w-]{43}$/);
  });

  it('CON-02 end when the operator signs out', () => {
    const cookie = sessions.open(FIRST_OPERATOR, null);
    sessions.close(cookie);
    expect(sessions.find(cookie)).toBeNull();
  });

  it('if there are too many, the one that was idle longest ends', () => {
    const [first = '', second = '', ...others] = Array.from({ length: 1_000 }, () =>
      sessions.open(FIRST_OPERATOR, null),
    );
    expect(sessions.find(first)).not.toBeNull();
    sessions.open(FIRST_OPERATOR, null);
    expect([sessions.find(second), sessions.find(first)?.operator, others.length]).toEqual([
      null,
      FIRST_OPERATOR,
      998,
    ]);
  });
});
