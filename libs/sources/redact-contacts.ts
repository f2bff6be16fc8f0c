const MAIL = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,5}/gu;
/**
 * Digits in groups; the first group follows a sign of a telephone number: +, 00, 0, a bracket, or groups of three,
 * three and four.
 */
const NUMBER =
  /(?<![\p{L}\p{N}.,:/-])(?:(?:\+|00)[1-9]\d{0,3}(?:[ ./()-]{1,3}\d{1,8}){1,7}|(?:\+|00)[1-9]\d{7,13}|\(0?\d{2,5}\)(?:[ ./-]{0,3}\d{2,6}){1,5}|0[1-9]\d{0,4}(?:[ ./-]{1,3}\d{2,8}){1,5}|0[1-9]\d{7,11}|\d{3}[ .-]\d{3}[ .-]\d{4})(?![\p{L}\p{N}])/gu;
const FEWEST_DIGITS = 7;
const MOST_DIGITS = 15;

/**
 * Replaces mail addresses and telephone numbers, because postings contain those of recruiters, who have not
 * consented.
 */
export function redactContacts(text: string): string {
  // Most texts contain neither, and searching costs as much as making the text.
  const withoutMail = text.includes('@') ? text.replace(MAIL, '[e-mail]') : text;
  if (!/\d/.test(withoutMail)) return withoutMail;
  return withoutMail.replace(NUMBER, (found) => (isTelephone(found) ? '[phone]' : found));
}

function isTelephone(found: string): boolean {
  const digits = found.replace(/\D/g, '').length;
  // 01.02.2026 and 01-02-2026 are dates.
  return digits >= FEWEST_DIGITS && digits <= MOST_DIGITS && !/^\d{2}[./-]\d{2}[./-]\d{4}$/.test(found);
}
