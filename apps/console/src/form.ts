import { byteStream } from '#http/raw-body.js';

/** The body of a form of a browser, which sends it at once. */
export const FORM = byteStream({
  mediaType: 'application/x-www-form-urlencoded',
  windowBytes: 64 * 1024,
  withinMs: 30_000,
});
