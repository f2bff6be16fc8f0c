import { styleText } from 'node:util';

/** The members of an output stream that styling needs. */
export type Screen = { readonly isTTY?: boolean; readonly hasColors?: () => boolean };

/**
 * The text in this style on a terminal with colours; plain in a pipe or file, with `NO_COLOR` and with `TERM=dumb`.
 */
export function styled(style: 'bold' | 'dim', text: string, screen: Screen = process.stdout): string {
  // Checked here because Node's own check covers only standard output.
  return screen.isTTY === true && screen.hasColors?.() === true
    ? styleText(style, text, { validateStream: false })
    : text;
}
