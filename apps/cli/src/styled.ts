import { styleText } from 'node:util';

/** Where text is written to, as far as styling asks. */
export type Screen = { readonly isTTY?: boolean; readonly hasColors?: () => boolean };

/** The text in this style on a terminal that shows it; plain in a pipe or file, with `NO_COLOR` and with `TERM=dumb`. */
export function styled(style: 'bold' | 'dim', text: string, screen: Screen = process.stdout): string {
  // Asked here and not by Node: its own question is about standard output alone.
  return screen.isTTY === true && screen.hasColors?.() === true
    ? styleText(style, text, { validateStream: false })
    : text;
}
