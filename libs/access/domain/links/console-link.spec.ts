import { rulesOf } from '#kernel/testing/scenario.js';
import {
  consoleLink,
  linkIsOver,
  linkWasOpened,
  makeLink,
  openLink,
  unknownLink,
  withdrawLink,
} from './console-link.js';

const deciding = rulesOf(consoleLink);
const HASH = 'ab'.repeat(32);
const SESSION = 'cd'.repeat(32);
const link = { linkId: 'abababababababab', workspaceId: 1 };
const data = { ...link, hash: HASH, label: 'auditor', expiresAt: '2026-02-01T00:00:00.000Z' };
const made = { type: 'ConsoleLinkMade', data } as const;
const opened = { type: 'ConsoleLinkOpened', data: { ...link, sessionHash: SESSION } } as const;
const withdrawn = { type: 'ConsoleLinkWithdrawn', data: link } as const;
const BEFORE = '2026-01-31T23:59:59.999Z';

describe('CON-02 a read-only link', () => {
  it('is made once', () => {
    deciding([], makeLink(data)).then([made]);
    deciding([made], makeLink(data)).then([]);
  });

  it('is opened once, for one session', () => {
    deciding([made], openLink(HASH, SESSION, BEFORE)).then([opened]);
    deciding([made, opened], openLink(HASH, 'ef'.repeat(32), BEFORE)).then(linkWasOpened());
  });

  it('is not opened with another token of the same beginning, when it has expired, or once withdrawn', () => {
    const other = `${HASH.slice(0, 32)}${'00'.repeat(16)}`;
    deciding([made], openLink(other, SESSION, BEFORE)).then(unknownLink());
    deciding([made], openLink(HASH, SESSION, data.expiresAt)).then(linkIsOver());
    deciding([made, withdrawn], openLink(HASH, SESSION, BEFORE)).then(linkIsOver());
    deciding([], openLink(HASH, SESSION, BEFORE)).then(unknownLink());
  });

  it('is withdrawn once, also after it was opened', () => {
    deciding([made, opened], withdrawLink()).then([withdrawn]);
    deciding([made, withdrawn], withdrawLink()).then([]);
    deciding([], withdrawLink()).then(unknownLink());
  });
});
