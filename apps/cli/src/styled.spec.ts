import { WriteStream } from 'node:tty';
import { styled } from './styled.js';

/** A terminal in this environment, with Node's own detection of colours. */
const terminal = (environment: object) => ({
  isTTY: true,
  hasColors: () => WriteStream.prototype.hasColors.call(WriteStream.prototype, 16, environment),
});

describe('styled text', () => {
  it('is styled on a terminal with colours', () => {
    expect(styled('bold', 'x', terminal({ TERM: 'xterm-256color' }))).toBe('\u001b[1mx\u001b[22m');
  });

  it('is plain in a pipe, with NO_COLOR, and on a terminal without colours', () => {
    expect(styled('bold', 'x', {})).toBe('x');
    expect(styled('dim', 'x', terminal({ TERM: 'xterm-256color', NO_COLOR: '1' }))).toBe('x');
    expect(styled('dim', 'x', terminal({ TERM: 'dumb' }))).toBe('x');
  });
});
