import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** A chromium of this machine; undefined without one. */
export const browserPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (file) => existsSync(file),
);

const BROWSER_FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-dev-shm-usage'];

/** Starts the chromium of this machine. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ ...(browserPath && { executablePath: browserPath }), args: BROWSER_FLAGS });
