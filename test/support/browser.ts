import { existsSync } from 'node:fs';

/** A chromium of this machine; undefined without one. */
export const browserPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (file) => existsSync(file),
);

export const BROWSER_FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-dev-shm-usage'];
