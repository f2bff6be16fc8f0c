/** Says a figure that is worth reading beside the outcome of a test; it asserts nothing. */
export function diagnostic(text: string): void {
  process.stdout.write(`${text}\n`);
}
