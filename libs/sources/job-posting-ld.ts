import type { JsonObject, JsonValue } from '#kernel/values/json.js';
import type { Salary, SalaryInterval } from '#network/observation.js';
import { memberAt, momentOf, textAt } from './answer-fields.js';
import type { SeenPosting } from './board-kind.js';

const INTERVALS: ReadonlyMap<string, SalaryInterval> = new Map([
  ['HOUR', 'hour'],
  ['DAY', 'day'],
  ['WEEK', 'week'],
  ['MONTH', 'month'],
  ['YEAR', 'year'],
]);

/** A posting from a JobPosting of schema.org, with its closing time if stated. Null for one without an address. */
export function postingOf(
  posting: JsonObject,
  page: string,
): (SeenPosting & { readonly until: string | null }) | null {
  const own = textAt(posting, 'url');
  const url = own !== null && URL.canParse(own, page) ? new URL(own, page).href : page;
  if (!/^https?:/i.test(url)) return null;
  const id =
    textAt(posting, 'identifier', 'value') ??
    numberText(memberAt(posting, 'identifier', 'value')) ??
    textAt(posting, 'identifier') ??
    url;
  return {
    id,
    url,
    title: textAt(posting, 'title') ?? textAt(posting, 'name'),
    html: [textAt(posting, 'description') ?? ''],
    location: locationOf(posting),
    postedAt: momentOf(textAt(posting, 'datePosted')),
    department: textAt(posting, 'occupationalCategory'),
    workplace: /\bTELECOMMUTE\b/i.test(textAt(posting, 'jobLocationType') ?? '') ? 'remote' : null,
    salary: salaryOf(posting),
    until: endOfDay(textAt(posting, 'validThrough')),
  };
}

/** The posting is open until the end of the day. */
const endOfDay = (text: string | null): string | null =>
  momentOf(text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T23:59:59Z` : text);

const numberText = (value: JsonValue | undefined): string | null =>
  typeof value === 'number' ? String(value) : null;

function locationOf(posting: JsonObject): string | null {
  const places = [posting['jobLocation'] ?? []].flat().flatMap((place: JsonValue) => {
    const addresses = [memberAt(place, 'address') ?? place]
      .flat()
      .flatMap((address: JsonValue) => addressOf(address));
    return addresses.length > 0 ? addresses : (textAt(place, 'name') ?? []);
  });
  return places.length === 0 ? null : [...new Set(places)].join('; ');
}

/** Empty if there is no address. */
function addressOf(address: JsonValue): readonly string[] {
  if (typeof address === 'string') return address.trim() === '' ? [] : [address.trim()];
  const country = textAt(address, 'addressCountry') ?? textAt(address, 'addressCountry', 'name');
  const parts = [textAt(address, 'addressLocality'), textAt(address, 'addressRegion'), country];
  const named = parts.filter((part) => part !== null).join(', ');
  return named === '' ? [] : [named];
}

function salaryOf(posting: JsonObject): Salary | null {
  const base = memberAt(posting, 'baseSalary');
  const value = memberAt(base, 'value');
  const amount = (name: string): number | null => {
    const found = memberAt(value, name) ?? memberAt(base, name);
    const number = typeof found === 'string' ? Number(found.replace(/[,\s]/g, '')) : found;
    return typeof number === 'number' && Number.isFinite(number) && number > 0 ? number : null;
  };
  const only = amount('value');
  const [min, max] = [amount('minValue') ?? only, amount('maxValue') ?? only];
  if (min === null && max === null) return null;
  const currency = textAt(base, 'currency') ?? textAt(posting, 'salaryCurrency');
  const interval =
    INTERVALS.get((textAt(value, 'unitText') ?? textAt(base, 'unitText') ?? '').toUpperCase()) ?? null;
  return { currency, min, max, interval };
}
