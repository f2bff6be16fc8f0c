/** Prints a figure for a reader of the test's outcome; it asserts nothing. */
export function diagnostic(text: string): void {
  process.stdout.write(`${text}\n`);
}
